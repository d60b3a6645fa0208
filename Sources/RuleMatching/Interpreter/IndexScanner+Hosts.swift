// Hot: looks at the authority of every URL, eight bytes a step, and into the key table for each
// label of the host.

/// Where hosts are looked for, and for whom.
struct HostPlace {
  /// Which filters take part.
  enum Cases {
    case both
    case insensitive
    case sensitive
  }

  let view: TextView
  let cases: Cases
  /// The anchors that lead to the current place.
  var anchors: UInt32 = 0
  /// The end of the last word that was looked up.
  var wordEnd = -1

  init(view: TextView, cases: Cases) {
    self.view = view
    self.cases = cases
  }

  /// Whether filters of the given case sensitivity take part.
  @inline(__always)
  func admits(isCaseSensitive: Bool) -> Bool {
    switch cases {
    case .both: true
    case .insensitive: !isCaseSensitive
    case .sensitive: isCaseSensitive
    }
  }
}

extension IndexScanner {
  /// Looks up the places of the authority where a host may begin.
  ///
  /// Case-sensitive filters read the exact text. Where it has no upper-case letter as far as keys
  /// reach, which is nearly always, both texts are the same and one pass serves all filters.
  func scanAuthority<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ scheme: SchemeLayout,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    guard scheme.hasColon else { return }
    let folded = text.view(isCaseSensitive: false)
    let end = folded.firstIndex(of: UInt8(ascii: "/"), from: scheme.authority) ?? folded.count
    let isPlain = text.foldedPrefix >= min(end &+ 8, folded.count)
    if isPlain, index.anchors & HostAnchor.webScheme.bit == 0 {
      let known = memory.hosts.entry(index.records, folded, scheme.authority, end)
      if let known, known.isKnown {
        scanKnownHost(known.entry, until: end, text, scheme, &memory, &sink)
        return
      }
      // An authority that is one word is looked up as a whole.
      if folded.wordEnd(from: scheme.authority) == end, end > scheme.authority,
        folded[scheme.authority] != UInt8(ascii: ".")
      {
        if let known {
          memory.hosts.begin(known.entry, known.owner, folded, scheme.authority, end)
        }
        scanLabels(known?.entry, until: end, text, scheme, &memory, &sink)
        return
      }
    }
    var place = HostPlace(view: folded, cases: isPlain ? .both : .insensitive)
    scanHosts(text, scheme, &place, &memory, &sink)
    if !isPlain, index.hasCaseSensitiveKeys {
      place = HostPlace(view: text.view(isCaseSensitive: true), cases: .sensitive)
      scanHosts(text, scheme, &place, &memory, &sink)
    }
  }

  /// Tries the keys of a host that was looked up before.
  private func scanKnownHost<Sink: PostingSink>(
    _ entry: HostMemory.Entry,
    until end: Int,
    _ text: borrowing URLText,
    _ scheme: SchemeLayout,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let start = scheme.authority
    let view = text.view(isCaseSensitive: false)
    var place = HostPlace(view: view, cases: .both)
    let anchors = scheme.anchors(in: view) & index.anchors
    for number in 0..<entry.hitCount {
      let hit = entry.hit(number)
      place.anchors = hit.place == 0 ? anchors : anchors & HostAnchor.withSubdomains
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
    var count = 0
    for number in 0..<entry.edgeCount {
      let label = start &+ entry.edge(number)
      notePrefixes(at: label, beyond: end, view, &memory, &count)
    }
    for number in 0..<count {
      let key = memory.key(number)
      place.anchors = key.position == start ? anchors : anchors & HostAnchor.withSubdomains
      if place.anchors != 0 { lookUp(key, place, text, &memory, &sink) }
    }
  }

  /// Looks up the labels of an authority that is one word, as nearly all are, and notes what there
  /// is in an entry, if there is one.
  private func scanLabels<Sink: PostingSink>(
    _ entry: HostMemory.Entry?,
    until end: Int,
    _ text: borrowing URLText,
    _ scheme: SchemeLayout,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    let start = scheme.authority
    var place = HostPlace(view: view, cases: .both)
    let anchors = scheme.anchors(in: view) & index.anchors
    var label = start
    var count = 0
    while true {
      // Of all labels, before any is looked up: so the filter's words are read at the same time.
      noteKeys(at: label, until: end, view, &memory, &count)
      if let entry, label &+ 8 > end {
        memory.hosts.addEdge(entry, place: label &- start)
      }
      let dot = view.firstIndex(of: UInt8(ascii: "."), from: label) ?? end
      if dot >= end || count > ScanMemory.mostKeys &- FilterIndex.KeyKind.allCases.count {
        for number in 0..<count {
          let key = memory.key(number)
          guard let record = record(of: key, view) else { continue }
          if let entry, key.position &+ key.length <= end {
            let place = key.position &- start
            memory.hosts.addHit(entry, record: record, length: key.length, place: place)
          }
          place.anchors = key.position == start ? anchors : anchors & HostAnchor.withSubdomains
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

  private func scanHosts<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ scheme: SchemeLayout,
    _ place: inout HostPlace,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = place.view
    let start = scheme.authority
    place.anchors = scheme.anchors(in: view) & index.anchors
    guard place.anchors != 0 else { return }
    lookUpKeys(at: start, &place, text, &memory, &sink)
    place.anchors &= HostAnchor.withSubdomains
    if place.anchors & HostAnchor.webScheme.bit != 0 {
      let others = place.anchors & ~HostAnchor.webScheme.bit
      let label = Self.plainLabelEnd(view, from: start)
      // The anchor takes one plain label and its dot.
      if label > start, view[label] == UInt8(ascii: ".") {
        place.anchors = HostAnchor.webScheme.bit
        lookUpKeys(at: label &+ 1, &place, text, &memory, &sink)
      }
      place.anchors = others
    }
    var block = start
    while place.anchors != 0, block < view.count {
      let word = view.word(at: block)
      let stops =
        ByteMask.bytes(of: word, equalTo: UInt8(ascii: "/")) | word & ByteMask.highBits
      let colons = ByteMask.bytes(of: word, equalTo: UInt8(ascii: ":"))
      var dots = ByteMask.bytes(of: word, equalTo: UInt8(ascii: "."))
      // Below the first stop; all bits when there is none.
      if stops != 0 { dots &= (stops & (0 &- stops)) &- 1 }
      while dots != 0 {
        let dot = dots & (0 &- dots)
        dots ^= dot
        if colons & (dot &- 1) != 0 { place.anchors &= ~HostAnchor.withoutColons }
        let position = block &+ dot.trailingZeroBitCount &>> 3
        if position > start {
          lookUpKeys(at: position &+ 1, &place, text, &memory, &sink)
        } else {
          // Only one anchor takes a dot with nothing in front of it.
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

  /// The end of the run of letters, digits and hyphens that begins at an index.
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
  func scanEmbeddedHosts<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    var position = 0
    while let colon = view.firstIndex(of: UInt8(ascii: ":"), from: position) {
      position = colon &+ 1
      guard view.gram(at: colon) & 0xFF_FFFF == 0x2F_2F3A,  // "://"
        Self.isScheme(view, before: colon)
      else { continue }
      var place = HostPlace(view: view, cases: .both)
      place.anchors = index.anchors & HostAnchor.anywhere
      lookUpKeys(at: colon &+ 3, &place, text, &memory, &sink)
      place.anchors &= HostAnchor.domainBelow.bit
      var label = colon &+ 3
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

  /// Whether the run of scheme characters that ends at an index holds a letter.
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
