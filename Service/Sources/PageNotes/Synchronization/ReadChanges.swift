package import Foundation

/// Decodes the bytes of change files, and encodes every accepted line again.
///
/// For tests of the decoder from outside: fuzzers, and the tests that replay their findings.
package struct ReadChanges: Equatable, Sendable {
  /// The accepted lines, encoded again.
  package var lines: [Data] = []
  /// How many lines say what no device writes.
  package var damaged = 0
  /// How many lines could be opened although nobody had sealed them.
  package var forged = 0
  /// How many lines an older version, which sealed nothing, could have written.
  package var unsigned = 0

  /// Creates a result.
  package init(lines: [Data]) { self.lines = lines }

  /// Decodes each line three times: as written by a device that has the key, as found in the
  /// folder, and as written by an older version.
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
