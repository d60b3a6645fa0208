public import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// A load as the browser's declarative rules see it.
public struct BrowserLoad: Hashable, Sendable {
  /// The serialised URL, with its fragment.
  public var url: String
  /// The URL's host.
  public var host: String
  /// The browser's type.
  public var type: String
  /// The host of the page.
  public var topHost: String
  /// The host of the requesting document; `nil` for none.
  public var initiatorHost: String?
  /// The request's method in lower case.
  public var method: String

  /// Creates a load from its parts.
  public init(
    url: String,
    type: String,
    topHost: String,
    initiatorHost: String?,
    method: String = "get"
  ) {
    self.url = url
    host = WebURL(url).flatMap(\.host) ?? ""
    self.type = type
    self.topHost = topHost
    self.initiatorHost = initiatorHost
    self.method = method
  }

  /// Converts a load of the engine to Chromium's.
  ///
  /// `nil` for a load that Chromium's rules do not see in the same way: with another scheme or
  /// type, or of a page with more than one address in its own.
  public init?(_ load: ResourceLoad) {
    let url = load.url.serialized
    let top = load.topURL.serialized
    guard let type = Self.type(of: load.resourceType),
      ["http", "https", "ws", "wss"].contains(load.url.scheme),
      (type == "websocket") == load.url.scheme.hasPrefix("ws"),
      let host = load.url.host, let topHost = load.topURL.host,
      ["http", "https"].contains(load.topURL.scheme),
      Self.isPlain(url, host), Self.isPlain(top, topHost),
      top.split(separator: "://", omittingEmptySubsequences: false).count == 2,
      type != "main_frame" || load.topURL == load.url, let method = load.requestMethod
    else { return nil }
    self.init(
      url: url,
      type: type,
      topHost: type == "main_frame" ? host : topHost,
      initiatorHost: type == "main_frame" ? nil : load.frameURL.host ?? topHost,
      method: "\(method)"
    )
  }

  /// Whether a URL has no user name and its host no final dot.
  private static func isPlain(_ url: String, _ host: String) -> Bool {
    let authority =
      url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
    return !authority.contains("@") && !host.hasSuffix(".")
  }

  private static func type(of type: ResourceType) -> String? {
    switch type {
    case .topDocument: "main_frame"
    case .childDocument: "sub_frame"
    case .image: "image"
    case .styleSheet: "stylesheet"
    case .script: "script"
    case .font: "font"
    case .media: "media"
    case .ping: "ping"
    case .fetch: "xmlhttprequest"
    case .webSocket: "websocket"
    case .cspReport: "csp_report"
    case .other: "other"
    default: nil
    }
  }
}
