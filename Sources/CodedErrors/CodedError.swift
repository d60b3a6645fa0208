/// An error with a code for programs and a message for people.
///
/// Every module that reports failures by kind declares one such type, with its codes as static members
/// of ``Code``:
///
///     public struct PackingError: CodedError {
///       public struct Code: ErrorCode {
///         public let rawValue: String
///         public init(rawValue: String) { self.rawValue = rawValue }
///         public static let badKey = Code(rawValue: "bad-key")
///       }
///       public let code: Code
///       public let message: String
///     }
public protocol CodedError: Error, CustomStringConvertible {
  /// The kinds of failure, an open set.
  associatedtype Code: ErrorCode

  /// The kind of failure.
  var code: Code { get }
  /// What failed, on which thing, and the way out, without a full stop at the end, also if it is several sentences.
  var message: String { get }
}

extension CodedError {
  /// The message.
  public var description: String { message }

  /// The message with a full stop, for a place where sentences stand.
  public var sentence: String {
    guard let last = message.last, !".!?…".contains(last) else { return message }
    return message + "."
  }
}

/// The name of a kind of failure, in kebab-case.
///
/// An open set: later versions add codes, so a `switch` over them needs a `default`. A code that was
/// released keeps its name, for programs compare it.
public protocol ErrorCode: RawRepresentable, Hashable, Sendable where RawValue == String {
  /// The kinds of failure of an argument, or of a file or folder that cannot be read or written.
  ///
  /// A command that fails so ends as one that was used wrongly; of any other kind it was refused, or failed.
  static var wrongUse: Set<Self> { get }
}

extension ErrorCode {
  /// None.
  public static var wrongUse: Set<Self> { [] }

  /// Whether it is the failure of an argument, or of a file or folder that cannot be read or written.
  public var isWrongUse: Bool { Self.wrongUse.contains(self) }
}
