/// The hosts of a domain with `.*` without some of its endings, as patterns of the top URL.
///
/// As in ``HostExclusion``, the complement is written as the ways in which an ending differs from all that are
/// excluded:
///
///     a.* but not a.de:   a.…[^d]…   a.d   a.d[^e]…   a.de with more letters   a.co.uk and the like
struct WildcardExclusion {
  private let start: [UInt8]
  private var patterns: [[UInt8]] = []

  /// Returns the patterns for a domain with `.*` and what is below it, without some endings.
  ///
  /// - Parameters:
  ///   - name: The domain without `.*`.
  ///   - excluded: The names that are left out, with all below them.
  /// - Returns: The patterns; `nil` if one of the names is not the domain with an ending, or there would be too
  ///   many.
  static func patterns(name: [UInt8], without excluded: [[UInt8]]) -> [[UInt8]]? {
    let dot = UInt8(ascii: ".")
    let labels = name.split(separator: dot, omittingEmptySubsequences: false)
    guard let last = labels.last else { return nil }
    var single: [[UInt8]] = []
    var double: [[UInt8]] = []
    for other in excluded {
      guard other.starts(with: name + [dot]) else { return nil }
      let ending = Array(other.dropFirst(name.count + 1))
      switch ending.count(where: { $0 == dot }) {
      case 0:
        single.append(ending)
        // Of `abc.*` without `abc.de`, `abc.abc.de` is left out, too.
        if labels.allSatisfy({ $0 == last }) { double.append(last + [dot] + ending) }
      case 1:
        // `co.co.uk` is `co.*` with `uk` as well.
        guard !ending.starts(with: last + [dot]) else { return nil }
        double.append(ending)
      default: return nil
      }
    }
    var start = AddressFilter.hostAnchor
    AddressFilter.appendLiteral((name + [dot])[...], to: &start)
    var exclusion = WildcardExclusion(start: start)
    exclusion.addSingle(without: single)
    exclusion.addDouble(without: double.filter(isCountrySuffix))
    return exclusion.patterns.count <= HostExclusion.maximumPatterns ? exclusion.patterns : nil
  }

  private init(start: [UInt8]) { self.start = start }

  /// Whether an ending is one that `.*` stands for beside single labels: two or three letters, and two.
  private static func isCountrySuffix(_ ending: [UInt8]) -> Bool {
    let labels = ending.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count == 2 && (2...3).contains(labels[0].count) && labels[1].count == 2
      && labels.joined().allSatisfy { (0x61...0x7A).contains($0) }
  }

  /// Adds the endings of one label.
  private mutating func addSingle(without words: [[UInt8]]) {
    for (prefix, next) in Self.branches(words) {
      add(
        prefix,
        "[^.:/",
        next.sorted { a, b in b == 0x2D && a != b || a != 0x2D && a < b },
        "][^.:/]*[:/]"
      )
      if !prefix.isEmpty, !words.contains(prefix) { add(prefix, "", [], "[:/]") }
    }
  }

  /// Adds the endings of two labels, of which the last is a country.
  private mutating func addDouble(without words: [[UInt8]]) {
    let dot = UInt8(ascii: ".")
    for (prefix, next) in Self.branches(words) where !words.contains(prefix) {
      let country = prefix.firstIndex(of: dot).map { prefix.count - $0 - 1 }
      let rest =
        switch (country, prefix.count) {
        case (0, _): "][a-z][:/]"
        case (1, _): "][:/]"
        case (_, 0): #"][a-z][a-z]?\.[a-z][a-z][:/]"#
        case (_, 1): #"][a-z]?\.[a-z][a-z][:/]"#
        default: #"]\.[a-z][a-z][:/]"#
        }
      if country != nil || prefix.count < 3 {
        let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).filter { !next.contains($0) }
        if !letters.isEmpty { add(prefix, "[", letters, rest) }
      }
      if country == nil, prefix.count > 1, !next.contains(dot) {
        add(prefix, "", [], #"\.[a-z][a-z][:/]"#)
      }
    }
  }

  private mutating func add(_ prefix: [UInt8], _ open: String, _ set: [UInt8], _ rest: String) {
    // More are not looked at.
    guard patterns.count <= HostExclusion.maximumPatterns else { return }
    var pattern = start
    AddressFilter.appendLiteral(prefix[...], to: &pattern)
    patterns.append(pattern + Array(open.utf8) + set + Array(rest.utf8))
  }

  /// Returns all beginnings of some words, the words among them, and the bytes that follow each.
  private static func branches(_ words: [[UInt8]]) -> [([UInt8], next: Set<UInt8>)] {
    var found: [[UInt8]: Set<UInt8>] = [[]: []]
    for word in words {
      for (index, byte) in word.enumerated() {
        found[Array(word[..<index]), default: []].insert(byte)
      }
      found[word, default: []] = found[word] ?? []
    }
    return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }
}
