/// Lists and URLs that are designed to be slow.
public enum HostileLists {
  /// Rules with patterns such as `qa.*wx.*zi`.
  ///
  /// - Parameters:
  ///   - count: How many rules to make.
  ///   - wordLength: The letters of each of the three words of a pattern.
  ///   - seed: Where the random numbers begin.
  /// - Returns: The list's text.
  public static func gaps(_ count: Int, wordLength: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    let letters = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
    return list(
      (0..<count).map { _ in
        (0..<3).map { _ in
          var word = ""
          for _ in 0..<wordLength { word.unicodeScalars.append(random.pick(letters)) }
          return word
        }.joined(separator: ".*")
      }
    )
  }

  /// Returns a rule that upgrades the loads of many domains.
  public static func domains(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    let names = Names(seed: seed)
    var text = "[{\"trigger\": {\"url-filter\": \"^http://\", \"if-domain\": ["
    for number in 0..<count {
      text += (number == 0 ? "\"*" : ", \"*") + names.domain(number) + "\""
    }
    text += "]}, \"action\": {\"type\": \"make-https\"}}]"
    return Array(text.utf8)
  }

  /// Returns a page of one of the domains.
  public static func page(ofDomain number: Int, seed: UInt64 = 1) -> [UInt8] {
    Array("http://www.\(Names(seed: seed).domain(number))/".utf8)
  }

  /// Returns rules with the same filter, `/ads/`, each for the pages of a domain of its own.
  public static func oneFilter(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    let names = Names(seed: seed)
    let rules = (0..<count).map {
      "{\"trigger\": {\"url-filter\": \"/ads/\", \"if-domain\": [\"*\(names.domain($0))\"]}, "
        + "\"action\": {\"type\": \"block\"}}"
    }
    return Array(("[" + rules.joined(separator: ",\n") + "]").utf8)
  }

  /// Groups in groups, each optional and repeated.
  public static func nesting(_ depth: Int) -> [UInt8] {
    list([
      "x" + String(repeating: "(a?", count: depth) + String(repeating: ")+", count: depth) + "y"
    ])
  }

  /// Returns nested brackets.
  public static func brackets(_ depth: Int) -> [UInt8] {
    Array("[{\"trigger\": ".utf8) + [UInt8](repeating: UInt8(ascii: "["), count: depth)
  }

  /// Returns patterns that each need a DFA of exponentially many states.
  public static func blowUps(_ count: Int, distance: Int) -> [UInt8] {
    list((0..<count).map { "a\($0).*b" + String(repeating: "[a-z]", count: distance) + "c" })
  }

  /// Returns patterns without text to look up.
  public static func unindexed(_ count: Int, length: Int) -> [UInt8] {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return list(
      (0..<count).map { number in
        let first = letters[number % letters.count]
        let second = letters[number / letters.count % letters.count]
        return String(repeating: "[\(first)\(second)0-9]", count: length)
          + String(number, radix: 2).map { $0 == "0" ? "[a-m]" : "[n-z]" }.joined()
      }
    )
  }

  /// Returns patterns with the same literal, which read on to the URL's end.
  public static func oneText(_ count: Int) -> [UInt8] {
    list((0..<count).map { "abcd.*[0-9]" + bits($0) })
  }

  /// Returns patterns with the same literal, which are tried at each of its occurrences.
  public static func oneTextOften(_ count: Int) -> [UInt8] {
    list((0..<count).map { "abcdabcd[a-m]" + bits($0) + "[0-9]" })
  }

  /// Returns patterns with the same host, which read on to the URL's end.
  public static func oneHost(_ count: Int) -> [UInt8] {
    list((0..<count).map { #"^https?://([^/]+\\.)?example\\.com/.*[0-9]"# + bits($0) })
  }

  /// Returns patterns that search for their ending behind each label of a host.
  public static func everyLabel(_ count: Int) -> [UInt8] {
    list((0..<count).map { #"^https?://([^/]+\\.)?abcd[a-m].*[0-9]"# + bits($0) })
  }

  /// Returns a URL that repeats a text for a number of bytes.
  public static func url(repeating text: String, bytes: Int, behind start: String) -> [UInt8] {
    var url = Array(start.utf8)
    while url.count < bytes { url += Array(text.utf8) }
    return url
  }

  /// A number as sets of letters.
  private static func bits(_ number: Int) -> String {
    String(number, radix: 2).map { $0 == "0" ? "[a-m]" : "[n-z]" }.joined()
  }

  /// Returns a URL of a given length, of the letters that ``gaps(_:wordLength:seed:)`` uses.
  public static func url(bytes: Int, seed: UInt64 = 2) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var url = Array("https://www.example.com/".utf8)
    while url.count < bytes {
      url.append(
        random.below(9) == 0 ? UInt8(ascii: "/") : UInt8(ascii: "a") + UInt8(random.below(26))
      )
    }
    return url
  }

  private static func list(_ patterns: [String]) -> [UInt8] {
    let rules = patterns.map {
      "{\"trigger\": {\"url-filter\": \"\($0)\"}, \"action\": {\"type\": \"block\"}}"
    }
    return Array(("[" + rules.joined(separator: ",\n") + "]").utf8)
  }
}
