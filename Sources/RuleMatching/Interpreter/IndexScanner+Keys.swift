// Hot: one to three table look-ups for each label of a host, most of which end at the first slot.

extension IndexScanner {
  /// Looks up the keys that begin at an index, which is at most the URL's length.
  @inline(__always)
  func lookUpKeys<Sink: PostingSink>(
    at start: Int,
    _ place: inout HostPlace,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = place.view
    let first = view.word(at: start)
    if index.usesWords {
      if place.wordEnd < start { place.wordEnd = view.wordEnd(from: start) }
      let length = place.wordEnd &- start
      if length > 0, length <= FilterIndex.maximumWord {
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
        hash = FilterIndex.mix(hash, word & mask)
        if mayHaveKey(hash) {
          lookUp(.word, length, hash, at: start, place, text, &memory, &sink)
        }
      }
    }
    if index.usesPrefixes8, start &+ 8 <= view.count {
      let hash = FilterIndex.mix(FilterIndex.seed(.prefix8, length: 8), first)
      if mayHaveKey(hash) {
        lookUp(.prefix8, 8, hash, at: start, place, text, &memory, &sink)
      }
    }
    if index.usesPrefixes4, start &+ 4 <= view.count {
      let hash = FilterIndex.mix(
        FilterIndex.seed(.prefix4, length: 4),
        first & 0xFFFF_FFFF
      )
      if mayHaveKey(hash) {
        lookUp(.prefix4, 4, hash, at: start, place, text, &memory, &sink)
      }
    }
  }

  /// Whether the bit filter lets a key's hash pass, as it does with few that are not in the table.
  @inline(__always)
  private func mayHaveKey(_ hash: UInt64) -> Bool {
    // In bounds because the validator found all bits of the filter within the section.
    let word = unsafe image.u64(
      unchecked: index.keyFilter &+ 8 &* Int(truncatingIfNeeded: hash &>> index.keyFilterShift)
    )
    return FilterIndex.isSet(word, hash) != 0
  }

  @inline(never)
  private func lookUp<Sink: PostingSink>(
    _ kind: FilterIndex.KeyKind,
    _ length: Int,
    _ hash: UInt64,
    at start: Int,
    _ place: HostPlace,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var slot = FilterIndex.firstSlot(hash, slots: index.keySlots)
    let fingerprint = FilterIndex.keyFingerprint(hash)
    while true {
      let value = image.u32(index.keyTable &+ 4 &* slot)
      if value == 0 { return }
      if (value ^ fingerprint) & ~FilterIndex.keyReference == 0 {
        let record = index.keyRecord(value)
        if isKey(kind, length, at: record, place.view, start) {
          tryKeyRecord(record &+ 1, length, at: start, place, text, &memory, &sink)
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
    while offset < length {
      if image.u8(key &+ offset) != view[start &+ offset] { return false }
      offset &+= 1
    }
    return true
  }

  /// Tries the filters of a key record whose key stands at a place of the URL.
  private func tryKeyRecord<Sink: PostingSink>(
    _ key: Int,
    _ keyLength: Int,
    at start: Int,
    _ place: HostPlace,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var offset = key &+ keyLength
    while true {
      let head = image.u8(offset)
      offset &+= 1
      let hasTail = head & FilterIndex.Head.hasTail != 0
      let tail = hasTail ? Int(image.varint(&offset)) : 0
      let several = head & FilterIndex.Head.hasSeveralPostings != 0
      let isCaseSensitive = head & FilterIndex.Head.isCaseSensitive != 0
      let anchor: UInt32 = 1 &<< UInt32(head & FilterIndex.Head.anchorMask)
      let postings = offset
      let view = text.view(isCaseSensitive: isCaseSensitive)
      if place.anchors & anchor == 0 || !place.admits(isCaseSensitive: isCaseSensitive)
        || hasTail && runner.failsAtOnce(tail, view, at: start &+ keyLength)
        || memory.matched.contains(postings)
      {
        let count = several ? Int(image.varint(&offset)) : 1
        offset = skipPostings(offset, count)
      } else {
        offset = tryFilter(postings: postings, several: several, &sink) {
          guard hasTail else {
            memory.matched.insert(postings)
            return true
          }
          guard runner.isPieces(tail) else {
            let isMatch = runner.matches(tail, view, from: start &+ keyLength, &memory.threads)
            if isMatch { memory.matched.insert(postings) }
            return isMatch
          }
          // Once the first piece has matched, no later place of the key can do better: what the
          // rest is searched for in gets shorter.
          guard let rest = runner.firstPiece(tail, view, at: start &+ keyLength) else {
            return false
          }
          memory.matched.insert(postings)
          return runner.matchesRest(rest, view)
        }
      }
      if head & FilterIndex.Head.isLast != 0 { return }
    }
  }
}
