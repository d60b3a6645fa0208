internal import ContentRules
internal import Synchronization

/// Standard error: messages to people, and the log of a service.
///
/// Nothing depends on it: a line that cannot be written is dropped and counted, and the next one
/// that can be is preceded by the count.
public enum StandardError {
  private struct State {
    var lostCount = 0
    var waits = true
  }

  private static let state = Mutex(State())
  /// The size up to which writes to a pipe are atomic.
  private static let pieceSize = 4_096

  /// The number of lost lines that were not reported yet.
  public static var lostCount: Int { state.withLock { $0.lostCount } }

  /// Drops lines instead of waiting for a reader that does not read, as a service must.
  public static func dropWhereFull() { state.withLock { $0.waits = false } }

  /// Writes a line, or counts it as lost.
  public static func line(_ text: OutputText) {
    state.withLock { state in
      let lost =
        state.lostCount == 0 ? "" : "(\(state.lostCount) lines before this could not be written)\n"
      if put(lost + text.text + "\n", waits: state.waits) {
        state.lostCount = 0
      } else {
        state.lostCount += 1
      }
    }
  }

  /// Writes text without an end of line, such as a question.
  public static func write(_ text: OutputText) {
    state.withLock { state in _ = put(text.text, waits: state.waits) }
  }

  private static func put(_ text: String, waits: Bool) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      guard waits || OutputDescriptor.isReady(2) else { return false }
      do throws(OutputError) {
        try OutputDescriptor.write(rest.prefix(pieceSize), to: 2, name: "standard error")
      } catch {
        return false
      }
      rest = rest.dropFirst(pieceSize)
    }
    return true
  }
}
