internal import ContentBlocking
internal import ContentRules
public import ExtensionMessages

extension ErrorReport {
  /// The key of a fault's position in a list.
  public static let placeKey = "TickbirdPlace"
  /// The key that marks a report as the host's own; extensions' reports never have it.
  static let hostKey = "TickbirdHostFailed"
  /// The domain of SafariServices' errors.
  static let safariDomain = "SFErrorDomain"

  /// No extension can handle the request.
  ///
  /// > Source: SafariServices, `SFErrorNoExtensionFound`.
  static func noExtensionFound(_ description: String) -> ErrorReport {
    ErrorReport(domain: safariDomain, code: 1, description: description, userInfo: ofHost)
  }

  /// The extension is not installed, or the caller must not know of it.
  static func notInstalled(_ identifier: String) -> ErrorReport {
    noExtensionFound("no extension \"\(identifier)\" is installed")
  }

  /// The answer has no attachment.
  ///
  /// > Source: SafariServices, `SFErrorNoAttachmentFound`.
  static func noAttachmentFound(_ description: String) -> ErrorReport {
    ErrorReport(domain: safariDomain, code: 2, description: description)
  }

  /// The extension failed.
  ///
  /// > Source: SafariServices, `SFErrorLoadingInterrupted`.
  static func loadingInterrupted(_ description: String) -> ErrorReport {
    ErrorReport(domain: safariDomain, code: 3, description: description)
  }

  /// The host failed.
  static func internalError(_ description: String) -> ErrorReport {
    ErrorReport(domain: safariDomain, code: 0, description: description, userInfo: ofHost)
  }

  /// The host cancelled the request.
  ///
  /// > Source: Foundation, `NSXPCConnectionInterrupted`.
  static func interrupted(_ description: String) -> ErrorReport {
    ErrorReport(
      domain: "NSCocoaErrorDomain",
      code: 4097,
      description: description,
      userInfo: ofHost
    )
  }

  /// Whether the extension is not installed, or its bundle is damaged.
  public var isAbsence: Bool {
    domain == Self.safariDomain && code == 1
      || domain == HostError.domain && code == HostError.Code.badBundle.number
  }

  private static let ofHost: [String: MessageValue] = [hostKey: .bool(true)]

  /// Whether the cause is the host, the machine or the user: it is not counted against the
  /// extension, and worth a retry.
  public var isOfHost: Bool {
    [HostError.domain, Self.runtimeDomain].contains(domain) || userInfo[Self.hostKey] != nil
  }

  /// Creates the error of a list that does not compile, with the reason under `NSHelpAnchor`, as in
  /// WebKit.
  ///
  /// If the compiled file could not be stored, it is an error of the host.
  ///
  /// > Source: WebKit, `WKErrorContentRuleListStoreCompileFailed`.
  init(_ error: RuleListStoreError) {
    if error.isOfSystem {
      self = HostError(.file, error.message).report
      return
    }
    let prefix = "Rule list compilation failed: "
    let sentence = error.message.hasPrefix(prefix) ? error.message : prefix + error.message
    self.init(
      domain: "WKErrorDomain",
      code: 6,
      description: sentence,
      userInfo: ["NSHelpAnchor": .string(sentence)]
    )
    guard let location = error.report?.webKitError?.location else { return }
    var place = "line \(location.line), column \(location.column)"
    if !location.jsonPath.isEmpty { place += ", at \(location.jsonPath)" }
    userInfo[Self.placeKey] = .string(place)
  }

  /// Creates a report of any error.
  init(any error: any Error) {
    switch error {
    case let report as ErrorReport: self = report
    case let error as HostError: self = error.report
    default: self = .internalError("\(error)")
    }
  }
}
