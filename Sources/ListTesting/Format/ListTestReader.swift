package import CommandInput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import WebURL

/// Reads files of tests for rule lists.
///
/// Reading is strict: what is not understood is a fault with its place and a way out, and all
/// faults of a file are found.
///
/// - Complexity: O(*n*) for *n* bytes.
package struct ListTestReader {
  /// The most bytes of a file: an expectation takes up to 50 times the memory of its shortest line.
  package static let sizeLimit = 16 << 20
  /// The most bytes of a line.
  private static let lineLimit = 1 << 20
  /// The most faults to keep.
  private static let faultLimit = 100

  private var file: ListTestFile
  private var faults: [ListTestFile.Fault] = []
  private var section: Section?
  private var urls = KnownURLs()
  private var line = 0
  /// The place of the line's first byte in the file.
  private var offset = 0
  private var hasBody = false

  /// The page and frame of the lines below a heading.
  struct Section {
    var text: String
    var page: WebURL
    var frame: WebURL?
  }

  /// A fault in a line.
  struct Fault: Error {
    var column: Int
    var message: String
  }

  /// Reads a file.
  ///
  /// - Parameter path: The path, or `-`.
  /// - Returns: The tests, and what is wrong with the file; with any fault, the tests are not whole.
  /// - Throws: ``InputError`` if the file cannot be read.
  package static func read(
    path: String
  ) throws(InputError) -> (file: ListTestFile, faults: [ListTestFile.Fault]) {
    let input = try ByteInput(path: path)
    // What the file is shows at its beginning, also if it is too long for a test file.
    var text = try input.next() ?? []
    if let mistake = mistake(text) { throw InputError("\(input.name) \(mistake)") }
    try input.readAll(into: &text, limit: sizeLimit)
    if let mistake = mistake(text) { throw InputError("\(input.name) \(mistake)") }
    return read(text, name: input.name)
  }

  /// Returns what a file is that was given by mistake; `nil` if it may be a test file.
  private static func mistake(_ text: [UInt8]) -> String? {
    if ListFile.isCompiled(text) { return "is a compiled list; give it by --list, and a test file" }
    let marks = text.lazy.filter { $0 > 0x20 }.prefix(2)
    if marks.elementsEqual([UInt8(ascii: "["), UInt8(ascii: "{")]) {
      return "is a rule list; give it by --list, and a test file"
    }
    if marks.elementsEqual([UInt8(ascii: "{"), UInt8(ascii: "\"")]) {
      return "is JSON; if it is a network log, make a test file of it by --record"
    }
    return nil
  }

  /// Reads the text of a file.
  package static func read(
    _ text: [UInt8],
    name: String
  ) -> (file: ListTestFile, faults: [ListTestFile.Fault]) {
    var reader = ListTestReader(file: ListTestFile(name: name, text: text))
    reader.readLines()
    return (reader.file, reader.faults)
  }

  /// Reads what may stand behind `=>`.
  ///
  /// - Throws: ``ListTestFile/Fault`` with the place in the text.
  package static func claims(_ text: String) throws(ListTestFile.Fault) -> [ListClaim] {
    let line = TestLine(Array(text.utf8)[...])
    do throws(Fault) {
      return try ClaimReader(line: line).claims(in: 0..<line.count)
    } catch {
      throw ListTestFile.Fault(line: 1, column: error.column, message: error.message)
    }
  }

  private init(file: ListTestFile) { self.file = file }

  private mutating func readLines() {
    let bytes = file.text
    // Some editors write a byte order mark.
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count, faults.count < Self.faultLimit {
      line += 1
      // LF, CR LF and CR each end a line.
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      offset = start
      do throws(Fault) {
        try read(bytes[start..<end])
      } catch {
        faults.append(.init(line: line, column: error.column, message: error.message))
      }
      start = end + (isPair ? 2 : 1)
    }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    guard bytes.count <= Self.lineLimit else {
      throw Fault(
        column: 1,
        message: "the line has more than \(DisplayText.grouped(Self.lineLimit)) bytes; an "
          + "expectation needs less"
      )
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Fault(column: 1, message: "the line is not UTF-8; save the file as UTF-8")
    }
    let text = TestLine(bytes)
    let whole = text.trimmed(0..<text.count)
    guard !whole.range.isEmpty, text[whole.range.lowerBound] != UInt8(ascii: "#") else { return }
    if text[whole.range.lowerBound] == UInt8(ascii: "[") {
      hasBody = true
      section = try SectionReader(line: text, urls: urls).section()
    } else if let arrow = text.arrow {
      hasBody = true
      try readExpectation(text, whole, arrow)
    } else if let head = HeadKey.key(of: text, whole) {
      try readHead(head.key, head.value, text)
    } else {
      throw Fault(
        column: whole.column,
        message: "the line has no =>; write URL TYPE on PAGE => load, or begin a comment with #"
      )
    }
  }

  // MARK: Expectations

  private mutating func readExpectation(
    _ text: TestLine,
    _ whole: TestLine.Part,
    _ arrow: Range<Int>
  ) throws(Fault) {
    let end = text.end(from: arrow.upperBound)
    var parts = LoadPartReader(section: section, urls: urls)
    let load = try parts.load(text.words(in: 0..<arrow.lowerBound), arrow: arrow.lowerBound + 1)
    urls = parts.urls
    let claims = try ClaimReader(line: text).claims(in: arrow.upperBound..<end)
    file.expectations.append(
      ListExpectation(
        line: line,
        column: whole.column,
        byteRange: offset + whole.range.lowerBound..<offset
          + text.trimmed(0..<end).range.upperBound,
        text: text.trimmed(0..<end).text,
        section: section?.text,
        load: load,
        claims: claims
      )
    )
  }

  // MARK: The head

  /// The keys of a file's head.
  private enum HeadKey: String, CaseIterable {
    case list, permission

    /// Returns the word before a colon at the start of a line, and what follows.
    static func key(
      of line: TestLine,
      _ whole: TestLine.Part
    ) -> (key: TestLine.Part, value: TestLine.Part)? {
      guard let colon = whole.range.first(where: { line[$0] == UInt8(ascii: ":") }),
        whole.range.lowerBound..<colon
          == line.words(in: whole.range.lowerBound..<colon).first?.range,
        colon + 1 == whole.range.upperBound || TestLine.isSpace(line[colon + 1])
      else { return nil }
      return (
        line.part(whole.range.lowerBound..<colon),
        line.trimmed(colon + 1..<line.end(from: colon + 1))
      )
    }
  }

  private mutating func readHead(
    _ word: TestLine.Part,
    _ value: TestLine.Part,
    _ text: TestLine
  ) throws(Fault) {
    guard let key = HeadKey(rawValue: word.text) else {
      throw Fault(
        column: word.column,
        message: LoadWords.unknown("key", word.text, among: HeadKey.allCases.map(\.rawValue))
      )
    }
    guard !hasBody else {
      throw Fault(
        column: word.column,
        message: "\(word.text): belongs above the first expectation and the first section"
      )
    }
    guard !value.range.isEmpty else {
      throw Fault(
        column: word.column,
        message: key == .list
          ? "list: needs the path of a list, such as list: blockerList.json"
          : "permission: needs a pattern of URLs, such as permission: *://*.example.com/*"
      )
    }
    switch key {
    case .list:
      file.lists.append(.init(value: value.text, line: line, column: value.column))
    case .permission:
      do throws(URLMatchPatternError) {
        file.permissions.append(try URLMatchPattern(value.text))
      } catch {
        throw Fault(column: value.column, message: "\(value.text): \(error.message)")
      }
    }
  }
}

/// Reads URLs, most of which are those of lines before.
struct KnownURLs {
  private var last: [String: WebURL] = [:]

  /// Returns the URL of a word.
  ///
  /// - Throws: `ListTestReader.Fault` if it is not an absolute URL.
  mutating func page(_ word: TestLine.Part) throws(ListTestReader.Fault) -> WebURL {
    if let known = last[word.text] { return known }
    let url = try Self.url(word)
    if last.count >= 64 { last.removeAll(keepingCapacity: true) }
    last[word.text] = url
    return url
  }

  /// Returns the URL of a word that is hardly there twice.
  static func url(_ word: TestLine.Part) throws(ListTestReader.Fault) -> WebURL {
    if let url = WebURL(word.text) { return url }
    let shown = DisplayText.shortened(DisplayText.line(word.text), to: 80)
    throw ListTestReader.Fault(
      column: word.column,
      message: "\(shown) is not an absolute URL; write it in full, such as https://example.com/"
    )
  }
}
