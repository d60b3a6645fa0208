/// The map of a converted list: the filters' lines that each rule was made of.
///
/// `tickbird convert --map` writes it; see Documentation/Convert.md.
package struct SourceMap: Sendable {
  /// A line of a filter list.
  package struct Line: Hashable, Sendable {
    /// The file, by its position in ``SourceMap/files``.
    package var file: Int
    /// The line, from 1.
    package var line: Int
  }

  /// The map's own file, for messages.
  package let name: String
  /// The files of filters, as the map names them.
  package let files: [String]
  /// The digest of each file's text when it was converted; empty in maps that have none.
  private let digests: [String]
  /// The number of rules of the list.
  package let ruleCount: Int
  /// The lines of all rules, those of one rule next to each other.
  private var lines: [PackedLine] = []
  /// For each rule the position of its first line, and at the end the number of all.
  private var starts: [UInt32] = []

  private struct PackedLine {
    var file: UInt32
    var line: UInt32
  }

  /// The most bytes of a map; reading it takes up to 16 times as much memory.
  package static let sizeLimit = 64 << 20
  /// The most rules of a list that a map may be of.
  package static let ruleLimit = 1 << 24

  /// Reads a map from a file, which may be compressed by gzip.
  ///
  /// - Throws: ``InputError`` if it cannot be read, or is no map.
  package init(path: String) throws(InputError) {
    let input = try ByteInput(path: path)
    try self.init(try input.readAll(limit: Self.sizeLimit), name: input.name)
  }

  /// Reads a map.
  ///
  /// - Parameters:
  ///   - text: JSON.
  ///   - name: The file's name, for messages.
  /// - Throws: ``InputError`` if the text is no map.
  /// - Complexity: O(*n*)
  package init(_ text: [UInt8], name: String) throws(InputError) {
    let reader = try Reader(text, name: name)
    self.name = name
    files = try reader.files()
    digests = try reader.digests(files.count)
    ruleCount = try reader.ruleCount()
    var pairs: [(rule: UInt32, line: PackedLine)] = []
    try reader.forEachLine(files, ruleCount) { rule, file, line in
      pairs.append((UInt32(rule), PackedLine(file: UInt32(file), line: UInt32(line))))
    }
    // Counting the lines of each rule sorts them by rule, and keeps their order.
    starts = Array(repeating: 0, count: ruleCount + 1)
    for pair in pairs { starts[Int(pair.rule) + 1] += 1 }
    for rule in 0..<ruleCount { starts[rule + 1] += starts[rule] }
    var next = starts
    lines = Array(repeating: PackedLine(file: 0, line: 0), count: pairs.count)
    for pair in pairs {
      lines[Int(next[Int(pair.rule)])] = pair.line
      next[Int(pair.rule)] += 1
    }
  }

  /// Returns the lines that a rule was made of, in the order of the map; empty for a rule that no
  /// line became, and for one that the list does not have.
  package func lines(ofRule rule: Int) -> some RandomAccessCollection<Line> {
    let range =
      (0..<ruleCount).contains(rule) ? Int(starts[rule])..<Int(starts[rule + 1]) : 0..<0
    return lines[range].lazy.map { Line(file: Int($0.file), line: Int($0.line)) }
  }

  /// Whether a file has the text that it had when it was converted, as far as the map says.
  package func describes(_ text: [UInt8], of file: String) -> Bool {
    guard let position = files.firstIndex(of: file), digests.indices.contains(position) else {
      return true
    }
    return ByteDigest(text).text == digests[position]
  }

  /// Refuses a list that the map is not of.
  ///
  /// - Throws: ``InputError`` if the numbers of rules differ.
  package func check(list: String, ruleCount: Int) throws(InputError) {
    guard ruleCount != self.ruleCount else { return }
    throw InputError(
      "\(name) is the map of a list with \(Self.rules(self.ruleCount)), but \(list) has "
        + "\(ruleCount); give the map that was written with it, or convert it again with --map"
    )
  }

  private static func rules(_ count: Int) -> String { count == 1 ? "1 rule" : "\(count) rules" }
}

extension SourceMap {
  /// Reads the parts of a map from its JSON.
  private struct Reader {
    private let text: [UInt8]
    private let name: String
    private var tape = JSONTape()

    init(_ text: [UInt8], name: String) throws(InputError) {
      self.text = text
      self.name = name
      do throws(JSONTape.Fault) {
        try tape.parse(text.span)
      } catch {
        throw fault(at: error.offset, "expected \(error.expected)")
      }
      guard let version = member("version", of: JSONTape.root) else {
        throw fault(at: 0, "there is no version")
      }
      guard integer(version) == 1 else {
        throw fault(at: tape.offset(of: version), "only version 1 can be read")
      }
    }

    func files() throws(InputError) -> [String] {
      let list = try required("sources", .array, of: JSONTape.root)
      return try strings(of: list, "a source is the name of a file")
    }

    /// The digests of as many files; none if the map has none.
    func digests(_ fileCount: Int) throws(InputError) -> [String] {
      guard member("digests", of: JSONTape.root) != nil else { return [] }
      let list = try required("digests", .array, of: JSONTape.root)
      let digests = try strings(of: list, "a digest is a text")
      guard digests.count == fileCount else {
        throw fault(at: tape.offset(of: list), "there is a digest for each source")
      }
      return digests
    }

    private func strings(of list: Int, _ meaning: String) throws(InputError) -> [String] {
      var strings: [String] = []
      for value in tape.children(of: list) {
        guard let string = tape.string(value, in: text.span) else {
          throw fault(at: tape.offset(of: value), meaning)
        }
        strings.append(string)
      }
      return strings
    }

    func ruleCount() throws(InputError) -> Int {
      let value = try required("rules", .number, of: JSONTape.root)
      guard let count = integer(value), (0...SourceMap.ruleLimit).contains(count) else {
        throw fault(
          at: tape.offset(of: value),
          "the number of rules is not from 0 to \(SourceMap.ruleLimit)"
        )
      }
      return count
    }

    /// Calls a function for each rule of each line.
    func forEachLine(
      _ files: [String],
      _ ruleCount: Int,
      _ body: (_ rule: Int, _ file: Int, _ line: Int) -> Void
    ) throws(InputError) {
      let positions = Dictionary(zip(files, files.indices)) { first, _ in first }
      for entry in tape.children(of: try required("lines", .array, of: JSONTape.root)) {
        let name = try required("file", .string, of: entry)
        guard let file = tape.string(name, in: text.span).flatMap({ positions[$0] }) else {
          throw fault(at: tape.offset(of: name), "the file is not among the sources")
        }
        let number = try required("line", .number, of: entry)
        guard let line = integer(number), (1...Int(Int32.max)).contains(line) else {
          throw fault(at: tape.offset(of: number), "lines are numbered from 1")
        }
        for value in tape.children(of: try required("rules", .array, of: entry)) {
          guard let rule = integer(value), (0..<ruleCount).contains(rule) else {
            throw fault(
              at: tape.offset(of: value),
              "there is no such rule; the list has \(SourceMap.rules(ruleCount)), from 0"
            )
          }
          body(rule, file, line)
        }
      }
    }

    private func member(_ key: StaticString, of object: Int) -> Int? {
      tape.member(key, of: object, in: text.span)
    }

    private func integer(_ value: Int) -> Int? { tape.integer(value, in: text.span) }

    private func required(
      _ key: StaticString,
      _ kind: JSONTape.Kind,
      of object: Int
    ) throws(InputError) -> Int {
      guard let value = member(key, of: object), tape.kind(value) == kind else {
        throw fault(at: tape.offset(of: object), "\"\(key)\" is missing, or is of another kind")
      }
      return value
    }

    private func fault(at offset: Int, _ what: String) -> InputError {
      let before = text.prefix(offset)
      let line = before.count { $0 == 0x0A } + 1
      let column = offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
      return InputError(
        "\(name):\(line):\(column): \(what); this is no map of a list, as tickbird convert --map "
          + "writes it"
      )
    }
  }
}
