public import ContentBlocking
public import ReferenceMatcher
internal import ResourceLoads
internal import WebURL

extension ReferenceLoad {
  /// The load as the product's type; `nil` if a URL or a word is invalid.
  ///
  /// The load type is the one that the load states.
  public var resourceLoad: ResourceLoad? {
    guard let url = WebURL(url), let topURL = WebURL(topURL), let frameURL = WebURL(frameURL),
      let type = ResourceType.words.first(where: { "\($0.word)" == resourceType })?.type
    else { return nil }
    var load = ResourceLoad(
      url: url,
      resourceType: type,
      loadContext: loadContext == "top-frame" ? .topFrame : .childFrame,
      requestMethod: requestMethod,
      loadType: isFirstParty ? .firstParty : .thirdParty
    )
    // A reference load is complete and used as it is, with its fragments.
    load.url = url
    load.topURL = topURL
    load.frameURL = frameURL
    return load
  }

  /// The properties that flags are tested against.
  var properties: LoadProperties {
    LoadProperties(
      resourceType: ResourceType.words.first { "\($0.word)" == resourceType }?.type ?? .other,
      loadType: isFirstParty ? .firstParty : .thirdParty,
      loadContext: loadContext == "top-frame" ? .topFrame : .childFrame,
      requestMethod: requestMethod
    )
  }

  private var requestMethod: RequestMethod? {
    guard let method = method?.lowercased() else { return nil }
    return RequestMethod.allCases.first { "\($0)" == method }
  }

  /// The load as a JSON value, for messages.
  public var json: JSONValue {
    var fields: [String: JSONValue] = [
      "url": .string(url), "top_url": .string(topURL), "frame_url": .string(frameURL),
      "resource_type": .string(resourceType), "load_context": .string(loadContext),
      "load_type": .string(isFirstParty ? "first-party" : "third-party"),
    ]
    if let method { fields["method"] = .string(method) }
    return .object(fields)
  }
}
