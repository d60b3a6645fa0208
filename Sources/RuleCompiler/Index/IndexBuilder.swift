internal import ContentRules
internal import RuleMatching

/// Collects the filters over one kind of URL and lays out their index; see
/// ``RuleMatching/FilterIndex``.
struct IndexBuilder {
  /// A distinct pattern.
  struct Filter {
    var isCaseSensitive: Bool
    /// The tail's program, or the whole one.
    var program: UInt32
    var anchor: HostAnchor?
    var extent = LiteralFilter.Extent.whole
    var gapAnchor = GapAnchor.none
    var runs: [LiteralRun] = []
    /// The most characters that the program reads, where it is tried at each place of a literal.
    var span: Int?
    /// The program that searches the whole URL, for filters whose literals may be too short.
    var searchProgram: UInt32?
    /// The filter whose postings this one shares, and its stamp: the first of the texts that a
    /// pattern stands for.
    var primary: Int?
    /// Whether it is one of several filters that are tried each by itself and share postings.
    var isAlternative = false
    /// The chain of postings.
    var firstPosting: Int32 = -1
    var lastPosting: Int32 = -1
  }

  /// One link in a filter's chain of postings.
  struct ChainedPosting {
    var number: UInt32
    var rule: UInt32
    var next: Int32 = -1
  }

  /// Filters under one key; the chain goes on in ``nextInKey``.
  struct Key {
    var firstFilter: Int32
    var lastFilter: Int32
  }

  /// The most steps for which a filter is tried at each place of a literal.
  private static let longestAttempt = 128

  let postingsHaveRules: Bool
  var filters: [Filter] = []
  var postings: [ChainedPosting] = []
  var keys: [Key] = []
  /// The keys' texts, each with the byte in front that says its kind and length.
  var keyTexts = ByteStringTable()
  /// For each filter under a key the next one, in order; −1 at the end.
  var nextInKey: [Int32] = []
  /// Filters with literals, and those without a usable one.
  var literalFilters: [Int] = []
  var alwaysRun: [Int] = []
  var anchors: UInt32 = 0
  var keyKinds: UInt32 = 0

  init(postingsHaveRules: Bool) {
    self.postingsHaveRules = postingsHaveRules
  }

  /// What happened to a pattern.
  enum Added {
    /// It is in the index; the number is for ``addPosting(_:rule:to:)``.
    case filter(Int)
    /// It matches everything and was not added.
    case universal
    /// The parser does not accept it.
    case refused
  }

  /// Adds a pattern that is not in the index yet; `addsUniversal` says whether to add one that
  /// matches everything as well.
  mutating func addFilter(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    addsUniversal: Bool,
    lowering: inout FilterLowering,
    writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Added {
    if let match = lowering.shapes.match(pattern, isCaseSensitive: isCaseSensitive),
      let program = writer.write(
        lowering.shapes.text[match.keyLength...],
        &lowering.shapes.tails[match.tail],
        isCaseSensitive: isCaseSensitive
      )
    {
      let key = lowering.shapes.text[..<match.keyLength]
      return .filter(
        add(match.anchor, match.kind, key, program, isCaseSensitive: isCaseSensitive)
      )
    }
    switch URLFilterParser.parse(
      pattern,
      isCaseSensitive: isCaseSensitive,
      into: &lowering.terms
    ) {
    case .failure: return .refused
    case .success(true):
      guard addsUniversal else { return .universal }
      let program = try writer.write([], isCaseSensitive: false)
      alwaysRun.append(filters.count)
      return .filter(append(Filter(isCaseSensitive: false, program: program)))
    case .success(false):
      let lowered = lowering.lower(lowering.terms, isCaseSensitive: isCaseSensitive)
      return .filter(try add(lowered, isCaseSensitive: isCaseSensitive, &writer))
    }
  }

  private mutating func append(_ filter: Filter) -> Int {
    filters.append(filter)
    nextInKey.append(-1)
    return filters.count - 1
  }

  /// Files a filter under a key.
  private mutating func add(
    _ anchor: HostAnchor,
    _ kind: FilterIndex.KeyKind,
    _ text: ArraySlice<UInt8>,
    _ program: UInt32,
    isCaseSensitive: Bool
  ) -> Int {
    anchors |= 1 << UInt32(anchor.rawValue)
    if isCaseSensitive { anchors |= FilterIndex.caseSensitiveKeys }
    keyKinds |= 1 << UInt32(kind.rawValue)
    let number = append(
      Filter(isCaseSensitive: isCaseSensitive, program: program, anchor: anchor)
    )
    let link = Int32(truncatingIfNeeded: number)
    keyTexts.draft.removeAll(keepingCapacity: true)
    keyTexts.draft.append(kind.rawValue << 6 | UInt8(truncatingIfNeeded: text.count))
    keyTexts.draft.append(contentsOf: text)
    let (key, isNew) = keyTexts.numberOfDraft()
    if isNew {
      keys.append(Key(firstFilter: link, lastFilter: link))
    } else {
      nextInKey[Int(keys[key].lastFilter)] = link
      keys[key].lastFilter = link
    }
    return number
  }

  private mutating func add(
    _ lowered: LoweredFilter,
    isCaseSensitive: Bool,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    switch lowered {
    case .key(let anchor, let kind, let text, let tail):
      let program = try writer.write(tail, isCaseSensitive: isCaseSensitive)
      return add(anchor, kind, text[...], program, isCaseSensitive: isCaseSensitive)
    case .literal(let literal):
      return try addLiteral(literal, isCaseSensitive, &writer)
    case .alternatives(let texts):
      let primary = filters.count
      for (place, text) in texts.enumerated() {
        let number = try addLiteral(
          text,
          isCaseSensitive,
          primary: place > 0 ? primary : nil,
          &writer
        )
        filters[number].isAlternative = text.hasRest
      }
      return primary
    }
  }

  private mutating func addLiteral(
    _ literal: LiteralFilter,
    _ isCaseSensitive: Bool,
    primary: Int? = nil,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    // What nearly every URL contains is no use: a page leaves little of what runs on every URL.
    let runs = literal.runs.filter { !GramFrequency.ofURLs.isNearlyEverywhere($0) }
    // What may have to run on every URL must search for its place.
    let needsSearch = literal.extent != .whole && !runs.contains(where: GramPlan.isAlwaysFound)
    let search =
      needsSearch
      ? try writer.write(
        [Term(.characters(.any), .zeroOrMore)] + literal.terms,
        isCaseSensitive: isCaseSensitive
      ) : nil
    var filter = Filter(isCaseSensitive: isCaseSensitive, program: search ?? 0)
    filter.gapAnchor = literal.gapAnchor
    filter.runs = runs
    filter.primary = primary
    if !runs.isEmpty || search == nil {
      filter.program = try writer.write(literal.terms, isCaseSensitive: isCaseSensitive)
      filter.extent = literal.extent
      filter.searchProgram = search
      if literal.extent == .fixed { filter.span = literal.terms.count }
    }
    if filter.span != nil,
      writer.cost(of: filter.program, span: filter.span).atPlace > Self.longestAttempt
    {
      // Searched for once instead of being tried wherever the literal is met.
      filter.program = try writer.write(
        [Term(.characters(.any), .zeroOrMore)] + literal.terms,
        isCaseSensitive: isCaseSensitive
      )
      filter.extent = .whole
      filter.span = nil
    }
    literalFilters.append(filters.count)
    return append(filter)
  }

  /// Files a rule with its class, or a condition, under a filter.
  mutating func addPosting(_ number: UInt32, rule: UInt32, to filter: Int) {
    let last = Int(filters[filter].lastPosting)
    // A pattern that a condition lists twice is one posting.
    if last >= 0, !postingsHaveRules, postings[last].number == number { return }
    let link = Int32(truncatingIfNeeded: postings.count)
    postings.append(ChainedPosting(number: number, rule: rule))
    if last >= 0 {
      postings[last].next = link
    } else {
      filters[filter].firstPosting = link
    }
    filters[filter].lastPosting = link
  }
}
