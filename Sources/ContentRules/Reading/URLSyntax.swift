/// A sound approximation of the URL standard's parser, as far as a rule list needs one.
///
/// It parses schemes, credentials, hosts, IPv4 and IPv6 addresses and ports, and accepts every
/// non-ASCII host.
///
/// > Source: URL Standard, "URL parsing" and "host parsing".
@usableFromInline
enum URLSyntax {
  /// Returns the scheme of a valid absolute URL in lower case; `nil` if it is not one.
  @usableFromInline
  static func scheme(of url: String) -> String? {
    var bytes = Array(url.utf8)[...]
    while let byte = bytes.first, byte <= 0x20 { bytes.removeFirst() }
    while let byte = bytes.last, byte <= 0x20 { bytes.removeLast() }
    var rest = bytes.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }[...]
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
      let scheme = canonicalScheme(rest[..<colon])
    else { return nil }
    rest = rest[(colon + 1)...]
    let isSpecial = ["http", "https", "ws", "wss", "ftp"].contains(scheme)
    func isSlash(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "/") || isSpecial && byte == UInt8(ascii: "\\")
    }
    if isSpecial {
      while let byte = rest.first, isSlash(byte) { rest.removeFirst() }
    } else {
      guard rest.starts(with: "//".utf8) else { return scheme }
      rest = rest.dropFirst(2)
    }
    let end = rest.firstIndex {
      isSlash($0) || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
    }
    var authority = rest[..<(end ?? rest.endIndex)]
    if scheme != "file", let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      authority = authority[(at + 1)...]
      if authority.isEmpty { return nil }
    }
    return isAuthority(authority, isSpecial: isSpecial, scheme: scheme) ? scheme : nil
  }

  /// Returns the scheme in lower case; `nil` if the bytes are not a scheme.
  static func canonicalScheme(_ bytes: some Sequence<UInt8>) -> String? {
    var scheme: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): scheme.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): scheme.append(byte | 0x20)
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        guard !scheme.isEmpty else { return nil }
        scheme.append(byte)
      default: return nil
      }
    }
    return scheme.isEmpty ? nil : String(decoding: scheme, as: UTF8.self)
  }

  private static func isAuthority(
    _ authority: ArraySlice<UInt8>,
    isSpecial: Bool,
    scheme: String
  ) -> Bool {
    var host = authority
    if authority.first == UInt8(ascii: "[") {
      guard let bracket = authority.firstIndex(of: UInt8(ascii: "]")),
        isIPv6(authority[(authority.startIndex + 1)..<bracket])
      else { return false }
      let rest = authority[(bracket + 1)...]
      guard !rest.isEmpty else { return true }
      return rest.first == UInt8(ascii: ":") && isPort(rest.dropFirst())
    }
    if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
      guard scheme != "file", isPort(authority[(colon + 1)...]) else { return false }
      host = authority[..<colon]
      guard !host.isEmpty else { return false }
    }
    guard isSpecial else { return !host.contains { isForbiddenInHost($0, isDomain: false) } }
    guard !host.isEmpty, let decoded = percentDecoded(host),
      !decoded.contains(where: { isForbiddenInHost($0, isDomain: true) })
    else { return false }
    return !endsInNumber(decoded) || isIPv4(decoded)
  }

  private static func percentDecoded(_ host: ArraySlice<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    var index = host.startIndex
    while index < host.endIndex {
      if host[index] == UInt8(ascii: "%"), index + 2 < host.endIndex,
        let high = JSONText.hexadecimalDigit(host[index + 1]),
        let low = JSONText.hexadecimalDigit(host[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(host[index])
        index += 1
      }
    }
    return decoded.isEmpty ? nil : decoded
  }

  private static func isForbiddenInHost(_ byte: UInt8, isDomain: Bool) -> Bool {
    switch byte {
    case 0x00, 0x09, 0x0A, 0x0D, 0x20: true
    case 0x01...0x1F, 0x7F, UInt8(ascii: "%"): isDomain
    default: "#/:<>?@[\\]^|".utf8.contains(byte)
    }
  }

  private static func isPort(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.isEmpty
      || digits.allSatisfy { $0.isDigit }
        && RuleReader.port(String(decoding: digits, as: UTF8.self)) != nil
  }

  private static func labels(_ host: [UInt8]) -> [ArraySlice<UInt8>] {
    var labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    return labels
  }

  private static func endsInNumber(_ host: [UInt8]) -> Bool {
    guard let last = labels(host).last, !last.isEmpty else { return false }
    return last.allSatisfy { $0.isDigit } || ipv4Number(last) != nil
  }

  private static func isIPv4(_ host: [UInt8]) -> Bool {
    let parts = labels(host)
    guard parts.count <= 4 else { return false }
    for (index, part) in parts.enumerated() {
      guard let number = ipv4Number(part) else { return false }
      let limit = index + 1 < parts.count ? 256 : UInt64(1) << UInt64(8 * (5 - parts.count))
      guard number < limit else { return false }
    }
    return true
  }

  /// Returns a number in decimal, in octal after `0`, or in hexadecimal after `0x`; at most 2³³.
  private static func ipv4Number(_ part: ArraySlice<UInt8>) -> UInt64? {
    var digits = part
    var radix: UInt64 = 10
    guard let first = digits.first else { return nil }
    if first == UInt8(ascii: "0"), digits.count > 1 {
      digits.removeFirst()
      radix = 8
      if let mark = digits.first, mark | 0x20 == UInt8(ascii: "x") {
        digits.removeFirst()
        radix = 16
      }
    }
    var number: UInt64 = 0
    for byte in digits {
      guard let digit = JSONText.hexadecimalDigit(byte), digit < radix else { return nil }
      number = min(number * radix + UInt64(digit), 1 << 33)
    }
    return number
  }

  private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
    var pieces = 0
    var isCompressed = false
    var index = text.startIndex
    if text.starts(with: "::".utf8) {
      isCompressed = true
      index += 2
    }
    while index < text.endIndex {
      guard pieces < 8 else { return false }
      if text[index] == UInt8(ascii: ":") {
        guard !isCompressed, pieces > 0 else { return false }
        isCompressed = true
        index += 1
        continue
      }
      let end = text[index...].firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
      let piece = text[index..<end]
      if piece.contains(UInt8(ascii: ".")) {
        let parts = piece.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isAddress =
          parts.count == 4
          && parts.allSatisfy { part in
            !part.isEmpty && part.count <= 3 && part.allSatisfy { $0.isDigit }
              && (part.count == 1 || part.first != UInt8(ascii: "0"))
              && (ipv4Number(part) ?? 256) < 256
          }
        guard isAddress, end == text.endIndex else { return false }
        pieces += 2
        break
      }
      guard piece.count <= 4,
        piece.allSatisfy({ JSONText.hexadecimalDigit($0) != nil })
      else { return false }
      pieces += 1
      index = end
      if index < text.endIndex {
        index += 1
        guard index < text.endIndex else { return false }
      }
    }
    return isCompressed ? pieces < 8 : pieces == 8
  }
}
