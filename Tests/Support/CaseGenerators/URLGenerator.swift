import ReferenceMatcher
internal import TestSupport

/// Generates URLs that a URL parser leaves unchanged, some of which patterns match.
struct URLGenerator {
  let names: Names
  let isURL: @Sendable (String) -> Bool

  // MARK: From patterns

  /// Returns a URL that a pattern probably matches.
  func url(for pattern: ReferencePattern, _ random: inout RandomSource) -> String {
    var text: [UInt8] = []
    guard emit(pattern.nodes, into: &text, &random) else { return url(&random) }
    return url(around: text, &random)
  }

  /// Returns a URL that differs slightly from one for a pattern.
  func nearMiss(for pattern: ReferencePattern, _ random: inout RandomSource) -> String {
    var text = Array(url(for: pattern, &random).utf8)
    for _ in 0...random.number(below: 2) {
      let place = random.number(below: text.count)
      switch random.number(below: 4) {
      case 0: text.remove(at: place)
      case 1: text.insert(random.pick(Array("abxA/.-1".utf8)), at: place)
      case 2: text[place] = random.pick(Array("abxB/.:?".utf8))
      default: text[place] ^= text[place] >= 64 ? 32 : 0
      }
      if text.isEmpty { return url(&random) }
    }
    return url(around: text, &random)
  }

  /// Walks through the pieces and emits a character for each; false if a set is empty.
  private func emit(
    _ nodes: [PatternNode],
    into text: inout [UInt8],
    _ random: inout RandomSource
  ) -> Bool {
    for node in nodes {
      let repetition =
        switch node {
        case .characters(_, let repetition), .group(_, let repetition): repetition
        }
      let least = repetition.allowsNone ? 0 : 1
      let most = repetition == .once ? 1 : repetition.allowsMany ? 3 : 1
      for _ in 0..<random.number(in: least...most) where text.count < 300 {
        switch node {
        case .group(let body, _):
          guard emit(body, into: &text, &random) else { return false }
        case .characters(let set, _):
          let members = set.members
          guard !members.isEmpty else { return false }
          let nice = "abx1".utf8.filter(set.contains)
          let plain = members.filter { 33 <= $0 && $0 < 127 }
          let choice = nice.isEmpty || random.chance(10) ? plain.isEmpty ? members : plain : nice
          let character = random.pick(choice)
          // Nothing stands behind the end.
          if character == 0 { return true }
          text.append(character)
        }
      }
    }
    return true
  }

  // MARK: Making a URL of a text

  /// The URL that a text nearly is, or else one that contains it.
  private func url(around text: [UInt8], _ random: inout RandomSource) -> String {
    let text = String(decoding: text, as: UTF8.self)
    var scheme = "http"
    var rest = text
    if let colon = text.firstIndex(of: ":"), Self.schemes.contains(text[..<colon].lowercased()) {
      scheme = text[..<colon].lowercased()
      rest = String(text[text.index(after: colon)...].drop { $0 == "/" })
    } else if let hostEnd = text.firstIndex(of: "/"), random.chance(30),
      text[..<hostEnd].contains(".")
    {
      scheme = random.pick(["http", "https"])
    } else {
      let host = random.pick(names.hosts)
      let front = random.pick(["/", "/", "/a/", "/x", "/?", "/a?b="])
      scheme = random.pick(["http", "https", "https", "ws", "ab"])
      rest = host + front + text
    }
    let host = rest.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
    let path = rest.dropFirst(host.count)
    let port = path.hasPrefix(":") ? ":8080" : ""
    let tail = path.hasPrefix(":") ? path.dropFirst().drop { $0.isNumber } : path
    let result = scheme + "://" + Self.cleanHost(host) + port + Self.cleanPath(tail)
    return isURL(result) ? result : url(&random)
  }

  private static let schemes = ["http", "https", "ws", "wss", "ab"]

  /// What `cleanHost` leaves at the end of a host.
  private static let topLevelDomains: Set = [
    "com", "org", "net", "test", "lan", "local", "home", "intranet", "localhost", "io", "uk",
  ]

  /// Lower-case letters, digits, hyphens and dots, under a top-level domain that is no number.
  static func cleanHost(_ text: some StringProtocol) -> String {
    let allowed = text.lowercased().utf8.filter {
      $0 == 0x2D || $0 == 0x2E || 0x30 <= $0 && $0 <= 0x39 || 0x61 <= $0 && $0 <= 0x7A
    }
    var labels = String(decoding: allowed, as: UTF8.self).split(separator: ".").map(String.init)
    // A label with two hyphens in third place would be taken for punycode.
    labels = labels.map { label in
      label.split(separator: "-", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset == 0 || !$0.element.isEmpty }.map { String($0.element) }
        .joined(separator: "-")
    }.filter { !$0.isEmpty }
    if labels.last.map(topLevelDomains.contains) != true {
      if labels.isEmpty { labels = ["x"] }
      labels.append("com")
    }
    return labels.joined(separator: ".")
  }

  /// A path and perhaps a query, without anything that a URL parser would rewrite.
  static func cleanPath(_ text: some StringProtocol) -> String {
    var result = text.hasPrefix("/") ? "" : "/"
    for byte in text.utf8.prefix(400) {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "~", "!", "$", "&", "(", ")", "*", "+",
        ",", ";", "=", ":", "@", "/", "?", "|", "[", "]":
        result.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    let path = result.prefix { $0 != "?" }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment == "." || segment == ".." ? segment + "x" : segment
    }
    return segments.joined(separator: "/") + result.dropFirst(path.count)
  }

  // MARK: From names

  /// Any URL of the case's hosts and words.
  func url(_ random: inout RandomSource) -> String {
    let scheme = random.pick(weighted: [
      (40, "http"), (40, "https"), (6, "ws"), (6, "wss"), (8, "ab"),
    ])
    let name = random.pick(names.hosts)
    let isAddress = isAddress(name)
    let host = random.pick(weighted: [
      (90, (random.chance(20) && !isAddress ? "www." : "") + name), (4, "10.0.0.9"),
      (3, "[::1]"), (3, name + (isAddress ? "" : ".")),
    ])
    let user = random.chance(4) ? "u@" : random.chance(3) ? "u:a@" : ""
    let port = random.chance(10) ? ":8080" : ""
    let words = (0..<random.number(in: 0...2)).map { _ in random.pick(names.words) }
    var path = "/" + words.joined(separator: random.pick(["/", "", "-"]))
    if random.chance(15) { path += "?a=" + random.pick(names.words) }
    let result = scheme + "://" + user + host + port + path
    return isURL(result) ? result : "http://a.com/"
  }

  /// Returns a URL that satisfies a domain entry, or almost does.
  func url(forDomain entry: String, _ random: inout RandomSource) -> String {
    var host = entry
    if host.hasPrefix("*") { host.removeFirst() }
    let colon = host.firstIndex(of: ":") ?? host.endIndex
    let port = host[colon...].drop { $0 == ":" }.allSatisfy(\.isNumber) ? host[colon...] : ""
    host = Self.cleanHost(host[..<colon])
    switch random.number(below: 10) {
    case 0..<2: host = "www." + host
    case 2: host = "x" + host
    case 3: return url(around: Array("http://b.com/?u=http://\(host)/".utf8), &random)
    case 4: return random.chance(50) ? "blob:https://\(host)/1" : "http://\(host)./"
    default: break
    }
    let result = random.pick(["http", "https"]) + "://" + host + port + random.pick(["/", "/a"])
    return isURL(result) ? result : url(&random)
  }
}
