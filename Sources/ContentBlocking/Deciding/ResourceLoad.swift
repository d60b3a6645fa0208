public import ResourceLoads
public import WebURL

/// One fetch to be judged: its URL, its page and frame, and what it is for.
///
///     let load = ResourceLoad(url: image, topURL: page, resourceType: .image)
///
/// > Source: the rule language, sections 6.1 to 6.3. WebKit: `ResourceLoadInfo`.
public struct ResourceLoad: Hashable, Sendable {
  /// The URL that is matched, as it stands; see ``withoutBrowserFragment()``.
  public var url: WebURL
  /// The URL of the main frame's document; for a main-frame navigation the load's own.
  public var topURL: WebURL
  /// The URL of the document that the frame shows, which conditions on the frame are tested with.
  public var frameURL: WebURL
  /// The one engine type of the load.
  public var resourceType: ResourceType
  /// Which frame starts the load.
  public var loadContext: LoadContext
  /// The method of the request that loaded the document; `nil` matches no `request-method` rule.
  public var requestMethod: RequestMethod?
  /// Takes the place of the load type that follows from the URLs.
  public var loadTypeOverride: LoadType?

  /// Creates a load.
  ///
  /// - Parameters:
  ///   - url: The URL to be fetched.
  ///   - topURL: The URL of the main frame's document.
  ///   - frameURL: The URL of the document in the frame; the top URL when absent.
  ///   - resourceType: Exactly one type.
  ///   - loadContext: The frame that starts the load.
  ///   - requestMethod: The method of the request that loaded the document.
  ///   - loadType: What to take in place of comparing the hosts.
  public init(
    url: WebURL,
    topURL: WebURL,
    frameURL: WebURL? = nil,
    resourceType: ResourceType,
    loadContext: LoadContext = .topFrame,
    requestMethod: RequestMethod? = .get,
    loadType: LoadType? = nil
  ) {
    self.url = url
    self.topURL = topURL
    self.frameURL = frameURL ?? topURL
    self.resourceType = resourceType
    self.loadContext = loadContext
    self.requestMethod = requestMethod
    loadTypeOverride = loadType
  }

  /// Whether the load goes to the site of the page, by registrable domain.
  ///
  /// > Source: the rule language, section 6.2.
  public var loadType: LoadType {
    if let loadTypeOverride { return loadTypeOverride }
    return PartyTest.isFirstParty(loadURL: url.utf8.span, topURL: topURL.utf8.span)
      ? .firstParty : .thirdParty
  }

  /// Whether the engine looks at the load at all; `data:` URLs it never does.
  public var isChecked: Bool { !Self.isData(url) }

  /// Whether a URL holds its data itself.
  static func isData(_ url: WebURL) -> Bool {
    !url.isSpecial && url.utf8.starts(with: "data:".utf8)
  }

  /// The load as the engine sees it when a browser starts it: without the fragment that browsers
  /// keep to themselves for `http` and `https`.
  ///
  /// `window.open` keeps the fragment, as do all other schemes.
  public func withoutBrowserFragment() -> ResourceLoad {
    guard resourceType != .popup, url.scheme == "http" || url.scheme == "https" else {
      return self
    }
    var load = self
    load.url.setFragment(nil)
    return load
  }

  /// The load without the fragment of its URL, and, for the page's own document, of the top URL.
  public func asBrowserSends() -> ResourceLoad {
    var load = withoutBrowserFragment()
    if resourceType == .topDocument, topURL == url {
      if frameURL == topURL { load.frameURL = load.url }
      load.topURL = load.url
    }
    return load
  }
}
