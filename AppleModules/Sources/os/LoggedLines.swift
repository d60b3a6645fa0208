import ExtensionRuntime
import Synchronization

/// A line that this process logged.
package struct LoggedLine: Sendable {
  package let date: Date
  package let type: OSLogType
  package let subsystem: String
  package let category: String
  package let message: String
}

/// The latest lines that this process logged, for `OSLogStore`.
package enum LoggedLines {
  private static let most = 1_000
  private static let lines = Mutex<[LoggedLine]>([])

  /// All of them, the earliest first.
  package static var all: [LoggedLine] { lines.withLock { $0 } }

  static func add(_ line: LoggedLine) {
    lines.withLock { lines in
      // Half at once, so that each line does not move all others.
      if lines.count >= 2 * most { lines.removeFirst(most) }
      lines.append(line)
    }
  }
}
