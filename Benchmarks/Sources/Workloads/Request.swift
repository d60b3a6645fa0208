public import ResourceLoads

/// One request of a log, as a browser knows it before it asks a list.
public struct Request: Hashable, Sendable {
  /// The URL as serialised.
  public var url: [UInt8]
  /// The URL of the page; empty when unknown.
  public var source: [UInt8]
  /// Everything else.
  public var properties: LoadProperties

  /// Creates a request of a main frame.
  public init(_ url: String, source: String, _ type: ResourceType, _ loadType: LoadType) {
    self.url = Array(url.utf8)
    self.source = Array(source.utf8)
    properties = LoadProperties(
      resourceType: type,
      loadType: loadType,
      loadContext: .topFrame,
      requestMethod: .get
    )
  }
}
