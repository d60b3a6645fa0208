/// The syntax that a filter list is written in.
///
/// Adblock Plus, AdGuard and uBlock Origin share most of it, and lists borrow from each other, so a
/// dialect decides only what the three read differently.
package enum FilterDialect: String, CaseIterable, Sendable {
  /// Adblock Plus.
  case abp
  /// AdGuard.
  case adguard
  /// uBlock Origin.
  case ubo
  /// A hosts file, or one domain a line.
  case hosts

  /// The name of the syntax, for people.
  package var name: String {
    switch self {
    case .abp: "Adblock Plus"
    case .adguard: "AdGuard"
    case .ubo: "uBlock Origin"
    case .hosts: "hosts"
    }
  }

  /// The names that are true in `!#if` when the list is read for Safari.
  var conditionNames: Set<String> {
    switch self {
    case .abp: ["env_safari", "ext_abp"]
    case .adguard: ["env_safari", "adguard", "adguard_ext_safari"]
    case .ubo: ["env_safari", "ext_ublock"]
    case .hosts: []
    }
  }

  /// How many lines are looked at to recognise a list.
  private static let sampledLines = 2_000

  /// Recognises the syntax of a list by its header and its first lines.
  ///
  /// - Parameter text: The list's bytes.
  /// - Returns: The dialect; `abp`, the common part of them, in doubt. `nil` for what is no filter
  ///   list: an array or object of JSON.
  /// - Complexity: O(*n*) for the first 2,000 lines.
  package static func recognize(_ text: [UInt8]) -> FilterDialect? {
    if isJSON(text) { return nil }
    var hosts = 0
    var filters = 0
    var count = 0
    var position = FilterText.start(of: text)
    while position < text.count, count < sampledLines {
      let end = FilterText.lineEnd(in: text, from: position)
      let line = FilterText.trim(text, position..<end)
      position = FilterText.nextLine(in: text, after: end)
      count += 1
      guard !line.isEmpty else { continue }
      let first = text[line.lowerBound]
      if first == UInt8(ascii: "[") {
        let head = String(decoding: text[line].prefix(24), as: UTF8.self).lowercased()
        if head.hasPrefix("[adguard") { return .adguard }
        if head.hasPrefix("[ublock") { return .ubo }
        if head.hasPrefix("[adblock") { return dialect(ofFilters: text) }
      }
      if first == UInt8(ascii: "!") {
        filters += 1
      } else if first == UInt8(ascii: "#"), !FilterText.isHidingMark(text, line) {
        hosts += 1
      } else if HostsLine.names(in: text, line) != nil {
        hosts += 1
      } else {
        filters += 1
      }
    }
    return hosts > filters ? .hosts : dialect(ofFilters: text)
  }

  /// Tells filters of the three apart by what only one of them has.
  private static func dialect(ofFilters text: [UInt8]) -> FilterDialect {
    var position = FilterText.start(of: text)
    var count = 0
    var bareNames = 0
    while position < text.count, count < 20 * sampledLines {
      let end = FilterText.lineEnd(in: text, from: position)
      let line = FilterText.trim(text, position..<end)
      position = FilterText.nextLine(in: text, after: end)
      count += 1
      guard line.count > 3 else { continue }
      if HostsLine.isBareName(text, line) { bareNames += 1 }
      if FilterText.contains(text, line, "#%#") || FilterText.contains(text, line, "!#safari_cb")
        || FilterText.starts(text, line, "!+ ")
      {
        return .adguard
      }
      if FilterText.contains(text, line, "##+js(") || FilterText.contains(text, line, "##^") {
        return .ubo
      }
    }
    // Names of hosts among filters mean the hosts, as they do in uBlock Origin alone.
    return bareNames >= 10 && 10 * bareNames >= count ? .ubo : .abp
  }

  private static func isJSON(_ text: [UInt8]) -> Bool {
    var bytes = text[FilterText.start(of: text)...].drop { $0 <= 0x20 }
    guard let first = bytes.popFirst() else { return false }
    guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return false }
    let next = bytes.first { $0 > 0x20 }
    return first == UInt8(ascii: "{")
      ? next == UInt8(ascii: "\"") || next == UInt8(ascii: "}")
      : next == UInt8(ascii: "{") || next == UInt8(ascii: "]")
  }
}
