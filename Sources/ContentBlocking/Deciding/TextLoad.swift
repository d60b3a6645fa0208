internal import ResourceLoads
internal import WebURL

// Loads described by texts, for occasional use; `ContentBlocker.outcome` is the fast path.

extension ResourceLoad {
  /// Creates a load from three texts; see
  /// ``init(url:topURL:frameURL:resourceType:loadContext:requestMethod:loadType:)`` for defaults.
  ///
  ///     let load = try ResourceLoad(url: "https://ads.test/a.js", page: "https://news.test/", type: "script")
  ///
  /// - Parameters:
  ///   - url: The URL to be fetched.
  ///   - page: The URL of the main frame's document; empty if there is none.
  ///   - type: The type, as rule lists spell it, such as `script` or `top-document`.
  /// - Throws: ``LoadTextError`` if a URL is not absolute or the type is unknown.
  public init(url: String, page: String, type: String) throws(LoadTextError) {
    guard let resourceType = Self.resourceType(type) else {
      throw LoadTextError(
        message: "there is no type \"\(type)\"; use one of "
          + ResourceType.words.map { "\($0.word)" }.joined(separator: ", ")
      )
    }
    self.init(
      url: try Self.parse(url),
      topURL: page.isEmpty ? nil : try Self.parse(page),
      resourceType: resourceType
    )
  }

  /// Returns the type for a word of rule lists.
  package static func resourceType(_ word: String) -> ResourceType? {
    ResourceType.words.first { "\($0.word)" == word }?.type
  }

  private static func parse(_ text: String) throws(LoadTextError) -> WebURL {
    guard let url = WebURL(text) else {
      throw LoadTextError(
        message: "\"\(text)\" is not an absolute URL; write it in full, as in https://example.com/"
      )
    }
    return url
  }
}

extension ContentBlocker {
  /// Decides a load that is given by three texts: its URL, its page, its type.
  ///
  ///     try blocker.decision(url: "https://ads.test/a.js", page: "https://news.test/", type: "script")
  ///
  /// The parameters are those of ``ResourceLoad/init(url:page:type:)``.
  ///
  /// - Throws: ``LoadTextError`` if a URL is not absolute or the type is unknown.
  public mutating func decision(
    url: String,
    page: String,
    type: String
  ) throws(LoadTextError) -> LoadDecision {
    decision(for: try ResourceLoad(url: url, page: page, type: type))
  }
}

/// The reason why texts do not describe a load.
public struct LoadTextError: Error, Hashable, Sendable {
  /// The problem, and what to write instead.
  public var message: String
}
