/// Checks entries of `if-domain` and `unless-domain` by their spelling.
///
/// > Source: the rule language, sections 2.1, 6.4 and 10.
enum DomainEntry {
  /// A finding about an entry, with its bytes.
  struct Finding {
    enum Kind {
      /// WebKit refuses the list.
      case upperCase, nonASCII
      case port
      case unmatchable(String, hint: String?)
      case suspicious(String, hint: String?)
    }

    var kind: Kind
    var range: Range<Int>
  }

  /// Entries of so many bytes may make a pattern that is too long.
  private static let tooLong = 100_000

  /// Whether an entry consists of letters, digits, dots and hyphens, possibly behind a `*`, and is
  /// not longer than a pattern may be.
  static func isPlain(_ entry: Span<UInt8>) -> Bool {
    guard entry.count < tooLong else { return false }
    for index in entry.indices {
      switch entry[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"):
        break
      case UInt8(ascii: "*") where index == 0: break
      default: return false
      }
    }
    return true
  }

  /// Whether an entry is plain, and has single dots with other characters on both sides, apart from the `*`; nothing
  /// is to be said of such an entry.
  static func isOrdinary(_ entry: Span<UInt8>) -> Bool {
    guard entry.count < tooLong else { return false }
    // At a label's start, where neither a dot nor the end may follow.
    var isBeginning = true
    for index in entry.indices {
      switch entry[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        isBeginning = false
      case UInt8(ascii: ".") where !isBeginning: isBeginning = true
      case UInt8(ascii: "*") where index == 0: break
      default: return false
      }
    }
    return !isBeginning
  }

  /// Whether WebKit accepts the entry as a domain.
  static func isLowerCaseASCII(_ entry: Span<UInt8>) -> Bool {
    for index in entry.indices
    where entry[index] >= 0x80 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= entry[index] {
      return false
    }
    return true
  }

  /// Returns the first finding about a non-empty entry, errors first.
  ///
  /// `isExcluded` says that the entry is in `unless-domain`.
  static func finding(_ entry: Span<UInt8>, isExcluded: Bool) -> Finding? {
    var isPlain = true
    for index in entry.indices {
      switch entry[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"):
        break
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        return Finding(kind: .upperCase, range: index..<index + 1)
      case 0x80...:
        return Finding(
          kind: .nonASCII,
          range: index..<index + max(1, entry.lengthOfCharacter(at: index))
        )
      default:
        isPlain = false
      }
    }
    return dotFinding(entry) ?? (isPlain ? nil : characterFinding(entry, isExcluded: isExcluded))
  }

  /// Checks the dots, and the star at either end.
  private static func dotFinding(_ entry: Span<UInt8>) -> Finding? {
    let last = entry.count - 1
    let isWildcard = entry[0] == UInt8(ascii: "*")
    if isWildcard, last == 0 {
      return Finding(
        kind: .unmatchable("the entry * matches practically no page", hint: "leave the key out"),
        range: 0..<1
      )
    }
    if isWildcard, entry[1] == UInt8(ascii: ".") {
      return Finding(
        kind: .unmatchable(
          "a domain that begins with *. matches no page",
          hint: wildcard(entry, from: 2).map {
            "write \($0), which is the domain and all its subdomains"
          } ?? "leave it out"
        ),
        range: 0..<2
      )
    }
    if entry[0] == UInt8(ascii: ".") {
      return Finding(
        kind: .unmatchable(
          "a domain that begins with a dot matches no page",
          hint: wildcard(entry, from: 1).map {
            "write \($0) for the domain and all its subdomains"
          } ?? "leave it out"
        ),
        range: 0..<1
      )
    }
    for index in entry.indices.dropLast() where entry.matches("..", at: index) {
      return Finding(
        kind: .unmatchable("no host has two dots in a row", hint: "remove one"),
        range: index..<index + 2
      )
    }
    if entry[last] == UInt8(ascii: "."), last > 0 {
      return Finding(
        kind: .suspicious(
          "a domain that ends in a dot matches only pages whose URL has the dot as well",
          hint: "remove the dot"
        ),
        range: last..<last + 1
      )
    }
    return nil
  }

  /// Checks for characters that no domain contains.
  private static func characterFinding(
    _ entry: Span<UInt8>,
    isExcluded: Bool
  ) -> Finding? {
    for index in entry.indices where entry.matches("://", at: index) {
      return Finding(
        kind: .unmatchable(
          "an entry is a domain, not a URL: with a scheme it matches practically no page",
          hint: "write the domain alone"
        ),
        range: 0..<index + 3
      )
    }
    var port: Int?
    for index in entry.indices {
      let range = index..<index + 1
      switch entry[index] {
      case UInt8(ascii: "*") where index > 0:
        return Finding(
          kind: .unmatchable(
            "'*' stands for anything only at the front of a domain",
            hint: nil
          ),
          range: range
        )
      case UInt8(ascii: "["):
        return Finding(
          kind: .unmatchable("WebKit never matches an IPv6 address in a domain entry", hint: nil),
          range: range
        )
      case UInt8(ascii: "/"):
        return Finding(
          kind: .suspicious(
            "with a path the entry matches only URLs in which '/' or ':' follows it",
            hint: "write the domain alone, or use if-top-url"
          ),
          range: index..<entry.count
        )
      case UInt8(ascii: "~") where index == 0:
        return Finding(
          kind: .unmatchable(
            "'~' is a character of the entry here, and no domain has it",
            hint: isExcluded
              ? "leave '~' out: the rule is for pages of other domains as it is"
              : "for pages of other domains write the domain into unless-domain"
          ),
          range: range
        )
      case UInt8(ascii: "@"):
        return Finding(
          kind: .unmatchable(
            "with '@' the entry matches only pages whose URL holds that user name",
            hint: "write the domain alone"
          ),
          range: 0..<index + 1
        )
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        return Finding(
          kind: .unmatchable(
            "no domain has \(entry.glimpse(at: index)) in it",
            hint: "write one entry each"
          ),
          range: range
        )
      case UInt8(ascii: "+"), UInt8(ascii: "("), UInt8(ascii: ")"):
        return Finding(
          kind: .suspicious(
            "\(entry.glimpse(at: index)) is read as in a pattern here",
            hint: nil
          ),
          range: range
        )
      case UInt8(ascii: "^"), UInt8(ascii: "|"), 0:
        // The pattern check refuses the list for these.
        return nil
      case 1...0x20, 0x7F, UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "<"),
        UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "\\"), UInt8(ascii: "]"),
        UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "\""), UInt8(ascii: "'"),
        UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "`"), UInt8(ascii: "$"):
        return Finding(
          kind: .unmatchable(
            "no domain has \(entry.glimpse(at: index)) in it",
            hint: nil
          ),
          range: range
        )
      case UInt8(ascii: ":"):
        port = port ?? index
      default: break
      }
    }
    return port.map { portFinding(entry, colon: $0) }
  }

  /// Says which pages have a port in their URL.
  private static func portFinding(_ entry: Span<UInt8>, colon: Int) -> Finding {
    let range = colon..<entry.count
    let port = text(entry, from: colon + 1)
    let host = entry.excerpt(0..<colon)
    guard let number = UInt16(port), port == "\(number)" else {
      return Finding(
        kind: .unmatchable(
          "no page has this port: it is a number up to 65535 without leading zeros",
          hint: "write \(host)"
        ),
        range: range
      )
    }
    guard number == 80 || number == 443 else { return Finding(kind: .port, range: range) }
    let (own, other) = number == 80 ? ("http", "https") : ("https", "http")
    return Finding(
      kind: .suspicious(
        "\(number) is the default port of \(own), which is never in a URL: the entry matches only"
          + " \(other) pages on port \(number)",
        hint: "write \(host)"
      ),
      range: range
    )
  }

  /// Returns the entry behind a star, if it is valid.
  private static func wildcard(_ entry: Span<UInt8>, from start: Int) -> String? {
    let rest = "*" + text(entry, from: start)
    return rest != "*" && finding(rest.utf8Span.span, isExcluded: false) == nil ? rest : nil
  }

  private static func text(_ entry: Span<UInt8>, from start: Int) -> String {
    entry.excerpt(start..<entry.count)
  }
}
