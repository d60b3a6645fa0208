internal import ContentRules
internal import RuleMatching

/// Collects the filters for one kind of URL and lays out their index; see
/// ``RuleMatching/FilterIndex``.
struct IndexBuilder {
  /// A distinct pattern, or one of the alternatives that a pattern was taken apart into.
  struct Filter {
    var isCaseSensitive: Bool
    var anchor: HostAnchor?
    /// The offset of the program: for filters with a key, of the tail behind the key.
    var program: UInt32
    /// The first alternative of the filter's pattern, whose postings it shares; −1 for that one itself.
    var primary: Int32 = -1
    /// The place in ``literals`` of a filter that is indexed by a literal, else −1.
    var literal: Int32 = -1
    /// The ends of the chain in ``postings``; −1 for no postings.
    var firstPosting: Int32 = -1
    var lastPosting: Int32 = -1
  }

  /// What only a filter has that is to be indexed by a literal; nine of ten filters have a key.
  struct Literal {
    /// The number of the filter.
    var filter: Int
    var extent = LiteralFilter.Extent.whole
    var gapAnchor = GapAnchor.none
    var runs: [LiteralRun] = []
    /// The most characters that the program reads, if it is bounded and tried at each occurrence of
    /// a literal.
    var span: Int?
    /// The program that searches the whole URL, used if no literal turns out long enough to be
    /// indexed.
    var searchProgram: UInt32?
    /// Whether it is an alternative that is tried on its own, without the stamp of the others.
    var isAlternative = false
  }

  /// One link in a filter's chain of postings.
  struct ChainedPosting {
    var number: UInt32
    var rule: UInt32
    var next: Int32 = -1
  }

  /// The filters under one key, chained by ``nextInKey``.
  struct Key {
    var firstFilter: Int32
    var lastFilter: Int32
  }

  /// The most steps that trying a filter may take at each occurrence of its literal.
  ///
  /// A costlier one searches the URL once instead: a URL may repeat a short literal hundreds of
  /// times.
  private static let longestAttempt = 128

  let postingsHaveRules: Bool
  var filters: [Filter] = []
  var postings: [ChainedPosting] = []
  var keys: [Key] = []
  /// The keys' texts, each behind its head byte: the kind in bits 6–7, the length in bits 0–5.
  var keyTexts = ByteStringTable()
  /// The next filter under the same key, for each filter; −1 at the end.
  ///
  /// In the list's order.
  var nextInKey: [Int32] = []
  /// Filters to be indexed by a literal; those for which ``GramPlan`` finds no window run on every
  /// URL.
  var literals: [Literal] = []
  /// Filters that match everything, which conditions may have.
  var alwaysRun: [Int] = []
  var anchors: UInt32 = 0
  var keyKinds: UInt32 = 0

  init(postingsHaveRules: Bool) {
    self.postingsHaveRules = postingsHaveRules
  }

  /// Makes room for so many filters, as are expected.
  mutating func reserve(_ count: Int) {
    filters.reserveCapacity(count)
    nextInKey.reserveCapacity(count)
    keys.reserveCapacity(count)
    keyTexts.reserve(count, byteCount: count * 24)
  }

  /// The outcome of adding a pattern.
  enum Added {
    /// It is in the index; the number is for ``addPosting(_:rule:to:)``.
    case filter(Int)
    /// It matches everything and was not added.
    case universal
    /// The parser does not accept it.
    case refused
  }

  /// Adds a pattern; one that is added twice has two filters.
  ///
  /// `addsUniversal` says whether to add it even if it matches everything.
  mutating func addFilter(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    addsUniversal: Bool,
    lowering: inout FilterLowering,
    writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Added {
    // The usual shape, a host anchor and plain text, is recognised without parsing.
    let match = lowering.shapes.match(pattern, isCaseSensitive: isCaseSensitive)
    if let filter = add(match, isCaseSensitive, &lowering.shapes, &writer) {
      return .filter(filter)
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

  /// Adds the pattern of a domain entry; otherwise like
  /// ``addFilter(_:isCaseSensitive:addsUniversal:lowering:writer:)``.
  mutating func addDomain(
    _ entry: Span<UInt8>,
    isCaseSensitive: Bool,
    lowering: inout FilterLowering,
    writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Added {
    // Nearly all are recognised without making the pattern.
    let match = lowering.shapes.match(domain: entry, isCaseSensitive: isCaseSensitive)
    if let filter = add(match, isCaseSensitive, &lowering.shapes, &writer) {
      return .filter(filter)
    }
    return try addFilter(
      DomainPattern.pattern(forDomain: entry).span,
      isCaseSensitive: isCaseSensitive,
      addsUniversal: true,
      lowering: &lowering,
      writer: &writer
    )
  }

  /// Adds the pattern that was recognised last; `nil` if there is none, or if it must be parsed.
  private mutating func add(
    _ match: HostShapes.Match?,
    _ isCaseSensitive: Bool,
    _ shapes: inout HostShapes,
    _ writer: inout ProgramWriter
  ) -> Int? {
    guard let match,
      let program = shapes.write(match, by: &writer, isCaseSensitive: isCaseSensitive)
    else { return nil }
    let key = shapes.text.span.extracting(first: match.keyLength)
    return add(match.anchor, match.kind, key, program, isCaseSensitive: isCaseSensitive)
  }

  /// The first alternative of a filter's pattern; the filter itself, unless it is a further one.
  func primary(of number: Int) -> Int {
    let primary = Int(filters[number].primary)
    return primary < 0 ? number : primary
  }

  mutating func append(_ filter: Filter) -> Int {
    filters.append(filter)
    nextInKey.append(-1)
    return filters.count - 1
  }

  /// Adds a filter under a key.
  private mutating func add(
    _ anchor: HostAnchor,
    _ kind: FilterIndex.KeyKind,
    _ text: Span<UInt8>,
    _ program: UInt32,
    isCaseSensitive: Bool
  ) -> Int {
    // The scanner skips whole passes for anchors and kinds of keys that no filter uses.
    anchors |= 1 << UInt32(anchor.rawValue)
    if isCaseSensitive { anchors |= FilterIndex.caseSensitiveKeys }
    keyKinds |= 1 << UInt32(kind.rawValue)
    let number = append(
      Filter(isCaseSensitive: isCaseSensitive, anchor: anchor, program: program)
    )
    keyTexts.draft.removeAll(keepingCapacity: true)
    keyTexts.draft.append(kind.rawValue << 6 | UInt8(truncatingIfNeeded: text.count))
    keyTexts.draft.append(text)
    let (key, isNew) = keyTexts.numberOfDraft()
    add(number, toKey: key, isNew: isNew)
    return number
  }

  /// Adds a filter under a key that was just numbered.
  mutating func add(_ filter: Int, toKey key: Int, isNew: Bool) {
    guard isNew else { return link(filter, toKey: key) }
    let link = Int32(truncatingIfNeeded: filter)
    keys.append(Key(firstFilter: link, lastFilter: link))
  }

  /// Adds a filter behind the others of a key.
  mutating func link(_ filter: Int, toKey key: Int) {
    let link = Int32(truncatingIfNeeded: filter)
    nextInKey[Int(keys[key].lastFilter)] = link
    keys[key].lastFilter = link
  }

  private mutating func add(
    _ lowered: LoweredFilter,
    isCaseSensitive: Bool,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    switch lowered {
    case .key(let filter):
      return try addKey(filter, isCaseSensitive, &writer)
    case .names(let names):
      let primary = filters.count
      for (place, name) in names.enumerated() {
        let number = try addKey(name, isCaseSensitive, &writer)
        if place > 0 { filters[number].primary = Int32(truncatingIfNeeded: primary) }
      }
      return primary
    case .literal(let literal):
      return try addLiteral(literal, isCaseSensitive, &writer)
    case .alternatives(let texts):
      let primary = filters.count
      for (place, text) in texts.enumerated() {
        let number = try addLiteral(text, isCaseSensitive, &writer)
        if place > 0 { filters[number].primary = Int32(truncatingIfNeeded: primary) }
        // Without a rest, alternatives share a stamp instead, which lets only one of them match.
        literals[Int(filters[number].literal)].isAlternative = text.hasRest
      }
      return primary
    }
  }

  private mutating func addKey(
    _ filter: KeyFilter,
    _ isCaseSensitive: Bool,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    let program = try writer.write(filter.tail, isCaseSensitive: isCaseSensitive)
    return add(
      filter.anchor,
      filter.kind,
      filter.key.span,
      program,
      isCaseSensitive: isCaseSensitive
    )
  }

  private mutating func addLiteral(
    _ literal: LiteralFilter,
    _ isCaseSensitive: Bool,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    // Without a window the filter runs from the URL's start, so its program must search by itself.
    let needsSearch =
      literal.extent != .whole && !literal.runs.contains(where: GramPlan.isAlwaysFound)
    let search =
      needsSearch
      ? try writer.write(
        [Term(.characters(.any), .zeroOrMore)] + literal.terms,
        isCaseSensitive: isCaseSensitive
      ) : nil
    var filter = Filter(isCaseSensitive: isCaseSensitive, program: search ?? 0)
    filter.literal = Int32(truncatingIfNeeded: literals.count)
    var added = Literal(filter: filters.count)
    added.gapAnchor = literal.gapAnchor
    added.runs = literal.runs
    if !literal.runs.isEmpty || search == nil {
      filter.program = try writer.write(literal.terms, isCaseSensitive: isCaseSensitive)
      added.extent = literal.extent
      added.searchProgram = search
      if literal.extent == .fixed { added.span = literal.terms.count }
    }
    if added.span != nil,
      writer.cost(of: filter.program, span: added.span).atPlace > Self.longestAttempt
    {
      // Searched for once per URL instead of tried at each occurrence of the literal.
      filter.program = try writer.write(
        [Term(.characters(.any), .zeroOrMore)] + literal.terms,
        isCaseSensitive: isCaseSensitive
      )
      added.extent = .whole
      added.span = nil
    }
    literals.append(added)
    return append(filter)
  }

  /// Adds a posting to a filter: a rule with its entry class, or a condition.
  mutating func addPosting(_ number: UInt32, rule: UInt32, to filter: Int) {
    let last = Int(filters[filter].lastPosting)
    // A condition may list a pattern twice. Its entries are added one after the other, so comparing
    // with the last posting finds the duplicate.
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
