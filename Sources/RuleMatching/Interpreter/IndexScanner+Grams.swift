// Hot: looks at every `gramStride`-th place of each URL; most places end at the bit filter
// (`GramScan.swift`), most of the others at an entry's check. Bounded by the URL's length; an entry costs 8
// bytes and a check, a filter that passes it a program. Unchecked reads are in bounds because
// `Validator` checked the tables' sizes, and `URLText` is padded. Guarded by
// `Scripts/count-instructions`; Documentation/Performance.md tells what each step saved.

internal import CGramScan
internal import TextScanning

extension IndexScanner {
  /// Notes which of a URL's grams to look up, every `gramStride`-th of which may be, and has the first
  /// buckets of theirs read into the cache.
  @inline(__always)
  func noteGrams(_ text: borrowing URLText, _ memory: inout ScanMemory) {
    memory.gramWords = passingWords(text, &memory)
    #if arch(x86_64)
    if case .vectors = memory.scanCode, memory.gramWords > 0 {
      unsafe tickbird_find_buckets(&memory.gramScan, 0, text.passing(0))
    }
    #endif
  }

  /// Looks up the grams that `noteGrams` noted for the same URL.
  func lookUpGrams<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    for word in 0..<memory.gramWords {
      let bits = text.passing(word)
      if bits == 0 { continue }
      let first = word &* 64 &* index.gramStride
      #if arch(x86_64)
      if case .vectors = memory.scanCode {
        // Those of the first word are noted.
        if word > 0 { unsafe tickbird_find_buckets(&memory.gramScan, first, bits) }
        lookUpByVectors(text, &memory, &sink)
        continue
      }
      #endif
      lookUp(bits, from: first, text, &memory, &sink)
    }
  }

  /// Looks up the grams at the places of some bits, of which the lowest stands for the place `first`.
  private func lookUp<Sink: PostingSink>(
    _ bits: UInt64,
    from first: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    // Reads all buckets before looking into any, so that their cache misses overlap.
    var count = 0
    var rest = bits
    while rest != 0 {
      let position = first &+ rest.trailingZeroBitCount &* index.gramStride
      rest &= rest &- 1
      let hash = FilterIndex.hash(gram: view.gram(at: position))
      let place =
        index.gramTable &+ GramBucket.size &* FilterIndex.firstSlot(hash, slots: index.gramBuckets)
      let bucket = GramBucket(image.u64(place))
      let next = GramBucket(image.u64(place &+ GramBucket.size))
      // In bounds: there is a byte before the text and one behind its last gram.
      let isAdmitted = unsafe bucket.admits(
        previous: text.foldedBytes[position &- 1],
        next: text.foldedBytes[position &+ FilterIndex.gramLength]
      )
      memory.setBucket(
        count,
        WaitingBucket(first: bucket.first, end: next.first, position: position)
      )
      count &+= isAdmitted ? 1 : 0
    }
    for number in 0..<count {
      tryBucket(memory.bucket(number), view, text, &memory, &sink)
    }
  }

  /// Tries the filters of a bucket whose checks pass.
  @inline(__always)
  private func tryBucket<Sink: PostingSink>(
    _ bucket: WaitingBucket,
    _ view: TextView,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var number = Int(truncatingIfNeeded: bucket.first)
    // Checked again: the reads below are unchecked.
    let end = min(Int(truncatingIfNeeded: bucket.end), index.gramEntryCount)
    while number < end {
      let entry = unsafe gramEntry(unchecked: number)
      number &+= 1
      if entry.passes(view, gramAt: bucket.position) {
        tryFilterRecord(of: entry, gramAt: bucket.position, text, &memory, &sink)
      }
    }
  }

  /// Returns the entry of the gram table with a number below that of its entries.
  ///
  /// In bounds: the validator checked that all entries lie within the section.
  @unsafe
  @inline(__always)
  private func gramEntry(unchecked number: Int) -> GramEntry {
    unsafe GramEntry(image.u64(unchecked: index.gramEntries &+ GramEntry.size &* number))
  }

  /// Tries the filter that an entry leads to whose gram was met at a position.
  @inline(__always)
  private func tryFilterRecord<Sink: PostingSink>(
    of entry: GramEntry,
    gramAt position: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    tryFilterRecord(
      index.filterRecords &+ entry.record,
      window: position &- entry.offset,
      text,
      &memory,
      &sink
    )
  }

  #if arch(x86_64)
  /// Looks into the noted buckets by vectors, which check eight entries at once.
  @inline(__always)
  private func lookUpByVectors<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    unsafe tickbird_read_buckets(&memory.gramScan)
    while unsafe memory.gramScan.next < memory.gramScan.waiting_count {
      let count = unsafe tickbird_look_up(
        &memory.gramScan,
        memory.foundEntries,
        ScanMemory.mostFound
      )
      for number in 0..<count {
        let found = memory.found(number)
        var passing = found.passing
        while passing != 0 {
          let place = tickbird_entry_order(UInt32(truncatingIfNeeded: passing.trailingZeroBitCount))
          passing &= passing &- 1
          // Only entries of the table pass.
          let entry = unsafe gramEntry(unchecked: Int(truncatingIfNeeded: found.first &+ place))
          tryFilterRecord(of: entry, gramAt: found.place, text, &memory, &sink)
        }
      }
    }
  }
  #endif
}
