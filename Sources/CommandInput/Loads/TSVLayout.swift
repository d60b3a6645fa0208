package import LoadDeciding
internal import ResourceLoads
internal import WebURL

/// The meaning of the columns of a log of tab-separated values.
///
///     url ⇥ source ⇥ type ⇥ webkit_type ⇥ load_type
///
/// | Column | Meaning |
/// | --- | --- |
/// | `url` | the URL that is loaded; must be there |
/// | `top_url` or `source` | the URL of the page; must be there |
/// | `resource_type`, `webkit_type` or `type` | the type of the load; must be there |
/// | `load_type` | `first-party`, `third-party`; `-` is third-party |
/// | `frame_url` | the URL of the document in the frame |
/// | `load_context` | `top-frame` or `child-frame` |
/// | `method` | the method of the document's request; `null`, or one that rules do not know: none |
///
/// Empty and absent values have the defaults of ``ResourceLoad``. If several columns have the same
/// meaning, the name listed first wins. Other columns are ignored.
package struct TSVLayout: Sendable {
  /// One load as a line describes it; ranges refer to the text.
  package struct Row {
    package var url: Range<Int>
    /// Empty when there is no page.
    package var topURL: Range<Int>
    /// Empty if no document is given for the frame.
    package var frameURL: Range<Int>
    package var traits: LoadTraits
  }

  private enum Column: Int, CaseIterable {
    case url, topURL, frameURL, resourceType, loadType, loadContext, method

    /// The names, the best first.
    var names: [String] {
      switch self {
      case .url: ["url"]
      case .topURL: ["top_url", "source"]
      case .frameURL: ["frame_url"]
      case .resourceType: ["resource_type", "webkit_type", "type"]
      case .loadType: ["load_type"]
      case .loadContext: ["load_context"]
      case .method: ["method"]
      }
    }

    /// The column of pages is required, so that a misspelt name is not taken for a log without
    /// pages.
    var isRequired: Bool { self == .url || self == .topURL || self == .resourceType }
  }

  /// The column at each position of a line, up to the last known one.
  private let columns: [Column?]
  /// The chosen name of each column.
  private let names: [String]
  /// How many columns a line must have.
  private let requiredCount: Int
  /// The line of names.
  private let header: [UInt8]

  /// Whether a line looks like one of column names.
  package static func isHeader(_ line: [UInt8]) -> Bool {
    line.split(separator: 0x09, omittingEmptySubsequences: false).contains {
      $0.elementsEqual("url".utf8)
    }
  }

  /// Whether a line has words separated by tabs.
  package static func hasColumns(_ line: [UInt8]) -> Bool {
    line.split(separator: 0x09).count { words in words.contains { $0 > 0x20 } } > 1
  }

  /// Returns the error for a log whose first line is neither JSON nor column names.
  package static func noHeader(_ name: String) -> InputError {
    InputError(
      "\(name), line 1: this is neither JSON nor a line of column names with url among them, "
        + "separated by tabs; if the log has columns but does not name them, give "
        + "--columns url,source,resource_type"
    )
  }

  /// Reads the names of columns, separated by the given byte.
  ///
  /// - Throws: ``InputError`` if a required column is missing.
  package init(names line: [UInt8], separator: UInt8 = 0x09) throws(InputError) {
    let given = line.split(separator: separator, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self).filter { $0 != " " }
    }
    var columns = [Column?](repeating: nil, count: given.count)
    var names = Column.allCases.map { $0.names[0] }
    var requiredCount = 0
    for column in Column.allCases {
      guard let name = column.names.first(where: { given.contains($0) }),
        let place = given.firstIndex(of: name)
      else {
        guard column.isRequired else { continue }
        throw InputError(
          "there is no column \(column.names.joined(separator: " or ")); "
            + (given.allSatisfy(\.isEmpty) ? "none is named" : "the columns are ")
            + (given.prefix(12).map { String($0.prefix(40)) }.joined(separator: ", "))
            + (given.count > 12 ? ", …" : "")
        )
      }
      columns[place] = column
      names[column.rawValue] = name
      if column.isRequired { requiredCount = max(requiredCount, place + 1) }
    }
    while case .some(.none) = columns.last { columns.removeLast() }
    self.columns = columns
    self.names = names
    self.requiredCount = requiredCount
    header = line
  }

  /// Whether a line repeats the column names, as in concatenated logs.
  package func isRepeated(_ text: [UInt8], _ line: Range<Int>) -> Bool {
    text.equals(line, header)
  }

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - text: The text that the line is in.
  ///   - line: The place of the line, without its end.
  /// - Returns: The load.
  /// - Throws: ``InputError`` that names the column.
  package func read(_ text: [UInt8], _ line: Range<Int>) throws(InputError) -> Row {
    var row = Row(
      url: line.lowerBound..<line.lowerBound,
      topURL: line.lowerBound..<line.lowerBound,
      frameURL: line.lowerBound..<line.lowerBound,
      traits: LoadTraits(resourceType: .other)
    )
    var start = line.lowerBound
    var count = 0
    var typeWord: Range<Int>?
    for column in columns {
      let end = text.firstIndex(ofByte: 0x09, in: start..<line.upperBound) ?? line.upperBound
      if let column {
        let field = start..<end
        switch column {
        case .url: row.url = field
        case .topURL: row.topURL = field
        case .frameURL: row.frameURL = field
        case .resourceType: typeWord = field
        case .loadType: row.traits.loadType = try loadType(text, field)
        case .loadContext: row.traits.loadContext = try loadContext(text, field)
        case .method:
          if !field.isEmpty {
            row.traits.requestMethod = LoadWords.requestMethod(
              String(decoding: text[field], as: UTF8.self)
            )
          }
        }
      }
      count += 1
      start = end + 1
      if start > line.upperBound { break }
    }
    guard count >= requiredCount, let typeWord else {
      if line.isEmpty { throw InputError("the line is empty") }
      throw InputError(
        "the line has \(count) \(count == 1 ? "column" : "columns"), and needs \(requiredCount)"
      )
    }
    row.traits.resourceType = try type(text, typeWord, row)
    row.url = Self.url(of: row, typeWord, text)
    return row
  }

  private func loadType(_ text: [UInt8], _ field: Range<Int>) throws(InputError) -> LoadType? {
    switch field.count {
    case 0: return nil
    case 1 where text[field.lowerBound] == UInt8(ascii: "-"): return .thirdParty
    case 11:
      if let type = LoadWord(text.span.extracting(field))?.loadType { return type }
    default: break
    }
    throw unknown(.loadType, text, field, ["first-party", "third-party", "-"])
  }

  private func loadContext(
    _ text: [UInt8],
    _ field: Range<Int>
  ) throws(InputError) -> LoadContext? {
    if field.isEmpty { return nil }
    let word = String(decoding: text[field], as: UTF8.self)
    if let context = LoadWords.loadContext(word) { return context }
    throw unknown(.loadContext, text, field, ["top-frame", "child-frame"])
  }

  private func type(
    _ text: [UInt8],
    _ field: Range<Int>,
    _ row: Row
  ) throws(InputError) -> ResourceType {
    if let type = Self.resourceType(text, field, row) { return type }
    throw unknown(.resourceType, text, field, LoadWords.resourceTypeWords)
  }

  /// Returns the type of the word at a range of the text.
  static func resourceType(_ text: [UInt8], _ field: Range<Int>, _ row: Row) -> ResourceType? {
    LoadWord(text.span.extracting(field))?.resourceType(
      row.traits.loadContext,
      url: text.span.extracting(row.url),
      page: text.span.extracting(row.topURL)
    )
  }

  private func unknown(
    _ column: Column,
    _ text: [UInt8],
    _ field: Range<Int>,
    _ known: [String]
  ) -> InputError {
    let word = String(decoding: text[field].prefix(200), as: UTF8.self)
    let name = names[column.rawValue]
    if word.isEmpty { return InputError("column \(name) is empty") }
    return InputError("column \(name): " + LoadWords.unknown("type", word, among: known))
  }

  /// The names of the columns of page and frame URLs.
  package var topURLName: String { names[Column.topURL.rawValue] }
  package var frameURLName: String { names[Column.frameURL.rawValue] }
}
