/// Recognising the syntax of a list by what stands in it.
extension FilterDialect {
  /// How many lines are looked at to tell hosts from filters.
  private static let sampledLines = 2_000

  /// Recognises the syntax of a list by its own lines.
  ///
  /// - Parameter text: The list's bytes.
  /// - Returns: The dialect; `abp`, the common part of them, in doubt. `nil` for what is no filter
  ///   list: an array or object of JSON.
  /// - Complexity: O(*n*)
  package static func recognize(_ text: [UInt8]) -> FilterDialect? {
    var none = NoIncludes()
    return recognize(text, name: "", including: &none)
  }

  /// Recognises the syntax of a list by its header, and by the first lines of it and of what it includes.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - name: The file's name.
  ///   - files: The list's folder. What is included counts whatever `!#if` says, as that depends on the
  ///     syntax.
  /// - Returns: The dialect; `abp`, the common part of them, in doubt. `nil` for what is no filter
  ///   list: an array or object of JSON.
  /// - Complexity: O(*n*) for the list and what it includes.
  package static func recognize(
    _ text: [UInt8],
    name: String,
    including files: inout some FilterIncluding
  ) -> FilterDialect? {
    if isJSON(text) { return nil }
    let texts = FilterCollectionReader.texts(of: text, name: name, including: &files)
    var hosts = 0
    var filters = 0
    var isFromHeader: FilterDialect?
    forEachLine(of: texts, limit: sampledLines) { number, text, line in
      guard !line.isEmpty else { return true }
      let first = text[line.lowerBound]
      if first == UInt8(ascii: "["), number == 0 {
        let head = FilterText.string(text, line.prefix(24)).lowercased()
        if head.hasPrefix("[adguard") { isFromHeader = .adguard }
        if head.hasPrefix("[ublock") { isFromHeader = .ubo }
        if head.hasPrefix("[adblock") { isFromHeader = dialect(ofFilters: texts) }
        if isFromHeader != nil { return false }
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
      return true
    }
    return isFromHeader ?? (hosts > filters ? .hosts : dialect(ofFilters: texts))
  }

  /// Tells filters of the three apart by what only one of them has, and by what the lists say of themselves.
  private static func dialect(ofFilters texts: [[UInt8]]) -> FilterDialect {
    var evidence = DialectEvidence()
    var count = 0
    var bareNames = 0
    forEachLine(of: texts, limit: 20 * sampledLines) { _, text, line in
      count += 1
      guard line.count > 3 else { return true }
      if HostsLine.isBareName(text, line) { bareNames += 1 }
      evidence.add(text, line)
      return true
    }
    // Names of hosts among filters mean the hosts, as they do in uBlock Origin alone.
    return evidence.dialect ?? (bareNames >= 10 && 10 * bareNames >= count ? .ubo : .abp)
  }

  /// Visits the first lines of some texts, without white space around them, until `visit` returns `false`.
  private static func forEachLine(
    of texts: [[UInt8]],
    limit: Int,
    visit: (_ number: Int, _ text: [UInt8], _ line: Range<Int>) -> Bool
  ) {
    var count = 0
    for (number, text) in texts.enumerated() {
      var position = FilterText.start(of: text)
      while position < text.count {
        guard count < limit else { return }
        count += 1
        let end = FilterText.lineEnd(in: text, from: position)
        guard visit(number, text, FilterText.trim(text, position..<end)) else { return }
        position = FilterText.nextLine(in: text, after: end)
      }
    }
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

/// Counts what in a list belongs to one blocker alone.
///
/// A line that only one of them reads counts once, and so does one of their names in an `!#if`. A title that
/// names one of them counts as ten, so that it decides about short lists, and not against what long ones have:
/// lists are also made for one blocker from those of another, and keep their titles.
struct DialectEvidence {
  private var adguard = 0
  private var ubo = 0
  private var abp = 0

  private static let weightOfTitle = 10

  /// The dialect that most speaks for; `nil` if nothing does, or as much for another.
  var dialect: FilterDialect? {
    let most = max(adguard, ubo, abp)
    let first = [(adguard, FilterDialect.adguard), (ubo, .ubo), (abp, .abp)].filter { $0.0 == most }
    return most > 0 && first.count == 1 ? first[0].1 : nil
  }

  /// Looks at a line.
  mutating func add(_ text: [UInt8], _ line: Range<Int>) {
    if text[line.lowerBound] == UInt8(ascii: "!") {
      if case .condition(let condition) = Directive(text, line) { addNames(text, condition) }
      if let title = Self.title(text, line) { addTitle(title) }
    }
    if FilterText.contains(text, line, "#%#") || FilterText.contains(text, line, "!#safari_cb")
      || FilterText.starts(text, line, "!+ ") || FilterText.starts(text, line, "[$")
    {
      adguard += 1
    } else if FilterText.contains(text, line, "##+js(") || FilterText.contains(text, line, "##^") {
      ubo += 1
    }
  }

  /// Counts the names in a condition; with `!` in front they say only that another blocker reads the list, too.
  private mutating func addNames(_ text: [UInt8], _ condition: Range<Int>) {
    for part in text[condition].split(whereSeparator: { " &|()".utf8.contains($0) }) {
      let name = String(decoding: part, as: UTF8.self).lowercased()
      if name.hasPrefix("adguard") {
        adguard += 1
      } else if name == "ext_ublock" || name == "ext_ubol" || name.hasPrefix("cap_") {
        ubo += 1
      } else if name == "ext_abp" {
        abp += 1
      }
    }
  }

  private mutating func addTitle(_ title: String) {
    let words = title.split { !$0.isLetter }
    let names = (
      title.contains("adguard"), title.contains("ublock") || words.contains("ubo"),
      title.contains("adblock plus") || words.contains("abp")
    )
    switch names {
    case (true, false, false): adguard += Self.weightOfTitle
    case (false, true, false): ubo += Self.weightOfTitle
    case (false, false, true): abp += Self.weightOfTitle
    default: break
    }
  }

  /// Returns what a comment has behind `Title:`, or `Title` with a language, in lower case.
  private static func title(_ text: [UInt8], _ line: Range<Int>) -> String? {
    let rest = FilterText.trim(text, line.dropFirst())
    guard rest.count < 1_024, rest.count > 5,
      FilterText.string(text, rest.prefix(5)).lowercased() == "title"
    else { return nil }
    let parts = FilterText.string(text, rest.dropFirst(5)).lowercased().split(
      separator: ":",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    return parts.count == 2 && parts[0].utf8.count <= 16 ? String(parts[1]) : nil
  }
}
