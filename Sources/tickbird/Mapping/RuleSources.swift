internal import CommandInput
internal import CommandOutput

/// The filters that the rules of lists were converted from, by the maps that `--map` names.
struct RuleSources {
  /// The help of `--map`.
  static let help =
    "The map that tickbird convert wrote with the list, to name the filters that rules come from; "
    + "with several lists, one for each in their order."

  private let maps: [SourceMap]
  private let texts: [MappedFilters]

  /// No maps: rules come from nowhere else.
  static var none: RuleSources { RuleSources(maps: [], texts: []) }

  private init(maps: [SourceMap], texts: [MappedFilters]) {
    self.maps = maps
    self.texts = texts
  }

  /// Reads maps.
  ///
  /// - Parameters:
  ///   - paths: The maps' files, in the order of the lists; lists beyond them have none.
  ///   - lists: The names of the lists, and their numbers of rules.
  /// - Throws: ``InputError`` if a map cannot be read, or does not fit its list.
  init(_ paths: [String], lists: [(name: String, ruleCount: Int)]) throws(InputError) {
    guard paths.count <= lists.count else {
      throw InputError(
        "there are \(Shown.count(paths.count, "map")) for \(Shown.count(lists.count, "list")); "
          + "give --map once for each list, in their order"
      )
    }
    var maps: [SourceMap] = []
    for (path, list) in zip(paths, lists) {
      let map = try SourceMap(path: path)
      try map.check(list: list.name, ruleCount: list.ruleCount)
      maps.append(map)
    }
    self.init(maps: maps, texts: zip(maps, paths).map { MappedFilters($0, at: $1) })
  }

  /// Reads the map of one list, which may be refused by WebKit and then have any number of rules.
  init(_ path: String, list: String, ruleCount: Int?) throws(InputError) {
    let map = try SourceMap(path: path)
    if let ruleCount { try map.check(list: list, ruleCount: ruleCount) }
    self.init(maps: [map], texts: [MappedFilters(map, at: path)])
  }

  /// Returns the lines of a rule, each once: a file may be included several times.
  private func distinctLines(_ list: Int, _ rule: Int) -> [SourceMap.Line] {
    var seen: Set<SourceMap.Line> = []
    return maps[list].lines(ofRule: rule).filter { seen.insert($0).inserted }
  }

  /// Returns the lines that a rule comes from, in the order of the map; none if they are unknown.
  func lines(list: Int, rule: Int) -> [(file: String, line: Int)] {
    guard maps.indices.contains(list) else { return [] }
    return distinctLines(list, rule).map { (maps[list].files[$0.file], $0.line) }
  }

  /// Returns what follows a rule's number in text, as in ` (easylist.txt:1204 and 3 more)`; nothing if
  /// the lines are unknown.
  func suffix(list: Int, rule: Int) -> String {
    label(list: list, rule: rule).map { " (\($0))" } ?? ""
  }

  /// Returns where a rule comes from, as in `easylist.txt:1204 and 3 more`; `nil` if that is unknown.
  func label(list: Int, rule: Int) -> String? {
    guard maps.indices.contains(list) else { return nil }
    let lines = distinctLines(list, rule)
    guard let first = lines.first else { return nil }
    let more = lines.count > 1 ? " and \(Shown.grouped(lines.count - 1)) more" : ""
    return "\(Shown.line(maps[list].files[first.file])):\(first.line)\(more)"
  }

  /// Returns the first filter that a rule comes from, on one line; `nil` if that is unknown, or its
  /// file is not beside the map.
  func filter(list: Int, rule: Int) -> String? {
    guard maps.indices.contains(list), let first = maps[list].lines(ofRule: rule).first else {
      return nil
    }
    return texts[list].line(first.line, of: maps[list].files[first.file]).map { Shown.line($0) }
  }

  /// Writes the lines that a rule comes from as a field, if they are known.
  func write(list: Int, rule: Int, as key: StaticString = "source", to json: inout JSONWriter) {
    let lines = lines(list: list, rule: rule)
    guard !lines.isEmpty else { return }
    json.field(key) { json in Self.write(lines, to: &json) }
  }

  /// Writes lines of filter lists as an array.
  static func write(_ lines: [(file: String, line: Int)], to json: inout JSONWriter) {
    json.array(of: lines) { json, line in
      json.object { json in
        json.field("file", line.file)
        json.field("line", line.line)
      }
    }
  }
}
