import CommandInput
import FuzzTargets

/// Reads the map of a converted list; the lines of all rules must be those of its files.
///
/// The first byte determines what surrounds the rest: a whole map for 0, else its lines.
enum SourceMapBody: FuzzBody {
  static let name = "source-map"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let isWhole = reader.byte() % 2 == 0
    let rest = reader.rest()
    let text =
      isWhole
      ? rest
      : Array(#"{"version":1,"sources":["a.txt","b.txt"],"rules":9,"lines":["#.utf8) + rest
        + Array("]}".utf8)
    let map: SourceMap
    do throws(InputError) { map = try SourceMap(text, name: "map") } catch {
      return try require(error.message.hasPrefix("map:"), "\(error.message) has no place")
    }
    // A map may announce many more rules than it has lines.
    for rule in 0..<min(map.ruleCount, 1_000) {
      for line in map.lines(ofRule: rule) {
        try require(
          map.files.indices.contains(line.file) && line.line > 0,
          "rule \(rule) comes from line \(line.line) of file \(line.file)"
        )
      }
    }
    try require(
      map.lines(ofRule: -1).isEmpty && map.lines(ofRule: map.ruleCount).isEmpty,
      "a rule that the list does not have comes from a line"
    )
  }

  static var seeds: [[UInt8]] {
    let line = #"{"file":"a.txt","line":2,"outcome":"converted","rules":[2,0],"reason":null}"#
    let other = #"{"file":"b.txt","line":7,"outcome":"converted","rules":[0],"reason":null}"#
    return [
      [0] + Array(#"{"version":1,"sources":["a.txt"],"rules":3,"lines":[\#(line)]}"#.utf8),
      [0] + Array(#"{"version":1,"sources":[],"rules":0,"lines":[]}"#.utf8),
      [1] + Array("\(line),\(other)".utf8), [1] + Array(other.utf8), [1], [0],
      [0] + Array("[]".utf8), [0] + Array(#"{"version":2}"#.utf8), [1] + Array("{}".utf8),
      [1] + Array(#"{"file":"a.txt","line":0,"rules":[]}"#.utf8),
      [1] + Array(#"{"file":"c.txt","line":1,"rules":[9]}"#.utf8),
    ]
  }
}
