// Hot: a look at every n-th place of a URL, some twenty instructions each.

extension IndexScanner {
  /// Looks up every `gramStride`-th group of four bytes.
  func scanGrams<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    let count = passingPlaces(text)
    var first = 0
    while first < count {
      // Buckets are read before any is looked into, so that the memory is waited for once.
      let end = min(count, first &+ ScanMemory.mostBuckets)
      for number in first..<end {
        let hash = FilterIndex.hash(gram: view.gram(at: text.place(number)))
        let bucket = index.gramTable &+ 4 &* FilterIndex.firstSlot(hash, slots: index.gramBuckets)
        memory.setBucket(number &- first, image.u64(bucket))
      }
      for number in first..<end {
        tryBucket(
          memory.bucket(number &- first),
          at: text.place(number),
          view,
          text,
          &memory,
          &sink
        )
      }
      first = end
    }
  }

  /// Notes the places whose grams pass the filter, and returns how many there are.
  ///
  /// Each place is written down and kept if it passes, which takes no branch that depends on the
  /// text: a processor guesses those wrong.
  private func passingPlaces(_ text: borrowing URLText) -> Int {
    let view = text.view(isCaseSensitive: false)
    let filter = index.gramFilter
    let shift = index.gramFilterShift
    let stride = index.gramStride
    // A gram may reach one byte beyond the URL's end.
    let end = view.count &+ 2 &- FilterIndex.gramLength
    var count = 0
    var position = 0
    // Two at a time, so that less is spent on counting.
    while position < end &- stride {
      count &+= notePlace(position, at: count, view, text, filter, shift)
      position &+= stride
      count &+= notePlace(position, at: count, view, text, filter, shift)
      position &+= stride
    }
    if position < end { count &+= notePlace(position, at: count, view, text, filter, shift) }
    return count
  }

  /// Notes a place of the URL, and returns 1 if its gram passes the filter, else 0.
  @inline(__always)
  private func notePlace(
    _ position: Int,
    at count: Int,
    _ view: TextView,
    _ text: borrowing URLText,
    _ filter: Int,
    _ shift: UInt64
  ) -> Int {
    // In bounds by the loop's condition.
    let hash = unsafe FilterIndex.upperHash(gram: view.gram(unchecked: position))
    // In bounds because the validator found all bits of the filter within the section.
    let word = unsafe image.u64(
      unchecked: filter &+ 8 &* Int(truncatingIfNeeded: hash &>> shift)
    )
    // No more places than positions.
    unsafe text.setPlace(unchecked: count, position)
    return FilterIndex.isSet(word, hash)
  }

  /// Tries the filters of a bucket that pass their checks.
  ///
  /// The bounds are the first entry of the bucket and, in the upper half, of the next one.
  @inline(__always)
  private func tryBucket<Sink: PostingSink>(
    _ bounds: UInt64,
    at position: Int,
    _ view: TextView,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var number = Int(truncatingIfNeeded: bounds & 0xFFFF_FFFF)
    let end = min(Int(truncatingIfNeeded: bounds &>> 32), index.gramEntryCount)
    while number < end {
      // In bounds because the validator found all entries within the section.
      let entry = unsafe GramEntry(
        image.u64(unchecked: index.gramEntries &+ GramEntry.size &* number)
      )
      number &+= 1
      if entry.passes(view, gramAt: position) {
        tryFilterRecord(
          index.filterRecords &+ entry.record,
          window: position &- entry.offset,
          text,
          &memory,
          &sink
        )
      }
    }
  }
}
