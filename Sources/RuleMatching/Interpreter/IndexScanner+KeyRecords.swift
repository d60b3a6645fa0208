// Hot: tries the filters of a host that is in the table. Most hosts have one; popular ones have
// hundreds. Bounded by the record's filters, whose costs `CompilerLimits.instructionsPerHost`
// bounds together. A directory dismisses most filters of a crowded host by one hash, eight per
// step. Every offset was checked by `RecordValidator`; reads are checked again. Guarded by
// `Scripts/count-instructions`; the slowest loads are in Documentation/Performance.md.

/// The place at which the filters of a key record are tried.
private struct KeyEnd {
  /// The anchors of the filters that are tried; see ``HostPlace/admitted``.
  let admitted: UInt32
  /// The position in the URL behind the key.
  let position: Int
}

extension IndexScanner {
  /// In a directory with more entries of a kind, a hash is searched for; of fewer, all are looked at.
  private static var manyEntries: Int { 128 }

  /// Tries the filters of a key record whose key occurs at a place of the URL.
  func tryKeyRecord<Sink: PostingSink>(
    _ key: Int,
    _ keyLength: Int,
    at start: Int,
    _ place: HostPlace,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var offset = key &+ keyLength
    let end = KeyEnd(admitted: place.admitted, position: start &+ keyLength)
    if image.keyFilterHead(offset).isDirectory {
      let directory = KeyDirectoryView(image, at: offset)
      tryDirectory(directory, end, text, &memory, &sink)
      guard directory.hasLooseFilters else { return }
      offset = directory.filters
    }
    tryKeyFilters(offset, upToLast: true, end, text, &memory, &sink)
  }

  /// Tries the filter behind a key that begins at an offset, and those behind it up to the last one.
  ///
  /// One call for all of them: most filters are dismissed by few instructions.
  private func tryKeyFilters<Sink: PostingSink>(
    _ start: Int,
    upToLast: Bool,
    _ end: KeyEnd,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var offset = start
    var hasNext = true
    while hasNext {
      hasNext = tryKeyFilter(&offset, end, text, &memory, &sink) && upToLast
    }
  }

  /// Tries the filters of a directory whose bytes occur in the URL.
  private func tryDirectory<Sink: PostingSink>(
    _ directory: KeyDirectoryView,
    _ end: KeyEnd,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    let position = end.position &+ directory.place
    if position < view.count {
      let hash = KeyDirectory.hash(text: view.gram(at: position))
      // Of many, those with the hash are searched for; of few, all are looked at, eight at a time.
      var first =
        directory.textCount > Self.manyEntries ? directory.firstText(image, hash) & ~7 : 0
      while first < directory.textCount {
        // In bounds: each entry is followed by four bytes of offset and at least two of its filter.
        let word = image.u64(directory.texts &+ first)
        var found = ByteMask.bytes(of: word, equalTo: hash)
        while found != 0 {
          let number = first &+ found.trailingZeroBitCount &>> 3
          found &= found &- 1
          // The last word of hashes reaches into what follows them.
          guard number < directory.textCount else { break }
          let filter = directory.filter(image, number)
          tryKeyFilters(filter, upToLast: false, end, text, &memory, &sink)
        }
        // They are in ascending order.
        if directory.textCount > Self.manyEntries, UInt8(truncatingIfNeeded: word &>> 56) > hash {
          break
        }
        first &+= 8
      }
    }
    guard directory.gramCount > 0 else { return }
    // Filled at most once per URL, and only for hosts whose directory has grams.
    memory.grams.fill(text)
    func tryGram(_ number: Int) {
      let filter = directory.filter(image, directory.textCount &+ number)
      tryKeyFilters(filter, upToLast: false, end, text, &memory, &sink)
    }
    guard directory.gramCount > Self.manyEntries else {
      for number in 0..<directory.gramCount
      where memory.grams.contains(image.u16(directory.grams &+ 2 &* number)) {
        tryGram(number)
      }
      return
    }
    // A copy, since trying filters changes the memory.
    let grams = memory.grams
    grams.forEach { hash in
      var number = directory.firstGram(image, hash)
      while number < directory.gramCount, image.u16(directory.grams &+ 2 &* number) == hash {
        tryGram(number)
        number &+= 1
      }
    }
  }

  /// Tries a filter behind a key and advances the offset past it.
  ///
  /// - Returns: Whether another one follows.
  @inline(__always)
  private func tryKeyFilter<Sink: PostingSink>(
    _ offset: inout Int,
    _ end: KeyEnd,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) -> Bool {
    let head = image.keyFilterHead(offset)
    offset &+= 1
    let sizes = index.keyNumbers
    let tail = head.hasTail ? Int(image.number(&offset, size: sizes.program)) : 0
    let postings = offset
    let view = text.view(isCaseSensitive: head.isCaseSensitive)
    // Cheap tests before the program: anchor and case, the tail's first bytes, and a set that
    // rarely has the filter.
    let isOut =
      end.admitted & head.anchorBit == 0
      || head.hasTail && runner.failsAtOnce(tail, view, at: end.position)
      || memory.matched.contains(postings)
    // Most filters are out, and most of those are the last: what follows is not even decoded.
    if isOut, head.isLast { return false }
    if head.hasSeveralPostings {
      if isOut {
        let count = Int(image.varint(&offset))
        offset = skipPostings(offset, count)
      } else {
        offset = tryFilterOfSeveral(postings: postings, &sink) {
          matchesBehindKey(tail, view, end.position, postings, &memory)
        }
      }
      return !head.isLast
    }
    if isOut {
      offset &+= sizes.ofPosting
      return true
    }
    let posting = image.posting(&offset, sizes)
    if sink.wants(posting.number), matchesBehindKey(tail, view, end.position, postings, &memory) {
      sink.take(posting)
    }
    return !head.isLast
  }

  /// Whether the program of a tail matches behind the key; program 0 accepts at once.
  ///
  /// Notes a filter that matched, or that cannot match behind a later occurrence of the key, by the
  /// offset of its postings.
  private func matchesBehindKey(
    _ tail: Int,
    _ view: TextView,
    _ position: Int,
    _ postings: Int,
    _ memory: inout ScanMemory
  ) -> Bool {
    guard runner.isPieces(tail) else {
      let isMatch = runner.matches(tail, view, from: position, &memory.threads)
      if isMatch { memory.matched.insert(postings) }
      return isMatch
    }
    // Behind a later occurrence of the key there would be less text to search for the rest.
    guard let rest = runner.firstPiece(tail, view, at: position) else { return false }
    memory.matched.insert(postings)
    return runner.matchesRest(rest, view)
  }
}
