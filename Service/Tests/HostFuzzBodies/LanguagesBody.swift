import FuzzTargets
import PageTexts

/// Parses what a browser, or whoever pretends to be one, says about languages.
enum LanguagesBody: FuzzBody {
  static let name = "languages"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let header = input.text
    let accepted = AcceptedLanguages(header)
    let all = accepted.ranges + accepted.refused
    try require(all.count <= 32, "\(all.count) ranges are read")
    for range in all {
      try require(range.utf8.count <= 64, "\(range) is too long")
      try require(
        range == "*"
          || range.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) },
        "\(range) is no range of languages"
      )
    }
    let match = accepted.match()
    try require(match.locale.hasPrefix(match.language.tag), "\(match) do not belong together")
    try require(match.locale.utf8.count <= 10, "\(match.locale) has more than a region")
    // What was read says the same again.
    let again = AcceptedLanguages(accepted.ranges.joined(separator: ","))
    try require(again.ranges == accepted.ranges, "\(header) is read in two ways")
    let chosen = accepted.match(chosen: .arabic)
    try require(chosen.language == .arabic, "a choice does not count")
  }

  static var seeds: [[UInt8]] {
    [
      "de-AT,de;q=0.9,en;q=0.8", "*", "ar;q=0,*;q=0.001", "ja-Jpan-JP-u-ca-japanese;q=1.000", "",
      ",;=-", "en-GB-oed, i-klingon ;q=0.5\t,x-a",
      "de;q=0", "en-US", "zh-Hant-TW;q=0.3,ja;q=0.300,*;q=0.1", "a;q=1.001,b;q=2,c;q=,d;q",
    ].map { Array($0.utf8) }
  }
}
