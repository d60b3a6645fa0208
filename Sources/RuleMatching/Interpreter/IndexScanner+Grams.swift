// Hot: the largest share of a decision. It looks at every `gramStride`-th place of each URL, some
// twenty instructions per place, and most places end at the bit filter. Bounded by the URL's
// length; an entry costs 8 bytes and a check, a filter that passes it a program. Unchecked reads
// are in bounds because `Validator` checked the tables' sizes, and `URLText` is padded. Guarded by
// `Scripts/count-instructions`; Documentation/Performance.md tells what each step saved.

extension IndexScanner {
  /// Looks up every `gramStride`-th gram of a URL.
  func scanGrams<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    let count = passingPlaces(text)
    var first = 0
    while first < count {
      // Reads a batch of buckets before looking into any, so that their cache misses overlap.
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

  /// Notes the places whose grams pass the bit filter, and returns their number.
  ///
  /// Every place is written, but only a passing one advances the count. This avoids a branch on the
  /// URL's text, which processors predict badly.
  private func passingPlaces(_ text: borrowing URLText) -> Int {
    let view = text.view(isCaseSensitive: false)
    let filter = index.gramFilter
    let shift = index.gramFilterShift
    let stride = index.gramStride
    // A window may reach one byte beyond the URL, where the padding is 0.
    let end = view.count &+ 2 &- FilterIndex.gramLength
    var count = 0
    var position = 0
    // Two per iteration, which halves the loop's own cost.
    while position < end &- stride {
      count &+= notePlace(position, at: count, view, text, filter, shift)
      position &+= stride
      count &+= notePlace(position, at: count, view, text, filter, shift)
      position &+= stride
    }
    if position < end { count &+= notePlace(position, at: count, view, text, filter, shift) }
    return count
  }

  /// Notes a place of the URL; returns 1 if its gram passes the bit filter, else 0.
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
    // In bounds: the validator checked that the whole filter lies within the section.
    let word = unsafe image.u64(
      unchecked: filter &+ 8 &* Int(truncatingIfNeeded: hash &>> shift)
    )
    // In bounds: there are no more places than positions.
    unsafe text.setPlace(unchecked: count, position)
    return FilterIndex.isSet(word, hash)
  }

  /// Tries the filters of a bucket whose checks pass.
  ///
  /// `bounds` holds the bucket's first entry in its lower half, the next bucket's in its upper
  /// half.
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
    // Checked again: the reads below are unchecked.
    let end = min(Int(truncatingIfNeeded: bounds &>> 32), index.gramEntryCount)
    while number < end {
      // In bounds: the validator checked that all entries lie within the section.
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
