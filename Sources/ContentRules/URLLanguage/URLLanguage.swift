package import Automata

/// The serialised URLs of some kind, as an automaton in which every state leads on to some URL.
///
/// It accepts slightly more than the URL standard's serialiser writes, and never less: what it
/// excludes, no load can have.
package struct URLLanguage {
  /// What leads from a state to another.
  package struct Edge {
    /// The symbols that are read.
    package var symbols: SymbolSet
    /// The number of the state behind them.
    package var target: Int
  }

  /// The edges of each state, of which the first is the start; the symbol 0 follows a URL's end.
  package private(set) var edges: [[Edge]] = [[]]

  /// The URLs that patterns are matched against.
  package struct Kind: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// http and https.
    package static let http = Kind(rawValue: 1)
    /// ws and wss.
    package static let webSocket = Kind(rawValue: 2)
    /// Fragments stay, as in top URLs and in those of popups.
    package static let fragments = Kind(rawValue: 4)
    /// Only http and ws without a port, which is what can be upgraded.
    package static let upgradable = Kind(rawValue: 8)
    /// With IP addresses and ports in any spelling.
    fileprivate static let loose = Kind(rawValue: 16)
  }

  private static let known = (0..<16).map { URLLanguage(Kind(rawValue: $0)) }
  private static let knownLoose = (0..<16).map { URLLanguage([Kind(rawValue: $0), .loose]) }

  /// The URLs of a kind.
  package static func urls(_ kind: Kind) -> URLLanguage { known[kind.rawValue] }

  /// Returns the URLs of a kind, and others with IP addresses and ports not in canonical form.
  static func looselyWritten(_ kind: Kind) -> URLLanguage { knownLoose[kind.rawValue] }

  /// URLs of other schemes that a load may have; what follows the colon may be anything.
  static let otherSchemes: URLLanguage = {
    var language = URLLanguage([])
    for scheme in [
      "about", "blob", "file", "ftp", "javascript", "chrome-extension", "moz-extension",
      "safari-extension",
      "safari-web-extension", "webkit-extension",
    ] {
      language.addOpaque(scheme)
    }
    return language
  }()

  /// Every URL that rules may see: web URLs with fragments, and those of any other scheme.
  package static let everything = withOtherSchemes([.http, .webSocket, .fragments])

  /// ``everything`` without the URLs of web sockets.
  package static let withoutWebSockets = withOtherSchemes([.http, .fragments])

  /// One URL alone.
  init(url: String) {
    var state = 0
    for byte in url.utf8 { state = step(from: state, SymbolSet(byte)) }
    addEnd(state)
  }

  private init(_ kind: Kind) {
    let isSecure = !kind.contains(.upgradable)
    let path = addPath(kind)
    if kind.contains(.http) {
      addWeb("http", port: "80", kind, path)
      if isSecure { addWeb("https", port: "443", kind, path) }
    }
    if kind.contains(.webSocket) {
      addWeb("ws", port: "80", kind, path)
      if isSecure { addWeb("wss", port: "443", kind, path) }
    }
  }

  // MARK: Building

  mutating func newState() -> Int {
    edges.append([])
    return edges.count - 1
  }

  mutating func link(_ state: Int, _ symbols: SymbolSet, _ target: Int) {
    edges[state].append(Edge(symbols: symbols, target: target))
  }

  mutating func step(from state: Int, _ symbols: SymbolSet) -> Int {
    let target = newState()
    link(state, symbols, target)
    return target
  }

  private mutating func addEnd(_ state: Int) { _ = step(from: state, SymbolSet(0)) }

  private mutating func addOpaque(_ scheme: String) {
    var state = 0
    for byte in scheme.utf8 { state = step(from: state, SymbolSet(byte)) }
    state = step(from: state, SymbolSet(":"))
    link(state, .printable, state)
    addEnd(state)
  }

  private static func withOtherSchemes(_ kind: Kind) -> URLLanguage {
    var language = urls(kind)
    language.addOtherSchemes()
    return language
  }

  /// Adds URLs of all schemes but those of the web; what follows the colon may be anything.
  private mutating func addOtherSchemes() {
    let tail = newState()
    link(tail, SymbolSet(low: ~0 << 32, high: ~0 >> 1), tail)
    addEnd(tail)
    let other = newState()
    link(other, .scheme, other)
    link(other, SymbolSet(":"), tail)
    let web = ["http", "https", "ws", "wss"]
    var states = ["": 0]
    // Shorter beginnings first, so that each finds the state of the one before it.
    for prefix in ["", "h", "ht", "htt", "http", "https", "w", "ws", "wss"] {
      let state = states[prefix] ?? newState()
      states[prefix] = state
      if let last = prefix.last, let before = states[String(prefix.dropLast())] {
        link(before, SymbolSet(String(last)), state)
      }
    }
    for (prefix, state) in states.sorted(by: { $0.key < $1.key }) {
      var others = prefix.isEmpty ? SymbolSet.schemeStart : SymbolSet.scheme
      for next in states.keys where next.count == prefix.count + 1 && next.hasPrefix(prefix) {
        if let symbol = next.utf8.last { others = others.subtracting(SymbolSet(symbol)) }
      }
      link(state, others, other)
      if !prefix.isEmpty, !web.contains(prefix) { link(state, SymbolSet(":"), tail) }
    }
  }

  private mutating func addWeb(_ scheme: String, port: String, _ kind: Kind, _ path: Int) {
    var start = 0
    for byte in (scheme + "://").utf8 { start = step(from: start, SymbolSet(byte)) }
    let user = newState()
    let behindUser = newState()
    link(user, .user, user)
    link(user, SymbolSet("@"), behindUser)
    link(start, .user, user)
    let isLoose = kind.contains(.loose)
    let hosts = addHosts(behind: [start, behindUser], isLoose: isLoose)
    let end = newState()
    for state in hosts { link(state, SymbolSet("/"), path) }
    guard !kind.contains(.upgradable) else { return }
    for state in hosts { link(state, SymbolSet(":"), end) }
    addPort(behind: end, except: port, isLoose: isLoose, path)
  }

  /// Adds ports; the default one is never written.
  private mutating func addPort(
    behind colon: Int,
    except port: String,
    isLoose: Bool,
    _ path: Int
  ) {
    let digits = SymbolSet("0123456789")
    let other = newState()
    link(other, digits, other)
    link(other, SymbolSet("/"), path)
    if isLoose {
      link(colon, digits, other)
      return
    }
    // A number does not begin with a zero unless it is 0.
    link(step(from: colon, SymbolSet("0")), SymbolSet("/"), path)
    var same = colon
    for (place, digit) in port.utf8.enumerated() {
      let others = place == 0 ? digits.subtracting(SymbolSet("0")) : digits
      link(same, others.subtracting(SymbolSet(digit)), other)
      same = step(from: same, SymbolSet(digit))
      if place + 1 < port.utf8.count { link(same, SymbolSet("/"), path) }
    }
    link(same, digits, other)
  }

  private mutating func addPath(_ kind: Kind) -> Int {
    let path = newState()
    let query = newState()
    link(path, .printable.subtracting(SymbolSet("?#\\")), path)
    link(path, SymbolSet("?"), query)
    link(query, .printable.subtracting(SymbolSet("#")), query)
    addEnd(path)
    addEnd(query)
    if kind.contains(.fragments) {
      let fragment = newState()
      link(path, SymbolSet("#"), fragment)
      link(query, SymbolSet("#"), fragment)
      link(fragment, .printable, fragment)
      addEnd(fragment)
    }
    return path
  }
}

extension URLLanguage {
  /// Whether some URL of the language is matched by a pattern.
  ///
  /// - Complexity: O(*n* · *m*) for *n* instructions and *m* states in the worst case; a pattern
  ///   that matches is usually found in as many steps as it has terms.
  func isMet(by pattern: NFA) -> Bool {
    let count = edges.count
    var seen = [Bool](repeating: false, count: pattern.instructions.count * count)
    var stack = [0]
    while let pair = stack.popLast() {
      guard !seen[pair] else { continue }
      seen[pair] = true
      let (instruction, state) = (pair / count, pair % count)
      switch pattern.instructions[instruction] {
      case .accept: return true
      case .jump(let target): stack.append(target * count + state)
      case .split(let target):
        stack.append(target * count + state)
        stack.append((instruction + 1) * count + state)
      case .consume(let symbols):
        for edge in edges[state] where edge.symbols.meets(symbols) {
          stack.append((instruction + 1) * count + edge.target)
        }
      }
    }
    return false
  }
}

extension SymbolSet {
  init(_ symbol: UInt8) {
    self.init(
      low: symbol < 64 ? 1 << UInt64(symbol) : 0,
      high: symbol < 64 ? 0 : 1 << UInt64(symbol - 64)
    )
  }

  init(_ characters: String) {
    self = characters.utf8.reduce(SymbolSet()) { set, byte in
      let one = SymbolSet(byte)
      return SymbolSet(low: set.low | one.low, high: set.high | one.high)
    }
  }

  /// All characters that can occur in a URL, and a few more.
  fileprivate static let printable = SymbolSet(low: ~0 << 33, high: ~0 >> 1)
  fileprivate static let schemeStart = SymbolSet("abcdefghijklmnopqrstuvwxyz")
  fileprivate static let scheme = SymbolSet("abcdefghijklmnopqrstuvwxyz0123456789+-.")
  fileprivate static let user = printable.subtracting(SymbolSet("/@?#[]\\"))
  static let host =
    printable.subtracting(SymbolSet("#%/:<>?@[\\]^|ABCDEFGHIJKLMNOPQRSTUVWXYZ"))

  func subtracting(_ other: SymbolSet) -> SymbolSet {
    SymbolSet(low: low & ~other.low, high: high & ~other.high)
  }

  fileprivate func meets(_ other: SymbolSet) -> Bool {
    low & other.low != 0 || high & other.high != 0
  }
}
