package import LoadDeciding
public import ResourceLoads
public import WebURL

/// One fetch to decide: its URL, its page and frame, and what it is for.
///
///     let load = ResourceLoad(url: image, topURL: page, resourceType: .image)
///
/// Absent properties have the meaning that they have for WebKit; see `Documentation/Loads.md`.
/// Properties set later are used as they are.
///
/// > Source: the rule language, sections 6.1 to 6.3. WebKit: `ResourceLoadInfo`.
public struct ResourceLoad: Hashable, Sendable {
  /// The URL that is matched.
  public var url: WebURL
  /// The URL of the main frame's document; for a main-frame navigation the load's own.
  public var topURL: WebURL
  /// The URL of the document in the frame, which conditions on the frame test.
  public var frameURL: WebURL
  /// The one engine type of the load.
  public var resourceType: ResourceType
  /// Which frame starts the load.
  public var loadContext: LoadContext
  /// The method of the request that loaded the document; `nil` matches no `request-method` rule.
  public var requestMethod: RequestMethod?
  /// The load type to use instead of the one that follows from the URLs.
  public var loadTypeOverride: LoadType?

  /// Creates a load.
  ///
  /// - Parameters:
  ///   - url: The URL to fetch. The fragment of an `http` or `https` URL is removed, since browsers
  ///     do not send it; the types `popup`, `media`, `ping` and `csp-report` keep it.
  ///   - topURL: The URL of the main frame's document; by default `about:blank`. Ignored for a load
  ///     of type `top-document`, which is its own page.
  ///   - frameURL: The URL of the document in the frame; by default the top URL, and `about:blank`
  ///     for a load of type `child-document`.
  ///   - resourceType: Exactly one type.
  ///   - loadContext: The frame that starts the load; by default the child frame for a load of type
  ///     `child-document` or with a frame URL other than the top URL, else the top frame.
  ///   - requestMethod: The method of the request that loaded the document; `nil` if unknown.
  ///   - loadType: The load type, instead of comparing hosts.
  public init(
    url: WebURL,
    topURL: WebURL? = nil,
    frameURL: WebURL? = nil,
    resourceType: ResourceType,
    loadContext: LoadContext? = nil,
    requestMethod: RequestMethod? = .get,
    loadType: LoadType? = nil
  ) {
    self.url = LoadDefaults.matched(url, resourceType)
    self.topURL =
      LoadDefaults.isItsOwnPage(resourceType) ? self.url : topURL ?? Self.initialDocument
    self.frameURL =
      frameURL ?? (LoadDefaults.beginsFrame(resourceType) ? Self.initialDocument : self.topURL)
    self.resourceType = resourceType
    self.loadContext =
      loadContext
      ?? LoadDefaults.loadContext(
        of: resourceType,
        showsOtherDocument: frameURL != nil && frameURL != self.topURL
      )
    self.requestMethod = requestMethod
    loadTypeOverride = loadType
  }

  /// The document of a view or frame that has not loaded one.
  package static let initialDocument: WebURL = {
    guard let url = WebURL("\(LoadDefaults.initialDocument)") else {
      preconditionFailure("\(LoadDefaults.initialDocument) is an absolute URL.")
    }
    return url
  }()

  /// Whether the load goes to the site of the page, by registrable domain.
  ///
  /// > Source: the rule language, section 6.2.
  public var loadType: LoadType {
    if let loadTypeOverride { return loadTypeOverride }
    return PartyTest.isFirstParty(loadURL: url.utf8.span, topURL: topURL.utf8.span)
      ? .firstParty : .thirdParty
  }

  /// Whether the engine checks the load at all; it never checks `data:` URLs.
  public var isChecked: Bool { LoadDefaults.isChecked(url.utf8.span) }

  /// Everything about the load but its URLs.
  package var traits: LoadTraits {
    LoadTraits(
      resourceType: resourceType,
      loadType: loadTypeOverride,
      loadContext: loadContext,
      requestMethod: requestMethod
    )
  }
}
