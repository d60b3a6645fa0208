package import ContentBlocking
package import ResourceLoads
package import WebURL

/// The parts of a load as options, lines of JSON and tests describe them, before defaults.
///
/// Everything that describes loads by words makes them here, so that a description means the same
/// wherever it is written; `Documentation/Loads.md` says what.
package struct DescribedLoad {
  /// The URL to fetch.
  package var url: WebURL
  /// The page; `nil` if there is none.
  package var page: WebURL?
  /// The document of the frame; `nil` for the default.
  package var frame: WebURL?
  /// The word for the type, `document` included.
  package var type: String
  /// The frame that starts the load; `nil` for the default.
  package var context: LoadContext?
  /// The method of the request for the document; `nil` if unknown.
  package var method: RequestMethod? = .get
  /// Whether the load goes to the page's own site; `nil` if the URLs decide.
  package var party: LoadType?

  /// Describes a load by its URL and type.
  package init(url: WebURL, type: String) {
    self.url = url
    self.type = type
  }

  /// Returns the load, with the defaults of absent parts; `nil` if there is no such type.
  package func load() -> ResourceLoad? {
    let resourceType: ResourceType
    if type == "document" {
      resourceType = LoadWords.documentType(context, url: url, page: page)
    } else {
      guard let known = LoadWords.resourceType(type) else { return nil }
      resourceType = known
    }
    return ResourceLoad(
      url: LoadWords.url(url, ofType: type),
      topURL: page,
      frameURL: frame,
      resourceType: resourceType,
      loadContext: context,
      requestMethod: method,
      loadType: party
    )
  }
}
