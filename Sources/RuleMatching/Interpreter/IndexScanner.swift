// Hot: one pass over the URL for each index. Bounded by the URL's length; what hits costs its
// records and programs. `Benchmarks` has the figures.

/// Finds the filters of one index that match a URL.
struct IndexScanner {
  let image: Image
  let index: FilterIndexView
  let runner: ProgramRunner

  /// Hands the postings of all filters that match to the sink.
  ///
  /// A filter whose postings the sink does not want is not tried. A posting may be taken more than
  /// once, when its filter matches in several places.
  ///
  /// - Complexity: O(*n*) for *n* bytes of URL, plus the programs that are tried.
  func scan<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    memory.beginURL()
    if index.anchors & HostAnchor.atStart != 0 {
      scanAuthority(text, &memory, &sink)
    }
    if index.anchors & HostAnchor.anywhere != 0 {
      scanEmbeddedHosts(text, &memory, &sink)
    }
    if index.gramStride != 0 {
      scanGrams(text, &memory, &sink)
    }
    runAlways(text, &memory, &sink)
  }

  // MARK: Postings

  /// Tries a filter when the sink wants any of its postings, and hands over those it wants.
  @inline(__always)
  private func tryFilter<Sink: PostingSink>(
    postings start: Int,
    several: Bool,
    _ sink: inout Sink,
    _ matches: () -> Bool
  ) -> Int {
    var offset = start
    let count = several ? Int(image.varint(&offset)) : 1
    let first = offset
    var isTried = false
    var posting = Posting(number: 0, rule: 0)
    for _ in 0..<count {
      readPosting(&offset, &posting)
      if !isTried, sink.wants(posting) {
        isTried = true
        guard matches() else { return skipPostings(first, count) }
        sink.take(posting)
      } else if isTried, sink.wants(posting) {
        sink.take(posting)
      }
    }
    return offset
  }

  @inline(__always)
  private func readPosting(_ offset: inout Int, _ posting: inout Posting) {
    posting.number = image.varint(&offset)
    if index.postingsHaveRules {
      posting.rule &+= image.varint(&offset)
    }
  }

  private func skipPostings(_ start: Int, _ count: Int) -> Int {
    var offset = start
    for _ in 0..<(index.postingsHaveRules ? 2 * count : count) {
      _ = image.varint(&offset)
    }
    return offset
  }

  // MARK: Keys behind anchors

  /// Looks up the places of the authority where a host may begin.
  private func scanAuthority<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    let count = view.count
    var colon = 0
    while view[colon] != UInt8(ascii: ":") {
      guard colon < count, view[colon] < 128 else { return }
      colon &+= 1
    }
    guard colon > 0 else { return }
    var slashes = 0
    while view[colon &+ 1 &+ slashes] == UInt8(ascii: "/"), colon &+ 1 &+ slashes < count {
      slashes &+= 1
    }
    var anchors = startAnchors(view, colon: colon, slashes: slashes) & index.anchors
    guard anchors != 0 else { return }
    let start = colon &+ 1 &+ slashes
    var wordEnd = start
    lookUpKeys(at: start, &wordEnd, anchors, text, &memory, &sink)
    anchors &= HostAnchor.withSubdomains
    var position = start
    while anchors != 0, position < count {
      let byte = view[position]
      switch byte {
      case UInt8(ascii: "."):
        // The anchors ask for at least one character in front of the dot.
        if position > start {
          lookUpKeys(at: position &+ 1, &wordEnd, anchors, text, &memory, &sink)
        }
        anchors &= ~HostAnchor.webScheme.bit
      case UInt8(ascii: "/"):
        return
      case UInt8(ascii: ":"):
        anchors &= ~(HostAnchor.anySchemeSlashes.bit | HostAnchor.webScheme.bit)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        break
      default:
        guard byte < 128 else { return }
        anchors &= ~HostAnchor.webScheme.bit
      }
      position &+= 1
    }
  }

  /// The anchors whose scheme and slashes fit the beginning of the URL.
  private func startAnchors(_ view: TextView, colon: Int, slashes: Int) -> UInt32 {
    if slashes == 0 { return HostAnchor.anySchemeOptionalSlashes.bit }
    guard slashes >= 2 else { return 0 }
    var anchors = HostAnchor.anySchemeSlashes.bit
    // More slashes than two are part of the "any number" only; the others would need a host that
    // begins with a slash.
    guard slashes == 2 else { return anchors }
    anchors |= HostAnchor.anySchemeOptionalSlashes.bit
    let scheme = view.word(at: 0)
    if scheme & 0xFF_FFFF_FFFF == 0x3A_7074_7468  // "http:"
      || scheme & 0xFFFF_FFFF_FFFF == 0x3A73_7074_7468  // "https:"
    {
      return anchors | HostAnchor.http.bit | HostAnchor.httpExact.bit
        | HostAnchor.webScheme.bit | HostAnchor.webSchemeExact.bit
    }
    for position in 0..<colon {
      switch view[position] {
      case UInt8(ascii: "h"), UInt8(ascii: "t"), UInt8(ascii: "p"), UInt8(ascii: "s"),
        UInt8(ascii: "w"):
        continue
      default:
        return anchors
      }
    }
    return anchors | HostAnchor.webScheme.bit | HostAnchor.webSchemeExact.bit
  }

  /// Looks up the hosts behind every `://`, for conditions on domains.
  private func scanEmbeddedHosts<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    // Whether the run of scheme characters that ends here holds a letter.
    var schemeHasLetter = false
    var position = 0
    while position < view.count {
      let byte = view[position]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        schemeHasLetter = true
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        break
      default:
        if schemeHasLetter, view.gram(at: position) & 0xFF_FFFF == 0x2F_2F3A {  // "://"
          scanEmbeddedHost(at: position &+ 3, text, &memory, &sink)
        }
        schemeHasLetter = false
      }
      position &+= 1
    }
  }

  private func scanEmbeddedHost<Sink: PostingSink>(
    at start: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    var wordEnd = start
    let anchors = index.anchors & HostAnchor.anywhere
    lookUpKeys(at: start, &wordEnd, anchors, text, &memory, &sink)
    var position = start
    while position < view.count {
      let byte = view[position]
      if byte == UInt8(ascii: "/") || byte > 127 { return }
      position &+= 1
      if byte == UInt8(ascii: ".") {
        lookUpKeys(
          at: position,
          &wordEnd,
          anchors & HostAnchor.domainBelow.bit,
          text,
          &memory,
          &sink
        )
      }
    }
  }

  @inline(__always)
  private func lookUpKeys<Sink: PostingSink>(
    at start: Int,
    _ wordEnd: inout Int,
    _ anchors: UInt32,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    if index.uses(.word) {
      if wordEnd < start { wordEnd = start }
      while FilterIndex.isWordByte(view[wordEnd]) { wordEnd &+= 1 }
      let length = wordEnd &- start
      if length > 0, length <= FilterIndex.maximumWord {
        var hash = FilterIndex.seed(.word, length: length)
        var offset = 0
        while length &- offset > 8 {
          hash = FilterIndex.mix(hash, view.word(at: start &+ offset))
          offset &+= 8
        }
        let mask = UInt64.max &>> UInt64(64 &- 8 &* (length &- offset))
        hash = FilterIndex.mix(hash, view.word(at: start &+ offset) & mask)
        lookUp(.word, length, hash, at: start, anchors, text, &memory, &sink)
      }
    }
    if index.uses(.prefix8), start &+ 8 <= view.count {
      let hash = FilterIndex.mix(FilterIndex.seed(.prefix8, length: 8), view.word(at: start))
      lookUp(.prefix8, 8, hash, at: start, anchors, text, &memory, &sink)
    }
    if index.uses(.prefix4), start &+ 4 <= view.count {
      let hash = FilterIndex.mix(
        FilterIndex.seed(.prefix4, length: 4),
        UInt64(view.gram(at: start))
      )
      lookUp(.prefix4, 4, hash, at: start, anchors, text, &memory, &sink)
    }
  }

  @inline(__always)
  private func lookUp<Sink: PostingSink>(
    _ kind: FilterIndex.KeyKind,
    _ length: Int,
    _ hash: UInt64,
    at start: Int,
    _ anchors: UInt32,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var slot = FilterIndex.firstSlot(
      UInt32(truncatingIfNeeded: hash &>> 32),
      slots: index.keySlots
    )
    let fingerprint = UInt32(truncatingIfNeeded: hash & 0xFF)
    while true {
      let value = image.u32(index.keyTable &+ 4 &* slot)
      if value == 0 { return }
      if value &>> 24 == fingerprint {
        let record = index.records &+ 4 &* Int(value & 0xFF_FFFF) &- 4
        if isKey(kind, length, at: record, text, start) {
          tryKeyRecord(record &+ 1 &+ length, length, at: start, anchors, text, &memory, &sink)
          return
        }
      }
      slot &+= 1
      if slot == index.keySlots { slot = 0 }
    }
  }

  private func isKey(
    _ kind: FilterIndex.KeyKind,
    _ length: Int,
    at record: Int,
    _ text: borrowing URLText,
    _ start: Int
  ) -> Bool {
    guard image.u8(record) == kind.rawValue &<< 6 | UInt8(truncatingIfNeeded: length) else {
      return false
    }
    let view = text.view(isCaseSensitive: false)
    for offset in 0..<length
    where image.u8(record &+ 1 &+ offset) != view[start &+ offset] {
      return false
    }
    return true
  }

  /// Tries the filters of a key record whose key stands at a place of the URL.
  private func tryKeyRecord<Sink: PostingSink>(
    _ firstFilter: Int,
    _ keyLength: Int,
    at start: Int,
    _ anchors: UInt32,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var offset = firstFilter
    while true {
      let head = image.u8(offset)
      offset &+= 1
      let isCaseSensitive = head & FilterIndex.Head.isCaseSensitive != 0
      let tail =
        head & FilterIndex.Head.hasTail != 0 ? Int(image.varint(&offset)) : nil
      let several = head & FilterIndex.Head.hasSeveralPostings != 0
      let anchor: UInt32 = 1 << UInt32(head & FilterIndex.Head.anchorMask)
      if anchors & anchor == 0
        || isCaseSensitive && !text.isFolded(from: start, count: keyLength)
      {
        let count = several ? Int(image.varint(&offset)) : 1
        offset = skipPostings(offset, count)
      } else {
        let view = text.view(isCaseSensitive: isCaseSensitive)
        offset = tryFilter(postings: offset, several: several, &sink) {
          guard let tail else { return true }
          return runner.matches(tail, view, from: start &+ keyLength, &memory.threads)
        }
      }
      if head & FilterIndex.Head.isLast != 0 { return }
    }
  }

  // MARK: Grams

  /// Looks up every `gramStride`-th group of four bytes.
  private func scanGrams<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    var position = 0
    while position &+ 4 <= view.count {
      let gram = view.gram(at: position)
      let hash = FilterIndex.hash(gram: gram)
      let bit = hash &>> index.gramFilterShift
      if image.u8(index.gramFilter &+ Int(bit &>> 3)) &>> UInt8(bit & 7) & 1 != 0 {
        lookUpGram(gram, hash, at: position, text, &memory, &sink)
      }
      position &+= index.gramStride
    }
  }

  private func lookUpGram<Sink: PostingSink>(
    _ gram: UInt32,
    _ hash: UInt32,
    at position: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var slot = FilterIndex.firstSlot(
      FilterIndex.tableHash(ofGramHash: hash),
      slots: index.gramSlots
    )
    let fingerprint = hash & 0xFF
    while true {
      let value = image.u32(index.gramTable &+ 4 &* slot)
      if value == 0 { return }
      if value &>> 24 == fingerprint {
        var offset = index.records &+ 4 &* Int(value & 0xFF_FFFF) &- 4
        if image.u32(offset) == gram {
          offset &+= 4
          for _ in 0..<image.varint(&offset) {
            let filter = Int(image.varint(&offset))
            let distance = Int(image.varint(&offset))
            tryFilterRecord(
              index.records &+ filter,
              programStart: position &- distance,
              text,
              &memory,
              &sink
            )
          }
          return
        }
      }
      slot &+= 1
      if slot == index.gramSlots { slot = 0 }
    }
  }

  private func tryFilterRecord<Sink: PostingSink>(
    _ record: Int,
    programStart: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var offset = record &+ 1
    let head = image.u8(record)
    var start = programStart
    if head & FilterIndex.Head.runsFromStart != 0 {
      guard memory.isFirstRun(Int(image.varint(&offset))) else { return }
      start = 0
    } else if start < 0 {
      return
    }
    let program = Int(image.varint(&offset))
    let view = text.view(isCaseSensitive: head & FilterIndex.Head.isCaseSensitive != 0)
    let several = head & FilterIndex.Head.hasSeveralPostings != 0
    _ = tryFilter(postings: offset, several: several, &sink) {
      runner.matches(program, view, from: start, &memory.threads)
    }
  }

  /// Tries a filter that nothing leads to: where its program reads from its literal on, at every
  /// place, since the literal is too short for the stride.
  private func searchFilterRecord<Sink: PostingSink>(
    _ record: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let head = image.u8(record)
    guard head & FilterIndex.Head.runsFromStart == 0 else {
      tryFilterRecord(record, programStart: 0, text, &memory, &sink)
      return
    }
    var offset = record &+ 1
    let program = Int(image.varint(&offset))
    let view = text.view(isCaseSensitive: head & FilterIndex.Head.isCaseSensitive != 0)
    let several = head & FilterIndex.Head.hasSeveralPostings != 0
    _ = tryFilter(postings: offset, several: several, &sink) {
      for start in 0...view.count
      where runner.matches(program, view, from: start, &memory.threads) {
        return true
      }
      return false
    }
  }

  // MARK: Filters without a usable text

  private func runAlways<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var offset = index.alwaysRun
    for _ in 0..<image.varint(&offset) {
      let filter = Int(image.varint(&offset))
      searchFilterRecord(index.records &+ filter, text, &memory, &sink)
    }
  }
}

/// Working memory for scanning one URL after the other.
struct ScanMemory {
  var threads: ThreadLists
  private var stamps: [UInt32]
  private var generation: UInt32 = 0

  /// Creates memory for indexes with up to so many stamps and threads.
  init(stampCount: Int, threadCount: Int) {
    threads = ThreadLists(capacity: threadCount)
    stamps = Array(repeating: 0, count: stampCount)
  }

  /// Grows the memory where a list asks for more than any before.
  mutating func reserve(stampCount: Int, threadCount: Int) {
    if stampCount > stamps.count {
      stamps = Array(repeating: 0, count: stampCount)
      generation = 0
    }
    if threadCount > threads.capacity {
      threads = ThreadLists(capacity: threadCount)
    }
  }

  /// Forgets which filters ran.
  mutating func beginURL() {
    generation &+= 1
    if generation == 0 {
      for index in stamps.indices { stamps[index] = 0 }
      generation = 1
    }
  }

  /// Notes that a filter runs; false when it did already for this URL and index.
  mutating func isFirstRun(_ stamp: Int) -> Bool {
    guard stamps[stamp] != generation else { return false }
    stamps[stamp] = generation
    return true
  }
}
