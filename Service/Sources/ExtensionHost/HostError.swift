internal import DurableFiles
public import ExtensionMessages

/// Why the host could not do its own part, apart from what extensions and lists do wrong.
public struct HostError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A kind of failure; the set may grow.
  public struct Code: Hashable, Sendable {
    /// The kind's name, in kebab-case.
    public let name: String
    /// The number that goes to other processes with ``HostError/domain``.
    public let number: Int64

    /// A file or folder that cannot be read or written.
    public static let file = Code(name: "file", number: 1)
    /// A bundle that cannot be installed.
    public static let badBundle = Code(name: "bad-bundle", number: 2)
    /// No such bundle is installed, or there is no version to go back to.
    public static let notInstalled = Code(name: "not-installed", number: 3)
    /// Another process owns the user's extensions at the moment.
    public static let locked = Code(name: "locked", number: 4)
    /// A function that the host does not know or does not let this caller call.
    public static let refused = Code(name: "refused", number: 5)
    /// Arguments or settings that make no sense.
    public static let badArgument = Code(name: "bad-argument", number: 6)
    /// A process or a socket that the system does not give.
    public static let system = Code(name: "system", number: 7)
    /// An extension's folders hold more than they may.
    public static let overLimit = Code(name: "over-limit", number: 8)
    /// A program of an extension that cannot be executed on this machine.
    public static let badProgram = Code(name: "bad-program", number: 10)
    /// A file of the host's that was read and cannot be understood.
    public static let damaged = Code(name: "damaged", number: 9)

    private static let all: [Code] = [
      file, badBundle, notInstalled, locked, refused, badArgument, system, overLimit, badProgram,
      damaged,
    ]

    private init(name: String, number: Int64) {
      self.name = name
      self.number = number
    }

    /// The kind that a report of the host's is of; nil for what others report.
    public init?(_ report: ErrorReport) {
      guard report.domain == HostError.domain,
        let known = Self.all.first(where: { $0.number == report.code })
      else { return nil }
      self = known
    }
  }

  /// The domain of these errors where they travel as an ``ErrorReport``.
  public static let domain = "TickbirdHostErrorDomain"

  /// The kind of failure.
  public let code: Code
  /// What failed, on which thing, and what to do.
  public let description: String

  /// Says what failed.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Takes over what the file system said.
  init(_ failure: FileFailure) { self.init(.file, failure.description) }

  /// The error as it travels.
  ///
  /// A program that cannot be executed is a failure of the extension, as is one that crashes.
  public var report: ErrorReport {
    guard code != .badProgram else { return .loadingInterrupted(description) }
    return ErrorReport(domain: Self.domain, code: code.number, description: description)
  }
}
