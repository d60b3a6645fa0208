// Hot: up to three hashes and bit tests for each label of a host, and few look-ups in the key
// table. Bounded by a word of at most 63 bytes per label; probing by
// `CompilerLimits.collidingHosts`. Nearly all absent keys end at the bit filter, most others at the
// first slot's seven bits of hash. Unchecked reads are in bounds because `Validator` checked the
// filter, and `wordEnd` the word. Guarded by `Scripts/count-instructions`;
// Documentation/Performance.md.

/// A key of the URL that passed the bit filter and may be in the table.
@usableFromInline
struct KeyCandidate {
  var kind: FilterIndex.KeyKind
  var length: Int
  /// The position in the URL where it begins.
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

  /// Notes the keys that begin at an index and pass the bit filter.
  ///
  /// `start` is at most the URL's length, and `wordEnd` the end of the word that begins there.
  /// `count` grows by at most one for each kind of key.
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
        // In bounds: the word ends behind this offset.
        word = unsafe view.word(unchecked: start &+ offset)
        offset &+= 8
      }
      // The last bytes, with those beyond the word cut off, as the compiler pads keys with zeros.
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

  /// Notes the prefixes that begin at an index, reach beyond `end`, and pass the bit filter.
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

  /// Notes a key if it passes the bit filter, as few do that are not in the table.
  @inline(__always)
  private func note(
    _ kind: FilterIndex.KeyKind,
    _ length: Int,
    _ position: Int,
    _ hash: UInt64,
    _ memory: inout ScanMemory,
    _ count: inout Int
  ) {
    // In bounds: the validator checked that the whole filter lies within the section.
    let word = unsafe image.u32(
      unchecked: index.keyFilter &+ 4 &* Int(truncatingIfNeeded: hash &>> index.keyFilterShift)
    )
    // Written always, counted only if it passes: no branch on the hash, which is as good as random.
    memory.setKey(
      count,
      KeyCandidate(kind: kind, length: length, position: position, hash: hash)
    )
    count &+= FilterIndex.isSet(word, hash)
  }

  /// Tries the filters of a key if it is in the table.
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

  /// Returns the offset of a key's record; `nil` if it is not in the table.
  func record(of key: KeyCandidate, _ view: TextView) -> Int? {
    let slots = index.keySlots
    var slot = FilterIndex.firstSlot(key.hash, slots: slots)
    let fingerprint = FilterIndex.keyFingerprint(key.hash)
    // Ends: the validator found a free slot in every table.
    while true {
      let value = image.u32(index.keyTable &+ 4 &* slot)
      if value == 0 { return nil }
      // Seven bits of the hash are in the slot, so that most other keys never touch a record.
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
    // Compares the last bytes at the word's top, where those beyond the key are shifted out.
    let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- offset))
    return (image.u64(key &+ offset) ^ view.word(at: start &+ offset)) &<< unused == 0
  }
}
