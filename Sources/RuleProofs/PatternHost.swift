internal import ContentRules

/// The host that a pattern is about, if it is written in one of the forms that converters use most.
///
///     ^[^:]+://+([^:/]+\.)?shop\.test[/:]   // shop.test and its subdomains
///     ^[htpsw]+://shop\.test[/:]            // shop.test alone
enum PatternHost {
  /// What such patterns begin with: between the slashes and the host at most something without colon or slash that
  /// ends in a full stop.
  private static let anchors = [
    #"^[^:]+://+([^:/]+\.)?"#, #"^[htpsw]+:\/\/([a-z0-9-]+\.)?"#, #"^[htpsw]+:\/\/"#,
    #"^[htpsw]+://"#, #"^https?://"#,
  ]

  /// Returns the host; `nil` for other patterns.
  ///
  /// Between the slashes and the next colon or slash, a URL that such a pattern matches has the
  /// host, or something that ends in a full stop and the host.
  static func host(of filter: URLFilter) -> [UInt8]? {
    guard let anchor = anchors.first(where: { filter.text.hasPrefix($0) }) else { return nil }
    var bytes = filter.text.utf8.dropFirst(anchor.utf8.count)
    var host: [UInt8] = []
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        switch bytes.popFirst() {
        case UInt8(ascii: "."): host.append(UInt8(ascii: "."))
        case UInt8(ascii: "/"): return host.isEmpty || isQuantifier(bytes.first) ? nil : host
        default: return nil
        }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        host.append(byte)
      case UInt8(ascii: "/"):
        return host.isEmpty || isQuantifier(bytes.first) ? nil : host
      case UInt8(ascii: "["):
        guard bytes.starts(with: "/:]".utf8) || bytes.starts(with: ":/]".utf8), !host.isEmpty,
          !isQuantifier(bytes.dropFirst(3).first)
        else { return nil }
        return host
      default: return nil
      }
    }
    return nil
  }

  private static func isQuantifier(_ byte: UInt8?) -> Bool {
    byte.map { "?*+{".utf8.contains($0) } ?? false
  }

  /// Whether no URL is about both hosts.
  static func areApart(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    !isWithin(first, second) && !isWithin(second, first)
  }

  private static func isWithin(_ host: [UInt8], _ parent: [UInt8]) -> Bool {
    host.count >= parent.count && host.suffix(parent.count).elementsEqual(parent)
      && (host.count == parent.count || host[host.count - parent.count - 1] == UInt8(ascii: "."))
  }
}
