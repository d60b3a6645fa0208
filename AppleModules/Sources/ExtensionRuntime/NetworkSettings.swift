// Settings of Apple's networking that have no effect here, so that handlers that make them compile.
#if canImport(FoundationNetworking)
public import FoundationNetworking

extension URLSessionConfiguration {
  /// Whether a session waits for a network; here it fails at once.
  @_disfavoredOverload
  public var waitsForConnectivity: Bool {
    get { false }
    set {}
  }

  /// The application group of background sessions, which do not exist here.
  @_disfavoredOverload
  public var sharedContainerIdentifier: String? {
    get { nil }
    set {}
  }

  /// Whether the app is started when a background session ends; there is none.
  public var sessionSendsLaunchEvents: Bool {
    get { false }
    set {}
  }

  /// Whether networks in low data mode may be used; no network is known to be in it.
  public var allowsConstrainedNetworkAccess: Bool {
    get { true }
    set {}
  }

  /// Whether expensive networks may be used; no network is known to be expensive.
  public var allowsExpensiveNetworkAccess: Bool {
    get { true }
    set {}
  }
}

extension URLRequest {
  /// Whether networks in low data mode may be used; no network is known to be in it.
  public var allowsConstrainedNetworkAccess: Bool {
    get { true }
    set {}
  }

  /// Whether expensive networks may be used; no network is known to be expensive.
  public var allowsExpensiveNetworkAccess: Bool {
    get { true }
    set {}
  }

  /// Whether the server is assumed to know HTTP/3; it is asked.
  public var assumesHTTP3Capable: Bool {
    get { false }
    set {}
  }
}
#endif
