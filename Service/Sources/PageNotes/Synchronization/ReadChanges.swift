package import Foundation

/// What the bytes of change files come to, with every line that is taken in written again.
///
/// For what judges the reader from outside: fuzzers, and the tests that replay their findings.
package struct ReadChanges: Equatable, Sendable {
  /// What the lines that were taken in say, written again.
  package var lines: [Data] = []
  /// How many lines say what no device writes.
  package var damaged = 0
  /// How many lines could be opened that nobody had sealed.
  package var forged = 0
  /// How many lines an earlier version, which sealed nothing, could have written.
  package var unsigned = 0

  /// Takes lines.
  package init(lines: [Data]) { self.lines = lines }

  /// Reads each line as what a device that has the key said, as what stands in the folder, and as
  /// what an earlier version wrote.
  package init(_ bytes: Data) throws {
    let key = SyncKey()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if (try? key.open(Data(line))) != nil { forged += 1 }
      if LegacyState.line(Data(line)) != nil { unsigned += 1 }
      guard let change = try? ChangeLine(key.seal(Data(line)).dropLast(), key) else {
        damaged += 1
        continue
      }
      lines.append(try key.open(change.data(key).dropLast()) + [UInt8(ascii: "\n")])
    }
  }
}
