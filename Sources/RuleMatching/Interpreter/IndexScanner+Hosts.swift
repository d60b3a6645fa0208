// Hot: walks the authority of every URL, eight or sixteen bytes per step, and looks up each label of its host.
// Bounded by the authority's length, and by `ScanMemory.mostKeys` candidates per batch. Hosts of
// recent requests skip the look-ups (`HostMemory`); only plain, lower-case hosts are cached. The
// order of look-ups does not matter: a decision is the same for matched entries in any order.
// Guarded by `Scripts/count-instructions`; the share of it is in Documentation/Performance.md.

/// The place at which keys are looked up, and the filters that may use it.
struct HostPlace {
  /// Which filters are tried, by case sensitivity.
  enum Cases {
    case both
    case insensitive
    case sensitive
  }

  let view: TextView
  let cases: Cases
  /// The anchors that allow a host to begin at the current place.
  var anchors: UInt32 = 0
  /// The end of the last word, so that the labels within it do not search for it again.
  var wordEnd = -1

  init(view: TextView, cases: Cases) {
    self.view = view
    self.cases = cases
  }

  /// The anchors of the filters that are tried: in bits 0–15 those of filters that are not
  /// case-sensitive, in bits 16–31 those of filters that are, as ``KeyFilterHead/anchorBit`` has it.
  @inline(__always)
  var admitted: UInt32 {
    switch cases {
    case .both: anchors | anchors &<< 16
    case .insensitive: anchors
    case .sensitive: anchors &<< 16
    }
  }
}

/// A host that is one word of host characters, and the anchors that allow a key at its labels.
struct PlainHost {
  let start: Int
  let end: Int
  /// The anchors that allow a key at the start.
  let anchors: UInt32
  /// The anchors that allow a key behind a dot.
  let anchorsBelow: UInt32
}

extension IndexScanner {
  /// Looks up the keys at all places of the authority where a host may begin.
  ///
  /// Case-sensitive filters read the exact text. Mostly it has no upper-case letter as far as keys
  /// reach; then both texts are the same and one pass serves all filters. A host has none but in a URL
  /// that was not made by the URL standard, so what is cached of it serves them, too.
  func scanAuthority<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let scheme = memory.scheme
    guard scheme.hasColon else { return }
    let folded = text.view(isCaseSensitive: false)
    let end = folded.firstIndex(of: UInt8(ascii: "/"), from: scheme.authority) ?? folded.count
    // + 8, because a prefix of eight bytes that begins in the host may reach that far beyond it.
    let isPlain = text.foldedPrefix >= min(end &+ 8, folded.count)
    // Only the `webScheme` anchor depends on the characters of the label before a dot, which
    // neither path below looks at.
    if text.foldedPrefix >= end, index.anchors & HostAnchor.webScheme.bit == 0 {
      let known = memory.hosts.entry(index.records, folded, scheme.authority, end)
      let anchors = scheme.anchors(in: folded) & index.anchors
      let host = PlainHost(
        start: scheme.authority,
        end: end,
        anchors: anchors,
        anchorsBelow: anchors & HostAnchor.withSubdomains
      )
      if let known, known.isKnown {
        if known.entry.hasKeys {
          scanKnownHost(known.entry, host, isPlain: isPlain, text, &memory, &sink)
        }
        return
      }
      // An authority that is one word, without port or user, needs no look at its separators.
      if isPlain, folded.wordEnd(from: scheme.authority) == end, end > scheme.authority,
        folded[scheme.authority] != UInt8(ascii: ".")
      {
        if let known {
          memory.hosts.begin(known.entry, known.owner, folded, scheme.authority, end)
        }
        scanLabels(known?.entry, host, text, &memory, &sink)
        return
      }
    }
    var place = HostPlace(view: folded, cases: isPlain ? .both : .insensitive)
    scanHosts(text, &place, &memory, &sink)
    if !isPlain, index.hasCaseSensitiveKeys {
      place = HostPlace(view: text.view(isCaseSensitive: true), cases: .sensitive)
      scanHosts(text, &place, &memory, &sink)
    }
  }

  /// Tries the keys of a cached host; `isPlain` says that there is no upper-case letter as far as keys
  /// reach beyond it.
  private func scanKnownHost<Sink: PostingSink>(
    _ entry: HostMemory.Entry,
    _ host: PlainHost,
    isPlain: Bool,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let start = host.start
    let view = text.view(isCaseSensitive: false)
    var place = HostPlace(view: view, cases: .both)
    for number in 0..<entry.hitCount {
      let hit = entry.hit(number)
      place.anchors = hit.place == 0 ? host.anchors : host.anchorsBelow
      if place.anchors == 0 { continue }
      tryKeyRecord(
        hit.record &+ 1,
        hit.length,
        at: start &+ hit.place,
        place,
        text,
        &memory,
        &sink
      )
    }
    // Prefixes that reach beyond the host depend on the path, so they are not cached but looked up.
    if isPlain {
      scanEdges(entry, host, place, text, &memory, &sink)
    } else {
      let folded = HostPlace(view: view, cases: .insensitive)
      scanEdges(entry, host, folded, text, &memory, &sink)
      guard index.hasCaseSensitiveKeys else { return }
      let exact = HostPlace(view: text.view(isCaseSensitive: true), cases: .sensitive)
      scanEdges(entry, host, exact, text, &memory, &sink)
    }
  }

  /// Looks up the prefixes of a cached host that reach beyond it.
  @inline(__always)
  private func scanEdges<Sink: PostingSink>(
    _ entry: HostMemory.Entry,
    _ host: PlainHost,
    _ place: HostPlace,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var place = place
    var count = 0
    for number in 0..<entry.edgeCount {
      let label = host.start &+ entry.edge(number)
      notePrefixes(at: label, beyond: host.end, place.view, &memory, &count)
    }
    for number in 0..<count {
      let key = memory.key(number)
      place.anchors = key.position == host.start ? host.anchors : host.anchorsBelow
      if place.anchors != 0 { lookUp(key, place, text, &memory, &sink) }
    }
  }

  /// Looks up the labels of an authority that is one word, as nearly all are, and fills the cache
  /// entry of the host if there is one.
  private func scanLabels<Sink: PostingSink>(
    _ entry: HostMemory.Entry?,
    _ host: PlainHost,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    let (start, end) = (host.start, host.end)
    var place = HostPlace(view: view, cases: .both)
    var label = start
    var count = 0
    while true {
      // All labels pass the bit filter before any is looked up, so that its cache misses overlap.
      noteKeys(at: label, until: end, view, &memory, &count)
      if let entry, mayReach(from: label, beyond: end) {
        memory.hosts.addEdge(entry, place: label &- start)
      }
      // Not beyond the host: a URL may hold as many hosts as it has bytes for.
      let dot = view.firstIndex(of: UInt8(ascii: "."), from: label, before: end) ?? end
      if dot >= end || count > ScanMemory.mostKeys &- FilterIndex.KeyKind.allCases.count {
        for number in 0..<count {
          let key = memory.key(number)
          guard let record = record(of: key, view) else { continue }
          // Keys of the host alone are cached. The anchors depend on the scheme, which the entry
          // does not name: a hit is stored even if none of them fits this URL.
          if let entry, key.position &+ key.length <= end {
            let place = key.position &- start
            memory.hosts.addHit(entry, record: record, length: key.length, place: place)
          }
          place.anchors = key.position == start ? host.anchors : host.anchorsBelow
          if place.anchors != 0 {
            tryKeyRecord(record &+ 1, key.length, at: key.position, place, text, &memory, &sink)
          }
        }
        if dot >= end { return }
        count = 0
      }
      label = dot &+ 1
    }
  }

  /// Whether a prefix that begins at a label may reach beyond the host, with the slash that follows it.
  private func mayReach(from label: Int, beyond end: Int) -> Bool {
    let offset = end &- label
    return offset < 8 && index.slashless &>> UInt32(truncatingIfNeeded: offset) & 1 == 0
  }

  /// Looks up the keys at all labels of an authority of any kind.
  @inline(never)
  private func scanHosts<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ place: inout HostPlace,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = place.view
    let scheme = memory.scheme
    let start = scheme.authority
    place.anchors = scheme.anchors(in: view) & index.anchors
    guard place.anchors != 0 else { return }
    lookUpKeys(at: start, &place, text, &memory, &sink)
    place.anchors &= HostAnchor.withSubdomains
    if place.anchors & HostAnchor.webScheme.bit != 0 {
      let others = place.anchors & ~HostAnchor.webScheme.bit
      let label = Self.plainLabelEnd(view, from: start)
      // This anchor allows exactly one plain label and its dot before the host.
      if label > start, view[label] == UInt8(ascii: ".") {
        place.anchors = HostAnchor.webScheme.bit
        lookUpKeys(at: label &+ 1, &place, text, &memory, &sink)
      }
      place.anchors = others
    }
    var block = start
    while place.anchors != 0, block < view.count {
      let word = view.word(at: block)
      // The authority ends at a slash, and at a byte above 127, which no pattern goes past.
      let stops =
        ByteMask.bytes(of: word, equalTo: UInt8(ascii: "/")) | word & ByteMask.highBits
      let colons = ByteMask.bytes(of: word, equalTo: UInt8(ascii: ":"))
      var dots = ByteMask.bytes(of: word, equalTo: UInt8(ascii: "."))
      // Keeps the dots before the first stop; without a stop, all.
      if stops != 0 { dots &= (stops & (0 &- stops)) &- 1 }
      while dots != 0 {
        let dot = dots & (0 &- dots)
        dots ^= dot
        // A colon before this dot: what follows is not reached by anchors whose labels exclude
        // colons.
        if colons & (dot &- 1) != 0 { place.anchors &= ~HostAnchor.withoutColons }
        let position = block &+ dot.trailingZeroBitCount &>> 3
        if position > start {
          lookUpKeys(at: position &+ 1, &place, text, &memory, &sink)
        } else {
          // Only this anchor allows an empty label before a dot.
          let all = place.anchors
          place.anchors &= HostAnchor.httpLabels.bit
          if place.anchors != 0 { lookUpKeys(at: position &+ 1, &place, text, &memory, &sink) }
          place.anchors = all
        }
      }
      if stops != 0 { return }
      if colons != 0 { place.anchors &= ~HostAnchor.withoutColons }
      block &+= 8
    }
  }

  /// Returns the end of the run of letters, digits and hyphens that begins at an index.
  private static func plainLabelEnd(_ view: TextView, from start: Int) -> Int {
    var index = start
    while true {
      switch view[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        index &+= 1
      default: return index
      }
    }
  }

  /// Looks up the hosts behind every `://`, for conditions on domains.
  ///
  /// A domain's pattern is not anchored at the URL's start, so a URL in a query counts too, as in
  /// WebKit.
  func scanEmbeddedHosts<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    let scheme = memory.scheme
    // There is no colon before the scheme's.
    var position = scheme.hasColon ? scheme.behindColon &- 1 : 0
    while let colon = view.firstIndex(of: UInt8(ascii: ":"), from: position) {
      position = colon &+ 1
      guard view.gram(at: colon) & 0xFF_FFFF == 0x2F_2F3A,  // "://"
        colon &+ 3 == scheme.behindHTTP || Self.isScheme(view, before: colon)
      else { continue }
      let anchors = index.anchors & HostAnchor.anywhere
      let start = colon &+ 3
      let end = view.firstIndex(of: UInt8(ascii: "/"), from: start) ?? view.count
      let host = PlainHost(
        start: start,
        end: end,
        anchors: anchors,
        anchorsBelow: anchors & HostAnchor.domainBelow.bit
      )
      // A host that fills its authority, as nearly every page's does, may be known from before.
      let known = memory.hosts.entry(index.records, view, start, end)
      if let known, known.isKnown {
        if known.entry.hasKeys {
          scanKnownHost(known.entry, host, isPlain: true, text, &memory, &sink)
        }
        position = end
        continue
      }
      let wordEnd = view.wordEnd(from: start)
      // One that begins with a dot must not become known, since `scanAuthority` would take it for known, too, whose
      // anchors mostly allow no empty label.
      if wordEnd == end, end > start, view[start] != UInt8(ascii: ".") {
        if let known { memory.hosts.begin(known.entry, known.owner, view, start, end) }
        scanLabels(known?.entry, host, text, &memory, &sink)
        position = end
        continue
      }
      var place = HostPlace(view: view, cases: .both)
      place.anchors = anchors
      place.wordEnd = wordEnd
      lookUpKeys(at: start, &place, text, &memory, &sink)
      place.anchors &= HostAnchor.domainBelow.bit
      var label = start
      // Every label below the host, up to the path.
      while place.anchors != 0, label < view.count, view[label] < 128,
        view[label] != UInt8(ascii: "/")
      {
        label &+= 1
        if view[label &- 1] == UInt8(ascii: ".") {
          lookUpKeys(at: label, &place, text, &memory, &sink)
        }
      }
    }
  }

  /// Whether the run of scheme characters that ends at an index contains a letter.
  private static func isScheme(_ view: TextView, before end: Int) -> Bool {
    var index = end
    while index > 0 {
      index &-= 1
      switch view[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): return true
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): continue
      default: return false
      }
    }
    return false
  }
}
