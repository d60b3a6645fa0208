/// The error for output that could not be written: what failed and what to do, in one sentence.
public struct OutputError: Error, Hashable, Sendable {
  /// The sentence.
  public var message: String
  /// Whether the reader of a pipe is gone, which needs no message.
  public var isClosedPipe: Bool

  /// Creates an error from its sentence.
  public init(message: String, isClosedPipe: Bool = false) {
    self.message = message
    self.isClosedPipe = isClosedPipe
  }
}
