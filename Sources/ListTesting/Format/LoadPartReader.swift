internal import CommandInput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import WebURL

/// Reads what stands before `=>`: a load.
///
///     URL TYPE [on URL] [in URL] [method WORD] [top-frame|child-frame] [first-party|third-party]
///     page
///     frame
struct LoadPartReader {
  let section: ListTestReader.Section?
  var urls: KnownURLs

  private typealias Fault = ListTestReader.Fault

  private static let partWords = [
    "on", "in", "method", "top-frame", "child-frame", "first-party", "third-party",
  ]

  /// Returns the load.
  ///
  /// - Parameters:
  ///   - words: The words before `=>`.
  ///   - arrow: The column of `=>`.
  /// - Returns: The load, with the defaults of what is absent.
  /// - Throws: `ListTestReader.Fault` with the first word that is not understood.
  mutating func load(
    _ words: [TestLine.Part],
    arrow: Int
  ) throws(ListTestReader.Fault) -> ResourceLoad {
    guard let first = words.first else {
      throw Fault(
        column: arrow,
        message: "there is no load before =>; write URL TYPE, or page or frame in a section"
      )
    }
    var parts = Parts()
    var described: DescribedLoad
    var rest = words.dropFirst()
    var isOwnDocument = false
    if first.text == "page" || first.text == "frame" {
      described = try document(first)
      isOwnDocument = true
    } else {
      let url = try KnownURLs.url(first)
      described = DescribedLoad(url: url, type: try type(rest.popFirst(), after: first))
    }
    while let word = rest.popFirst() {
      try read(word, &rest, &parts)
    }
    if isOwnDocument, let word = parts.place {
      throw Fault(
        column: word.column,
        message: "\(first.text) is the document of its section; leave out \(word.text) …, or write "
          + "the URL and its type"
      )
    }
    described.context = parts.context
    described.party = parts.party
    if let method = parts.method { described.method = LoadWords.requestMethod(method) }
    if !isOwnDocument {
      described.page = parts.page ?? section?.page
      // A frame's own document is requested while the frame still shows about:blank.
      let isNewFrame = described.load()?.resourceType == .childDocument
      described.frame =
        parts.frame ?? (isNewFrame || parts.page != nil ? nil : section?.frame)
    }
    guard let load = described.load() else {
      throw Fault(column: first.column, message: "the load has no type")
    }
    return load
  }

  /// The parts behind the type.
  private struct Parts {
    var page: WebURL?
    var frame: WebURL?
    var method: String?
    var context: LoadContext?
    var party: LoadType?
    /// The word that gave a page or a frame.
    var place: TestLine.Part?
  }

  /// Returns the load of the section's own document.
  private func document(_ word: TestLine.Part) throws(Fault) -> DescribedLoad {
    guard let section, (section.frame != nil) == (word.text == "frame") else {
      throw Fault(
        column: word.column,
        message: word.text == "page"
          ? "page is the document of a section [page URL]; begin one above, or write the URL and "
            + "document"
          : "frame is the document of a section [frame URL on URL]; begin one above, or write the "
            + "URL, child-document and on URL"
      )
    }
    guard let frame = section.frame else {
      return DescribedLoad(url: section.page, type: "top-document")
    }
    var described = DescribedLoad(url: frame, type: "child-document")
    described.page = section.page
    return described
  }

  private func type(
    _ word: TestLine.Part?,
    after url: TestLine.Part
  ) throws(Fault) -> String {
    guard let word, !Self.partWords.contains(word.text) else {
      throw Fault(
        column: word?.column ?? url.range.upperBound + 1,
        message: "the type is missing; say behind the URL what the load is for, one of "
          + LoadWords.resourceTypeWords.joined(separator: ", ")
      )
    }
    guard word.text == "document" || LoadWords.resourceType(word.text) != nil else {
      throw Fault(
        column: word.column,
        message: LoadWords.unknown("type", word.text, among: LoadWords.resourceTypeWords)
      )
    }
    return word.text
  }

  private mutating func read(
    _ word: TestLine.Part,
    _ rest: inout ArraySlice<TestLine.Part>,
    _ parts: inout Parts
  ) throws(Fault) {
    func once(_ isThere: Bool) throws(Fault) {
      guard isThere else { return }
      throw Fault(column: word.column, message: "the load has \(word.text), or its like, twice")
    }
    switch word.text {
    case "on":
      try once(parts.page != nil)
      parts.page = try urls.page(try value(of: word, &rest, "URL"))
      parts.place = word
    case "in":
      try once(parts.frame != nil)
      parts.frame = try urls.page(try value(of: word, &rest, "URL"))
      parts.place = word
    case "method":
      try once(parts.method != nil)
      parts.method = try method(try value(of: word, &rest, "method"))
    case "top-frame", "child-frame":
      try once(parts.context != nil)
      parts.context = LoadWords.loadContext(word.text)
    case "first-party", "third-party":
      try once(parts.party != nil)
      parts.party = LoadWords.loadType(word.text)
    default:
      throw Fault(
        column: word.column,
        message: LoadWords.unknown("part of a load", word.text, among: Self.partWords)
      )
    }
  }

  private func value(
    of word: TestLine.Part,
    _ rest: inout ArraySlice<TestLine.Part>,
    _ noun: String
  ) throws(Fault) -> TestLine.Part {
    guard let value = rest.popFirst() else {
      throw Fault(
        column: word.range.upperBound + 1,
        message: "\(word.text) needs a \(noun) behind it"
      )
    }
    return value
  }

  private func method(_ word: TestLine.Part) throws(Fault) -> String {
    let known = RequestMethod.allCases.map { "\($0)" } + ["null"]
    guard known.contains(word.text.lowercased()) else {
      throw Fault(
        column: word.column,
        message: LoadWords.unknown("method", word.text, among: known)
          + (LoadWords.suggestion(for: word.text, among: known) == nil
            ? "; null means any other" : "")
      )
    }
    return word.text
  }
}
