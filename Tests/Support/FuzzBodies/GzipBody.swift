import CommandInput
import CommandOutput
import FuzzTargets

/// Decompresses gzip in pieces and as a whole, and decompresses what was compressed.
///
/// The first byte determines how the rest is split; the rest is gzip, or a text unless the second
/// byte begins gzip.
enum GzipBody: FuzzBody {
  static let name = "gzip"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let cut = reader.byte()
    let rest = reader.rest()
    let whole = try FuzzOutcome { try unfold([rest]) }
    let pieces = try FuzzOutcome { try unfold(rest.pieces(cut)) }
    switch (whole, pieces) {
    case (.value(let one), .value(let other)):
      try require(one == other, "gzip in pieces unfolds to something else")
      try require(
        one.count <= limits.freeBytes + rest.count * limits.ratio,
        "the limits are passed"
      )
    case (.refused, .refused): break
    default:
      throw FuzzFinding("gzip as a whole is \(whole), and in pieces \(pieces)")
    }
    guard let folded = Gzip.compressed(rest) else { throw FuzzFinding("zlib has no memory") }
    var generous = limits
    generous.freeBytes = 1 << 20
    let again = try FuzzOutcome { try unfold(folded.pieces(cut), generous) }
    try require(again.value == rest, "what was folded unfolds to something else")
  }

  private static let limits = {
    var limits = Inflater.Limits()
    limits.freeBytes = 4_096
    limits.ratio = 50
    return limits
  }()

  private static func unfold(
    _ pieces: [[UInt8]],
    _ limits: Inflater.Limits = limits
  ) throws(InputError) -> [UInt8] {
    let inflater = try Inflater(name: "input", limits: limits)
    var output: [UInt8] = []
    for piece in pieces where !piece.isEmpty {
      try inflater.append(piece)
      while let part = try inflater.next() { output += part }
    }
    try inflater.append([])
    return output
  }

  static var seeds: [[UInt8]] {
    let texts = [
      "", "hello\n", "[{\"trigger\":{\"url-filter\":\"a\"},\"action\":{\"type\":\"block\"}}]",
      String(repeating: "a", count: 5_000), String(repeating: "abcdefgh", count: 500),
      String(decoding: (0..<700).map { UInt8($0 * 37 % 95 + 32) }, as: UTF8.self),
    ]
    let members = texts.compactMap { Gzip.compressed(Array($0.utf8)) }
    return members.map { [1] + $0 }
      + [
        [2] + members[1] + members[2], [3] + members[1] + [0, 0, 0], [4] + members[1] + [1],
        [5] + members[2].dropLast(3), [6] + members[0] + members[0] + members[0] + members[1],
        [7] + Array("no gzip".utf8),
      ]
  }
}
