internal import CodedErrors

/// The error for a browser that cannot be started, or does not do what it is asked.
package struct BrowserFailure: CodedError {
  /// The kinds of failure.
  package struct Code: ErrorCode {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// No browser is installed.
    package static let missingBrowser = Code(rawValue: "missing-browser")
    /// The browser cannot be started.
    package static let cannotStart = Code(rawValue: "cannot-start")
    /// The browser has ended.
    package static let gone = Code(rawValue: "gone")
    /// The browser has not answered in time.
    package static let noAnswer = Code(rawValue: "no-answer")
    /// The browser refuses a command.
    package static let refused = Code(rawValue: "refused")
    /// The user has interrupted the work.
    package static let interrupted = Code(rawValue: "interrupted")
  }

  package let code: Code
  package let message: String

  /// Creates an error.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
