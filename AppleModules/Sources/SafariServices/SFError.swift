// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
import ExtensionMessages

/// The domain of ``SFError``.
public let SFErrorDomain = "SFErrorDomain"
/// The domain that content blockers' errors had on iOS 9.
public let SFContentBlockerErrorDomain = "ContentBlockerErrorDomain"

/// The key under which an item's user info has a web extension's message and its answer.
public let SFExtensionMessageKey = "message"
/// The key under which an item's user info has the UUID of the browser's profile.
public let SFExtensionProfileKey = "profile"

/// An error about an extension.
public struct SFError: CustomNSError, LocalizedError, Equatable, Sendable {
  /// The kind of error.
  ///
  /// Note: 0, 4 and 5 are inferred from the order of the cases, not from a header.
  public enum Code: Int, Sendable {
    case internalError = 0
    case noExtensionFound = 1
    case noAttachmentFound = 2
    case loadingInterrupted = 3
    case missingEntitlement = 4
    case maximumAttemptsExceeded = 5

    /// Matches an error with this code in a `catch`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      let error = error as NSError
      return error.domain == SFError.errorDomain && error.code == code.rawValue
    }
  }

  /// The kind of error.
  public let code: Code
  /// The message for the user.
  public let errorDescription: String?

  /// Makes an error.
  public init(_ code: Code) {
    self.init(code, description: nil)
  }

  init(_ code: Code, description: String?) {
    self.code = code
    errorDescription = description ?? "\(code)"
  }

  init?(_ report: ErrorReport) {
    guard report.domain == SFError.errorDomain,
      let code = Int(exactly: report.code).flatMap(Code.init)
    else { return nil }
    self.init(code, description: report.description.isEmpty ? nil : report.description)
  }

  /// The domain as an `NSError` has it.
  public static var errorDomain: String { SFErrorDomain }
  /// The code as an `NSError` has it.
  public var errorCode: Int { code.rawValue }
  /// The message, for code that uses the `NSError`.
  public var errorUserInfo: [String: Any] {
    errorDescription.map { [NSLocalizedDescriptionKey: $0] } ?? [:]
  }

  /// Two errors are equal if their codes are.
  public static func == (a: SFError, b: SFError) -> Bool { a.code == b.code }

  /// Something went wrong in the host, or there is none.
  public static var internalError: Code { .internalError }
  /// There is no extension with that identifier, or it belongs to another app.
  public static var noExtensionFound: Code { .noExtensionFound }
  /// The returned item had no attachment.
  public static var noAttachmentFound: Code { .noAttachmentFound }
  /// The extension failed while loading.
  public static var loadingInterrupted: Code { .loadingInterrupted }
  /// An entitlement is missing.
  public static var missingEntitlement: Code { .missingEntitlement }
  /// It was tried too often.
  public static var maximumAttemptsExceeded: Code { .maximumAttemptsExceeded }
}

/// macOS's name for the codes of ``SFError``.
public typealias SFErrorCode = SFError.Code

/// The codes of iOS 9, in ``SFContentBlockerErrorDomain``.
public enum SFContentBlockerErrorCode: Int, Sendable {
  case noExtensionFound = 1
  case noAttachmentFound = 2
  case loadingInterrupted = 3
}
