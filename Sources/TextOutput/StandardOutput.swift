internal import ContentRules
internal import Synchronization

/// The standard output of a program, shared by its many parts.
///
/// Keeps the first failure, drops what follows, and reports it by ``flush()``: a program that
/// flushes before it ends never loses output silently.
public enum StandardOutput {
  private struct State: ~Copyable {
    var stream = OutputStream.standardOutput()
    var failure: OutputError?

    mutating func run(_ body: (inout OutputStream) throws(OutputError) -> Void) {
      guard failure == nil else { return }
      do throws(OutputError) { try body(&stream) } catch { failure = error }
    }
  }

  private static let state = Mutex(State())

  /// Writes text and ends the line.
  public static func line(_ text: OutputText) { write("\(text)\n") }

  /// Writes text.
  public static func write(_ text: OutputText) { write(bytes: Array(text.text.utf8)) }

  /// Writes JSON text and ends the line; escapes characters that could deceive.
  public static func json(_ text: String) {
    write(bytes: Array((DisplayText.json(text) + "\n").utf8))
  }

  /// Writes bytes, which are data and not for display.
  public static func write(bytes: [UInt8]) {
    state.withLock { state in
      state.run { stream throws(OutputError) in
        try stream.write(bytes)
        if stream.isTerminal { try stream.flush() }
      }
    }
  }

  /// Flushes the buffer.
  ///
  /// - Returns: The first failure so far; `nil` if all was written.
  @discardableResult
  public static func flush() -> OutputError? {
    state.withLock { state in
      state.run { stream throws(OutputError) in try stream.flush() }
      return state.failure
    }
  }
}
