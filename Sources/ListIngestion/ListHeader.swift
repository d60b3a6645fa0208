/// What a filter list says of itself in its first comments.
///
///     ! Title: EasyList
///     ! Expires: 4 days (update frequency)
public struct ListHeader: Codable, Hashable, Sendable {
  /// The list's name.
  public var title: String?
  /// The address of its page.
  public var homepage: String?
  /// Its licence, mostly an address.
  public var licence: String?
  /// Its version.
  public var version: String?
  /// After how many seconds its author wants it to be fetched again, as written.
  public var expires: Double?

  /// How many bytes of a list are looked at.
  private static let sampledBytes = 1 << 16
  /// How many lines are looked at.
  private static let sampledLines = 200
  /// The longest value, in characters.
  private static let longestValue = 200

  /// Creates a header that says nothing.
  public init() {}

  /// Reads the comments at the start of a list; of two that say the same, the first counts.
  ///
  /// - Parameter text: The list's bytes, decompressed.
  /// - Complexity: Constant.
  public init(of text: [UInt8]) {
    let lines = text.prefix(Self.sampledBytes).split(
      maxSplits: Self.sampledLines,
      omittingEmptySubsequences: true,
      whereSeparator: { $0 == 0x0A || $0 == 0x0D }
    )
    for line in lines.prefix(Self.sampledLines) {
      guard let mark = line.first(where: { $0 > 0x20 && $0 < 0x80 }),
        mark == UInt8(ascii: "!") || mark == UInt8(ascii: "#"),
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      let name = Self.words(line[..<colon]).drop { "!# ".contains($0) }.lowercased()
      let value = Self.words(line[(colon + 1)...])
      guard !value.isEmpty else { continue }
      switch name {
      case "title": title = title ?? value
      case "homepage": homepage = homepage ?? value
      case "licence", "license": licence = licence ?? value
      case "version": version = version ?? value
      case "expires": expires = expires ?? Self.seconds(value)
      default: break
      }
    }
  }

  /// Returns the seconds of a text such as `4 days (update frequency)` or `12 hours`.
  ///
  /// A number alone means days, as in Adblock Plus.
  static func seconds(_ text: String) -> Double? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Double(digits), number > 0, digits.count < 8 else { return nil }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    if unit.hasPrefix("h") { return number * 3_600 }
    if unit.hasPrefix("min") { return number * 60 }
    return unit.isEmpty || unit.hasPrefix("d") || unit.hasPrefix("(") ? number * 86_400 : nil
  }

  /// Decodes a part of a line, trimmed and no longer than a value may be.
  private static func words(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes.prefix(4 * longestValue), as: UTF8.self)
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    guard let end else { return "" }
    return String(start[...end].prefix(longestValue))
  }
}
