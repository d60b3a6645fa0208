package import LoadDeciding
public import ResourceLoads
public import WebURL

/// One fetch to be judged: its URL, its page and frame, and what it is for.
///
///     let load = ResourceLoad(url: image, topURL: page, resourceType: .image)
///
/// What is left out has the meaning that it has for WebKit; `Documentation/Loads.md` says which. A
/// property that is set afterwards stands as it is.
///
/// > Source: the rule language, sections 6.1 to 6.3. WebKit: `ResourceLoadInfo`.
public struct ResourceLoad: Hashable, Sendable {
  /// The URL that is matched.
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
  ///   - url: The URL to be fetched. The fragment of an `http` or `https` URL is left out, which
  ///     browsers keep to themselves; the types `popup`, `media`, `ping` and `csp-report` keep it.
  ///   - topURL: The URL of the main frame's document; `about:blank` when absent. A load of type
  ///     `top-document` is its own page, whatever is given.
  ///   - frameURL: The URL of the document in the frame; when absent the top URL, and `about:blank`
  ///     for a load of type `child-document`.
  ///   - resourceType: Exactly one type.
  ///   - loadContext: The frame that starts the load; when absent the child frame for a load of type
  ///     `child-document` and where a frame URL is given that is not the top URL, else the top frame.
  ///   - requestMethod: The method of the request that loaded the document; `nil` if it is unknown.
  ///   - loadType: What to take in place of comparing the hosts.
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

  /// The document of a view or frame that has not loaded any.
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

  /// Whether the engine looks at the load at all; `data:` URLs it never does.
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
