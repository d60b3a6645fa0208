// Hot: one to three table look-ups for each label of a host, most of which end at the first slot.

/// A key that may be in the table.
@usableFromInline
struct KeyCandidate {
  var kind: FilterIndex.KeyKind
  var length: Int
  /// Where it begins in the URL.
  var position: Int
  var hash: UInt64
}

extension IndexScanner {
  /// Looks up the keys that begin at an index, which is at most the URL's length.
  func lookUpKeys<Sink: PostingSink>(
    at start: Int,
    _ place: inout HostPlace,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    if place.wordEnd < start { place.wordEnd = place.view.wordEnd(from: start) }
    var count = 0
    noteKeys(at: start, until: place.wordEnd, place.view, &memory, &count)
    for number in 0..<count { lookUp(memory.key(number), place, text, &memory, &sink) }
  }

  /// Notes those keys that begin at an index and pass the bit filter.
  ///
  /// The index is at most the URL's length, and `wordEnd` the end of the word that begins there. The
  /// count of noted keys grows by one for each kind of key at most.
  @inline(__always)
  func noteKeys(
    at start: Int,
    until wordEnd: Int,
    _ view: TextView,
    _ memory: inout ScanMemory,
    _ count: inout Int
  ) {
    let first = view.word(at: start)
    let length = wordEnd &- start
    if index.usesWords, length > 0, length <= FilterIndex.maximumWord {
      var hash = FilterIndex.seed(.word, length: length)
      var word = first
      var offset = 8
      while offset < length {
        hash = FilterIndex.mix(hash, word)
        // In bounds because the word of host characters ends behind it.
        word = unsafe view.word(unchecked: start &+ offset)
        offset &+= 8
      }
      let mask = UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* (offset &- length))
      note(.word, length, start, FilterIndex.mix(hash, word & mask), &memory, &count)
    }
    if index.usesPrefixes8, start &+ 8 <= view.count {
      let hash = FilterIndex.mix(FilterIndex.seed(.prefix8, length: 8), first)
      note(.prefix8, 8, start, hash, &memory, &count)
    }
    if index.usesPrefixes4, start &+ 4 <= view.count {
      let hash = FilterIndex.mix(FilterIndex.seed(.prefix4, length: 4), first & 0xFFFF_FFFF)
      note(.prefix4, 4, start, hash, &memory, &count)
    }
  }

  /// Notes those prefixes that begin at an index, reach beyond another, and pass the bit filter.
  func notePrefixes(
    at start: Int,
    beyond end: Int,
    _ view: TextView,
    _ memory: inout ScanMemory,
    _ count: inout Int
  ) {
    let first = view.word(at: start)
    if index.usesPrefixes8, start &+ 8 > end, start &+ 8 <= view.count {
      let hash = FilterIndex.mix(FilterIndex.seed(.prefix8, length: 8), first)
      note(.prefix8, 8, start, hash, &memory, &count)
    }
    if index.usesPrefixes4, start &+ 4 > end, start &+ 4 <= view.count {
      let hash = FilterIndex.mix(FilterIndex.seed(.prefix4, length: 4), first & 0xFFFF_FFFF)
      note(.prefix4, 4, start, hash, &memory, &count)
    }
  }

  /// Notes a key if the bit filter lets it pass, as it does with few that are not in the table.
  @inline(__always)
  private func note(
    _ kind: FilterIndex.KeyKind,
    _ length: Int,
    _ position: Int,
    _ hash: UInt64,
    _ memory: inout ScanMemory,
    _ count: inout Int
  ) {
    // In bounds because the validator found all bits of the filter within the section.
    let word = unsafe image.u64(
      unchecked: index.keyFilter &+ 8 &* Int(truncatingIfNeeded: hash &>> index.keyFilterShift)
    )
    memory.setKey(
      count,
      KeyCandidate(kind: kind, length: length, position: position, hash: hash)
    )
    count &+= FilterIndex.isSet(word, hash)
  }

  /// Tries the filters of a key, if it is in the table.
  func lookUp<Sink: PostingSink>(
    _ key: KeyCandidate,
    _ place: HostPlace,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    guard let record = record(of: key, place.view) else { return }
    tryKeyRecord(record &+ 1, key.length, at: key.position, place, text, &memory, &sink)
  }

  /// The record of a key, if it is in the table.
  func record(of key: KeyCandidate, _ view: TextView) -> Int? {
    let slots = index.keySlots
    var slot = FilterIndex.firstSlot(key.hash, slots: slots)
    let fingerprint = FilterIndex.keyFingerprint(key.hash)
    while true {
      let value = image.u32(index.keyTable &+ 4 &* slot)
      if value == 0 { return nil }
      if (value ^ fingerprint) & ~FilterIndex.keyReference == 0 {
        let record = index.keyRecord(value)
        if isKey(key.kind, key.length, at: record, view, key.position) { return record }
      }
      slot &+= 1
      if slot == slots { slot = 0 }
    }
  }

  private func isKey(
    _ kind: FilterIndex.KeyKind,
    _ length: Int,
    at record: Int,
    _ view: TextView,
    _ start: Int
  ) -> Bool {
    guard image.u8(record) == kind.rawValue &<< 6 | UInt8(truncatingIfNeeded: length) else {
      return false
    }
    let key = record &+ 1
    var offset = 0
    while length &- offset >= 8 {
      if image.u64(key &+ offset) != view.word(at: start &+ offset) { return false }
      offset &+= 8
    }
    if offset == length { return true }
    let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- offset))
    return (image.u64(key &+ offset) ^ view.word(at: start &+ offset)) &<< unused == 0
  }
}
