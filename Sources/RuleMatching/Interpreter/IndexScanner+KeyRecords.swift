// Hot: the filters behind a host. Most hosts have one; the popular ones have hundreds.

/// Where the filters of a key record are tried.
private struct KeyEnd {
  let place: HostPlace
  /// The place of the URL behind the key.
  let position: Int
}

extension IndexScanner {
  /// Tries the filters of a key record whose key stands at a place of the URL.
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
    let end = KeyEnd(place: place, position: start &+ keyLength)
    if image.keyFilterHead(offset).isDirectory {
      let directory = KeyDirectoryView(image, at: offset)
      tryDirectory(directory, end, text, &memory, &sink)
      guard directory.hasLooseFilters else { return }
      offset = directory.filters
    }
    while tryKeyFilter(&offset, end, text, &memory, &sink) {}
  }

  /// Tries those filters of a directory whose bytes the URL has.
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
      var first = 0
      while first < directory.textCount {
        // In bounds: an offset of two bytes and a filter of two at least follow for each entry.
        let word = image.u64(directory.texts &+ first)
        var found = ByteMask.bytes(of: word, equalTo: hash)
        while found != 0 {
          let number = first &+ found.trailingZeroBitCount &>> 3
          found &= found &- 1
          guard number < directory.textCount else { break }
          var filter = directory.filter(image, number)
          _ = tryKeyFilter(&filter, end, text, &memory, &sink)
        }
        first &+= 8
      }
    }
    guard directory.gramCount > 0 else { return }
    memory.grams.fill(text)
    for number in 0..<directory.gramCount
    where memory.grams.contains(image.u16(directory.grams &+ 2 &* number)) {
      var filter = directory.filter(image, directory.textCount &+ number)
      _ = tryKeyFilter(&filter, end, text, &memory, &sink)
    }
  }

  /// Tries a filter behind a key and moves the offset behind it.
  ///
  /// - Returns: Whether another one follows.
  private func tryKeyFilter<Sink: PostingSink>(
    _ offset: inout Int,
    _ end: KeyEnd,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) -> Bool {
    let head = image.keyFilterHead(offset)
    offset &+= 1
    let hasTail = head.hasTail
    let tail = hasTail ? Int(image.varint(&offset)) : 0
    let isCaseSensitive = head.isCaseSensitive
    let anchor: UInt32 = 1 &<< UInt32(head.anchorNumber)
    let postings = offset
    let several = head.hasSeveralPostings
    let isLast = head.isLast
    let view = text.view(isCaseSensitive: isCaseSensitive)
    let isOut =
      end.place.anchors & anchor == 0 || !end.place.admits(isCaseSensitive: isCaseSensitive)
      || hasTail && runner.failsAtOnce(tail, view, at: end.position)
      || memory.matched.contains(postings)
    if several {
      if isOut {
        if isLast { return false }
        let count = Int(image.varint(&offset))
        offset = skipPostings(offset, count)
      } else {
        offset = tryFilterOfSeveral(postings: postings, isAlternative: false, &sink) {
          matchesBehindKey(tail, view, end.position, postings, &memory)
        }
      }
      return !isLast
    }
    let number = image.varint(&offset)
    // The rule is read only when it is asked for.
    var rule = offset
    if index.postingsHaveRules { image.skipVarint(&offset) }
    if !isOut, sink.wants(number),
      matchesBehindKey(tail, view, end.position, postings, &memory)
    {
      let posting = Posting(
        number: number,
        rule: index.postingsHaveRules ? image.varint(&rule) : 0
      )
      sink.take(posting, isAlternative: false)
    }
    return !isLast
  }

  /// Whether what must follow a key does, which the program at an offset decides; the one at 0
  /// accepts at once.
  ///
  /// What matched, or never can behind another place of the key, is noted by its postings' offset.
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
    // Once the first piece has matched, no later place of the key can do better: what the rest is
    // searched for in gets shorter.
    guard let rest = runner.firstPiece(tail, view, at: position) else { return false }
    memory.matched.insert(postings)
    return runner.matchesRest(rest, view)
  }
}
