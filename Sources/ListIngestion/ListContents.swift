internal import ContentRules
internal import FilterLists

/// Tells lists from what servers and people give in their place: what ``OtherFormat`` knows, nothing, and a
/// message in words.
enum ListContents {
  /// Looks for what no list has.
  ///
  /// - Parameter text: The bytes, decompressed.
  /// - Returns: Why they are no list at all; `nil` if they may be one.
  /// - Complexity: O(*n*)
  static func fault(of text: [UInt8]) -> IngestionError? {
    guard text[start(of: text)...].contains(where: { $0 > 0x20 }) else {
      return IngestionError(.empty, "there is nothing in it")
    }
    if let format = OtherFormat.recognizeNoList(text.span) {
      return IngestionError(.notAList, "it \(format.refusal)")
    }
    return nil
  }

  /// Looks for a message or a document in the place of a filter list.
  ///
  /// - Parameters:
  ///   - text: The bytes, decompressed.
  ///   - dialect: How they would be read.
  ///   - origin: Whom they are from.
  /// - Returns: Why they are no list; `nil` if they may be one.
  static func faultOfFilters(
    _ text: [UInt8],
    _ dialect: FilterDialect,
    from origin: ListOrigin
  ) -> IngestionError? {
    prose(text, dialect, from: origin).map { reason in
      IngestionError(
        .notAList,
        "\(reason); it begins with “\(beginning(of: text, from: start(of: text)))”"
      )
    }
  }

  /// Where a text begins, behind a byte-order mark.
  private static func start(of text: [UInt8]) -> Int {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The bytes at the beginning that tell what a text is.
  private static let sample = 1 << 18
  /// So few single words, and nothing else, are no list where a server may have put a message into its place.
  private static let fewWords = 5

  /// Returns why a text is a message or a document rather than a list; `nil` if it may be a list.
  ///
  /// It has no line that only a filter looks like, or fewer of these than of words.
  private static func prose(
    _ text: [UInt8],
    _ dialect: FilterDialect,
    from origin: ListOrigin
  ) -> String? {
    let end = text.count <= sample ? text.count : text[..<sample].lastIndex(of: 0x0A) ?? sample
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    reader.add(
      FilterSource(name: "", dialect: dialect, text: Array(text[..<end])),
      including: &none
    )
    let collection = reader.collection
    var (filters, words, prose) = (0, 0, 0)
    for line in collection.lines where line.standing == .ordinary {
      switch LineKind(collection.text(of: line), line.range, dialect) {
      case .nothing: continue
      case .filter: filters += 1
      case .word: words += 1
      case .prose: prose += 1
      }
    }
    if filters > 0 { return prose > filters ? "fewer of its lines are filters than words" : nil }
    let isMessage = origin == .server && words < fewWords
    return prose > 0 || isMessage || words == 0 && end == text.count
      ? "no line of it is a filter" : nil
  }

  private static func beginning(of text: [UInt8], from start: Int) -> String {
    String(decoding: text[start...].drop { $0 <= 0x20 }.prefix(160), as: UTF8.self)
      .prefix { !$0.isNewline }.prefix(60).description
  }
}

/// What a line of a text looks like.
private enum LineKind {
  /// Nothing, or a comment.
  case nothing
  case filter
  /// One word that may be a filter, and as well a message, such as `maintenance`.
  case word
  /// Words, a tag, or what no blocker reads.
  case prose

  init(_ text: [UInt8], _ line: Range<Int>, _ dialect: FilterDialect) {
    switch FilterParser.parse(text, line, dialect: dialect) {
    case .comment: self = .nothing
    case .localNames, .hosts, .hiding: self = .filter
    case .faulty: self = .prose
    case .network(let filter):
      let pattern = text[filter.pattern]
      self =
        if filter.isRegex {
          .filter
        } else if pattern.first == UInt8(ascii: "<") || pattern.contains(where: FilterText.isSpace)
        {
          .prose
        } else {
          filter.isException || !filter.modifiers.isEmpty || Self.isPattern(pattern)
            ? .filter : .word
        }
    }
  }

  /// Whether a word has what patterns have and words do not.
  private static func isPattern(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, let last = word.last else { return false }
    let slash = UInt8(ascii: "/")
    let isPath = word.contains(slash) && word.contains(UInt8(ascii: "."))
    let isPart = "/-_.".utf8.contains(first) || "/-_".utf8.contains(last)
    return (isPath || isPart || word.contains { "|@*^$&?=".utf8.contains($0) })
      && word.contains {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 >= 0x80
      }
  }
}
