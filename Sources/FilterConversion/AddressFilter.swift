internal import FilterLists
internal import WebURL

/// The pattern of a network filter as one of WebKit's.
struct AddressFilter {
  /// The pattern, for `url-filter`.
  var pattern: [UInt8]
  /// The host, if the filter names one and nothing else: `||host^`.
  var host: [UInt8]?
  /// The host, if the filter names one or the beginning of one, and nothing else: `||host`.
  var hostInFront: [UInt8]?
  /// The host, if the filter names all of one, whatever follows: `||host/path`, `|https://host/`.
  var namedHost: NamedHost?

  private enum Anchor { case none, start, host }

  /// `||`: any scheme, and any labels in front.
  static let hostAnchor = Array(#"^[^:]+://+([^:/]+\.)?"#.utf8)
  /// The start of the URL of one host alone, as hosts files mean it.
  static let exactAnchor = Array("^[htpsw]+://".utf8)
  /// What follows a host in every URL that has one.
  static let hostEnd = Array("[/:]".utf8)
  /// The most characters of a pattern; WebKit takes 16 times as many, and automata of such ones
  /// exceed the limits of compilers.
  static let longestPattern = 1 << 16
  /// The most separators at a filter's end that may each be the end of the URL.
  ///
  /// Each is a group in another one. More stand in front of them as they are.
  private static let deepestSeparators = 16
  /// What stands for everything.
  static let everything = Array(".*".utf8)

  /// Reads a pattern that is no regular expression.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - range: The pattern.
  ///   - isCaseSensitive: Whether letters match only themselves.
  ///   - anchorsHosts: Whether a host's name alone, or with `||` in front, means `||host^`.
  ///   - edges: Where it begins and ends with a word of the URL.
  /// - Returns: The pattern; `nil` if it names a host that no URL can have.
  /// - Throws: The reason if no URL can have what stands beside hosts.
  static func read(
    _ text: [UInt8],
    _ range: Range<Int>,
    isCaseSensitive: Bool,
    anchorsHosts: Bool = false,
    edges: WordEdges = .none
  ) throws(ConversionReason) -> AddressFilter? {
    var (index, end) = (range.lowerBound, range.upperBound)
    if anchorsHosts, let host = hostName(text, range) {
      return AddressFilter(
        pattern: hostPattern(host),
        host: host,
        hostInFront: host,
        namedHost: NamedHost(name: host, rest: hostEnd[...])
      )
    }
    var anchor = Anchor.none
    if FilterText.starts(text, range, "||") {
      anchor = .host
      index += 2
    } else if FilterText.starts(text, range, "|") {
      anchor = .start
      index += 1
    }
    var endsThere = false
    if end > index, text[end - 1] == UInt8(ascii: "|") {
      endsThere = true
      end -= 1
    }
    if end > index, text[end - 1] == UInt8(ascii: "*") { endsThere = false }
    while true {
      while end > index, text[end - 1] == UInt8(ascii: "*") { end -= 1 }
      // Behind `*` a separator may always be the end of the URL.
      guard !endsThere, FilterText.ends(text, index..<end, "*^") else { break }
      end -= 1
    }
    if index < end, text[index] == UInt8(ascii: "*"), anchor != .host {
      anchor = .none
      while index < end, text[index] == UInt8(ascii: "*") { index += 1 }
    }
    guard index < end else {
      // Behind a host's beginning there is more of the URL.
      if endsThere, anchor == .host { throw ConversionReason(.neverApplies) }
      return AddressFilter(pattern: everything, host: nil)
    }
    // A URL begins with a letter. WebKit would take the pattern, which may be empty, to match every URL.
    if anchor == .start, text[index] == UInt8(ascii: "^") { throw ConversionReason(.neverApplies) }
    var pattern: [UInt8] = []
    pattern.reserveCapacity(end - index + 40)
    var (host, hostInFront): ([UInt8]?, [UInt8]?)
    var hostSize: Int?
    var namedHost: NamedHost?
    switch anchor {
    case .none: if edges.begins { pattern.append(contentsOf: Self.noWordPart.utf8) }
    case .start:
      pattern.append(UInt8(ascii: "^"))
      let (hostEnd, name) = hostBehindScheme(text, index..<end)
      // Schemes and hosts have no capital letters in URLs.
      if isCaseSensitive, text[index..<hostEnd].contains(where: isCapital) {
        throw ConversionReason(.neverApplies)
      }
      namedHost = name.map { NamedHost(name: $0) }
    case .host:
      pattern.append(contentsOf: hostAnchor)
      var hostEnd = index
      while hostEnd < end, isHostPart(text[hostEnd]) { hostEnd += 1 }
      if isCaseSensitive, text[index..<hostEnd].contains(where: isCapital) {
        throw ConversionReason(.neverApplies)
      }
      guard let name = asciiHost(text[index..<hostEnd]) else { return nil }
      appendLiteral(name[...], to: &pattern)
      index = hostEnd
      if index < end, isWholeHost(name), "^/:".utf8.contains(text[index]) {
        namedHost = NamedHost(name: name)
        hostSize = pattern.count
      }
      if index < end, !name.isEmpty, text[index] == UInt8(ascii: "^") {
        pattern.append(contentsOf: Self.hostEnd)
        index += 1
        if index == end, !endsThere { host = name }
      } else if index + 1 == end, text[index] == UInt8(ascii: "/"), !endsThere {
        host = name
      } else if index == end, !endsThere {
        hostInFront = name
      }
    }
    append(text, index..<end, endsThere: endsThere, isCaseSensitive, to: &pattern)
    if edges.ends {
      pattern.append(contentsOf: "(\(Self.noWordPart)".utf8)
      pattern.append(contentsOf: everything)
      pattern.append(contentsOf: ")?$".utf8)
    }
    if let name = host, !isWholeHost(name) { host = nil }
    if let name = hostInFront, !isWholeHost(name) { hostInFront = nil }
    if let hostSize { namedHost?.rest = pattern[hostSize...] }
    return AddressFilter(
      pattern: pattern,
      host: host,
      hostInFront: hostInFront ?? host,
      namedHost: namedHost
    )
  }

  /// A character beside a word.
  private static let noWordPart = "[^%0-9a-z]"

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

  /// Appends the rest of a pattern: literals, `*` and `^`.
  private static func append(
    _ text: [UInt8],
    _ range: Range<Int>,
    endsThere: Bool,
    _ isCaseSensitive: Bool,
    to pattern: inout [UInt8]
  ) {
    // Characters that are no separators; letters match both cases unless told otherwise.
    let separator =
      isCaseSensitive ? #"[^a-zA-Z0-9_.%-]"# : #"[^a-z0-9_.%-]"#
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "*"):
        while index + 1 < range.upperBound, text[index + 1] == UInt8(ascii: "*") { index += 1 }
        pattern.append(contentsOf: everything)
      case UInt8(ascii: "^"):
        let count = range.upperBound - index
        guard count <= deepestSeparators,
          text[index..<range.upperBound].allSatisfy({ $0 == UInt8(ascii: "^") })
        else {
          pattern.append(contentsOf: separator.utf8)
          break
        }
        // Separators, or the end of the URL behind any of them.
        for _ in 0..<count { pattern.append(contentsOf: ("(" + separator).utf8) }
        if !endsThere { pattern.append(contentsOf: everything) }
        for _ in 0..<count { pattern.append(contentsOf: ")?".utf8) }
        pattern.append(UInt8(ascii: "$"))
        return
      default: appendLiteral(text[index...index], to: &pattern)
      }
      index += 1
    }
    if endsThere { pattern.append(UInt8(ascii: "$")) }
  }

  /// Appends text that stands for itself, as URLs spell it.
  static func appendLiteral(_ text: ArraySlice<UInt8>, to pattern: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "$"), UInt8(ascii: "."),
        UInt8(ascii: "|"), UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "+"),
        UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "{"), UInt8(ascii: "}"):
        pattern.append(UInt8(ascii: "\\"))
        pattern.append(byte)
      case 0...0x20, 0x22, 0x3C, 0x3E, 0x7F...:
        let digits = Array("0123456789ABCDEF".utf8)
        pattern.append(UInt8(ascii: "%"))
        pattern.append(digits[Int(byte >> 4)])
        pattern.append(digits[Int(byte & 15)])
      default: pattern.append(byte)
      }
    }
  }

  /// Returns the name of a host that stands alone or behind `||`, if it is one.
  static func hostName(_ text: [UInt8], _ range: Range<Int>) -> [UInt8]? {
    let start = range.lowerBound + (FilterText.starts(text, range, "||") ? 2 : 0)
    guard let host = asciiHost(text[start..<range.upperBound]), isHostName(host) else { return nil }
    return host
  }

  /// Whether a text is the name of a host as uBlock Origin recognises one without an anchor.
  private static func isHostName(_ name: [UInt8]) -> Bool {
    func isAlphanumeric(_ byte: UInt8?) -> Bool {
      byte.map { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) } ?? false
    }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let last = labels.last, last.count > 1, isAlphanumeric(last.last),
      !last.contains(UInt8(ascii: "_"))
    else { return false }
    return labels.allSatisfy { label in
      isAlphanumeric(label.first)
        && label.allSatisfy {
          isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
  }

  /// Returns the pattern of all URLs of a host, with ``hostAnchor`` of those below it, too.
  static func hostPattern(_ host: [UInt8], anchor: [UInt8] = hostAnchor) -> [UInt8] {
    var pattern = anchor
    appendLiteral(host[...], to: &pattern)
    return pattern + hostEnd
  }

  static func isHostPart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
      || byte == 0x2E || byte == 0x5F || byte >= 0x80
  }

  /// Whether a name is that of a host, and not the beginning or the end of one.
  static func isWholeHost(_ name: [UInt8]) -> Bool {
    !name.isEmpty && name.first != UInt8(ascii: ".") && name.last != UInt8(ascii: ".")
  }

  /// Returns a name as URLs have it: in lower case, and in Punycode.
  ///
  /// - Parameter name: A host's name, or a part of one, in UTF-8.
  /// - Returns: The name; `nil` if no host can have it.
  static func asciiHost(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    if name.allSatisfy({ $0 < 0x80 }) {
      return name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
    guard let text = String(validating: name, as: UTF8.self), name.count <= 1_024 else {
      return nil
    }
    // Names that begin or end in a dot are parts of names; the dot is no part of the URL's host.
    let startsWithDot = name.first == UInt8(ascii: ".")
    let endsWithDot = name.last == UInt8(ascii: ".")
    guard
      let host = WebURL("https://" + text.drop { $0 == "." } + "/")?.host
    else { return nil }
    var ascii = Array(host.utf8)
    if endsWithDot, ascii.last != UInt8(ascii: ".") { ascii.append(UInt8(ascii: ".")) }
    return (startsWithDot ? [UInt8(ascii: ".")] : []) + ascii
  }
}
