/// Options for listing a compiled rule list as text for people.
///
///     var text = ""
///     list.disassemble(to: &text)
///     list.disassemble(.init(rule: 17), to: &text)   // how rule 17 is found, and what it does
///
/// The same bytes give the same text. It is meant to be read and compared, not parsed: its form may
/// change with any version.
public struct DisassemblyOptions: Hashable, Sendable {
  /// The one section to list; `nil` for all.
  public var section: Section?
  /// The one rule to list, by its position in the JSON array; overrides ``section``.
  ///
  /// Lists its slot, its filters, their programs, and the filters of its condition.
  public var rule: UInt32?
  /// The most characters of a text that are shown.
  public var textLimit = 72

  /// Creates options; lists everything unless restricted.
  public init(section: Section? = nil, rule: UInt32? = nil, textLimit: Int = 72) {
    self.section = section
    self.rule = rule
    self.textLimit = textLimit
  }
}

extension CompiledRuleList {
  /// Writes the list as text, line by line.
  ///
  /// - Complexity: O(*n*) for *n* bytes of text. Besides the text, allocates some bytes for each
  ///   filter of an index.
  public func disassemble<Output: TextOutputStream>(
    _ options: DisassemblyOptions = DisassemblyOptions(),
    to output: inout Output
  ) {
    var disassembler = Disassembler(list: self, options: options, output: output)
    if let rule = options.rule {
      disassembler.writeRule(rule)
    } else {
      disassembler.writeSections()
    }
    output = disassembler.output
  }
}

/// Writes a list as lines; its extensions have the parts.
struct Disassembler<Output: TextOutputStream> {
  let list: CompiledRuleList
  let options: DisassemblyOptions
  var output: Output

  var image: Image { list.image }
  var sections: SectionTable { list.sections }

  mutating func line(_ text: String = "", indent: Int = 0) {
    output.write(String(repeating: " ", count: indent))
    output.write(text)
    output.write("\n")
  }

  mutating func writeSections() {
    if options.section == nil { writeHeader() }
    for section in Section.allCases where options.section == nil || options.section == section {
      if options.section == nil { line() }
      switch section {
      case .info: writeInfo()
      case .slots: writeSlots()
      case .entryClasses: writeEntryClasses()
      case .characterSets: writeCharacterSets()
      case .programs: writePrograms()
      case .urlIndex, .topURLIndex, .frameURLIndex: writeIndex(section)
      case .universal: writeUniversal()
      case .texts: line("texts: \(sections.size(.texts)) bytes, shown with their slots")
      case .source:
        let size = sections.size(.source)
        guard list.isSourceIntact else {
          line("source: \(size) bytes, damaged; compile the list again from its JSON")
          continue
        }
        line("source: \(size) bytes")
        if size > 0 { line(shortened(list.source), indent: 2) }
      }
    }
  }

  private mutating func writeHeader() {
    line("compiled rule list, format version \(FileLayout.version)")
    line("file \(image.count) bytes, checksum \(hexadecimal(image.u64(24), digits: 16))")
    line()
    line("sections")
    for section in Section.allCases {
      let name = padded(section.name, 15)
      let start = padded(left: "\(sections.start(section))", 10)
      line("\(name)\(start)\(padded(left: "\(sections.size(section))", 10)) bytes", indent: 2)
    }
  }

  private mutating func writeInfo() {
    let info = list.info
    line("info")
    line("rules         \(info.ruleCount), skipped \(info.skippedCount)", indent: 2)
    line("conditions    \(info.conditionCount)", indent: 2)
    line("universal     \(info.universalCount)", indent: 2)
    line("stamps        \(info.stampCount)", indent: 2)
    line("threads       \(info.threadCount)", indent: 2)
    line("global sheet  \(list.globalSheet.map { shortened($0) } ?? "none")", indent: 2)
  }

  // MARK: Words

  func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.utf8.count))
  }

  func padded(left text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
    let text = String(number, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// Returns a text in quotes on one line, cut off at the limit.
  func shortened(_ bytes: [UInt8]) -> String {
    var text = "\""
    // A character takes at most four bytes, so only so many need decoding.
    let limit = min(max(0, options.textLimit), bytes.count)
    let shown = String(decoding: bytes.prefix(4 * limit), as: UTF8.self)
    for scalar in shown.unicodeScalars.prefix(limit) {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.value < 32 || scalar.value == 127 || scalar == "\u{FFFD}":
        text += "\\x" + hexadecimal(scalar.value & 0xFF, digits: 2).dropFirst(2)
      default: text.unicodeScalars.append(scalar)
      }
    }
    let isCut = shown.unicodeScalars.count > limit || shown.utf8.count < bytes.count
    return text + (isCut ? "\"… (\(bytes.count) bytes)" : "\"")
  }
}

extension Section {
  /// The section's name in a listing.
  public var name: String {
    switch self {
    case .info: "info"
    case .slots: "slots"
    case .entryClasses: "entry-classes"
    case .characterSets: "character-sets"
    case .programs: "programs"
    case .urlIndex: "url-index"
    case .topURLIndex: "top-url-index"
    case .frameURLIndex: "frame-url-index"
    case .universal: "universal"
    case .texts: "texts"
    case .source: "source"
    }
  }
}
