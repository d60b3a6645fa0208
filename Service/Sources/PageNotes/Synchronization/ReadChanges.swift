package import Foundation

/// What the bytes of a change file come to, with every line written again.
///
/// For what judges the reader from outside: fuzzers, and the tests that replay their findings.
package struct ReadChanges: Equatable, Sendable {
  /// The lines that were taken in, written again.
  package var lines: [Data] = []
  /// How many lines were damaged.
  package var damaged = 0
  /// How many lines were a newer version's.
  package var newer = 0

  /// Takes lines.
  package init(lines: [Data]) { self.lines = lines }

  /// Reads bytes as a change file's.
  package init(_ bytes: Data) throws {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let change: ChangeLine
      do throws(ChangeLine.Fault) {
        change = try ChangeLine(Data(line))
      } catch {
        switch error {
        case .damaged: damaged += 1
        case .newer: newer += 1
        }
        continue
      }
      lines.append(try change.data())
    }
  }
}
