internal import ContentBlocking
internal import ContentRules
public import ExtensionMessages

extension ErrorReport {
  /// The key under which the place of a fault in a list travels.
  public static let placeKey = "TickbirdPlace"
  /// The key under which a report says that it is of the host alone; extensions' own never have it.
  static let hostKey = "TickbirdHostFailed"
  /// The domain of SafariServices' errors.
  static let safariDomain = "SFErrorDomain"

  /// There is no such extension, or none that could do it.
  ///
  /// > Source: SafariServices, `SFErrorNoExtensionFound`.
  static func noExtensionFound(_ description: String) -> ErrorReport {
    ErrorReport(domain: safariDomain, code: 1, description: description, userInfo: ofHost)
  }

  /// There is no such extension, or none that who asks may know of.
  static func notInstalled(_ identifier: String) -> ErrorReport {
    noExtensionFound("no extension \"\(identifier)\" is installed")
  }

  /// The answer had no attachment.
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

  /// The host gave up the request.
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

  /// Whether no such extension is installed, or one whose bundle is damaged.
  public var isAbsence: Bool {
    domain == Self.safariDomain && code == 1
      || domain == HostError.domain && code == HostError.Code.badBundle.number
  }

  private static let ofHost: [String: MessageValue] = [hostKey: .bool(true)]

  /// Whether the host, the machine or the user kept a request from being made or answered, so that
  /// it says nothing of the extension: it is not counted against it, and worth another try.
  public var isOfHost: Bool {
    [HostError.domain, Self.runtimeDomain].contains(domain) || userInfo[Self.hostKey] != nil
  }

  /// The list did not compile: the reason stands under `NSHelpAnchor`, as WebKit has it.
  ///
  /// Where its file could not be kept, it is an error of the host.
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

  /// An error of any kind, as it travels.
  init(any error: any Error) {
    switch error {
    case let report as ErrorReport: self = report
    case let error as HostError: self = error.report
    default: self = .internalError("\(error)")
    }
  }
}
