public import CodedErrors
internal import DurableFiles
public import ExtensionMessages

/// Why the host could not do its own part, apart from what extensions and lists do wrong.
public struct HostError: CodedError, Equatable {
  /// A kind of failure; the set may grow.
  public struct Code: ErrorCode {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A file or folder that cannot be read or written.
    public static let file = Code(rawValue: "file")
    /// A bundle that cannot be installed.
    public static let badBundle = Code(rawValue: "bad-bundle")
    /// No such bundle is installed, or there is no version to go back to.
    public static let notInstalled = Code(rawValue: "not-installed")
    /// Another process owns the user's extensions at the moment.
    public static let locked = Code(rawValue: "locked")
    /// A function that the host does not know or does not let this caller call.
    public static let refused = Code(rawValue: "refused")
    /// Arguments or settings that make no sense.
    public static let badArgument = Code(rawValue: "bad-argument")
    /// A process or a socket that the system does not give.
    public static let system = Code(rawValue: "system")
    /// An extension's folders hold more than they may.
    public static let overLimit = Code(rawValue: "over-limit")
    /// A file of the host's that was read and cannot be understood.
    public static let damaged = Code(rawValue: "damaged")
    /// A program of an extension that cannot be executed on this machine.
    public static let badProgram = Code(rawValue: "bad-program")

    /// The kinds of an argument, and of a file or folder that cannot be read or written.
    public static let wrongUse: Set = [badArgument, damaged, file]

    /// The numbers by which kinds travel as an ``ErrorReport``, from 1; one that was given is never
    /// another's.
    private static let numbered: [Code] = [
      file, badBundle, notInstalled, locked, refused, badArgument, system, overLimit, damaged,
      badProgram,
    ]

    /// The number that goes to other processes with ``HostError/domain``; 0 for a kind without one.
    public var number: Int64 {
      Self.numbered.firstIndex(of: self).map { Int64($0) + 1 } ?? 0
    }

    /// The kind that a report of the host's is of; nil for what others report.
    public init?(_ report: ErrorReport) {
      guard report.domain == HostError.domain,
        let known = Self.numbered.first(where: { $0.number == report.code })
      else { return nil }
      self = known
    }
  }

  /// The domain of these errors where they travel as an ``ErrorReport``.
  public static let domain = "TickbirdHostErrorDomain"

  /// The kind of failure.
  public let code: Code
  /// What failed, on which thing, and what to do.
  public let message: String

  /// Says what failed.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Takes over what the file system said.
  init(_ failure: FileFailure) { self.init(.file, failure.description) }

  /// The error as it travels.
  ///
  /// A program that cannot be executed is a failure of the extension, as is one that crashes.
  public var report: ErrorReport {
    guard code != .badProgram else { return .loadingInterrupted(message) }
    return ErrorReport(domain: Self.domain, code: code.number, description: message)
  }
}
