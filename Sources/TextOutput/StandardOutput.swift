internal import ContentRules
internal import Synchronization

/// The standard output of a program of which many parts write.
///
/// The first failure is kept, what follows it is dropped, and ``flush()`` reports it: a program
/// that calls it at its end, before it ends, never loses output and says that all is well.
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

  /// Writes JSON text and ends the line; what would falsify what is shown is escaped as JSON does it.
  public static func json(_ text: String) {
    write(bytes: Array((DisplayText.json(text) + "\n").utf8))
  }

  /// Writes bytes, which are data and nothing to be shown.
  public static func write(bytes: [UInt8]) {
    state.withLock { state in
      state.run { stream throws(OutputError) in
        try stream.write(bytes)
        if stream.isTerminal { try stream.flush() }
      }
    }
  }

  /// Hands out what was gathered, for whoever waits for it.
  ///
  /// - Returns: Why it, or anything before it, was not written; nil where all was.
  @discardableResult
  public static func flush() -> OutputError? {
    state.withLock { state in
      state.run { stream throws(OutputError) in try stream.flush() }
      return state.failure
    }
  }
}
