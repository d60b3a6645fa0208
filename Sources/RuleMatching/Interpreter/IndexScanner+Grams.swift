// Hot: looks at every `gramStride`-th place of each URL; most places end at the bit filter
// (`GramScan.swift`), most of the others at an entry's check. Bounded by the URL's length; an entry costs 8
// bytes and a check, a filter that passes it a program. Unchecked reads are in bounds because
// `Validator` checked the tables' sizes, and `URLText` is padded. Guarded by
// `Scripts/count-instructions`; Documentation/Performance.md tells what each step saved.

internal import CGramScan
internal import TextScanning

extension IndexScanner {
  /// Looks up every `gramStride`-th gram of a URL.
  func scanGrams<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let count = passingWords(text, by: memory.scanCode)
    for word in 0..<count {
      let bits = text.passing(word)
      if bits == 0 { continue }
      let first = word &* 64 &* index.gramStride
      #if arch(x86_64)
      if case .vectors = memory.scanCode {
        lookUpByVectors(bits, from: first, text, &memory, &sink)
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
      let bucket = index.gramTable &+ 4 &* FilterIndex.firstSlot(hash, slots: index.gramBuckets)
      memory.setBucket(count, image.u64(bucket))
      count &+= 1
    }
    rest = bits
    for number in 0..<count {
      let position = first &+ rest.trailingZeroBitCount &* index.gramStride
      rest &= rest &- 1
      tryBucket(memory.bucket(number), at: position, view, text, &memory, &sink)
    }
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
      let entry = unsafe gramEntry(unchecked: number)
      number &+= 1
      if entry.passes(view, gramAt: position) {
        tryFilterRecord(of: entry, gramAt: position, text, &memory, &sink)
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
  /// The same by vectors, which check eight entries at once.
  private func lookUpByVectors<Sink: PostingSink>(
    _ bits: UInt64,
    from first: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var state = unsafe tickbird_gram_look_up(
      text: text.foldedBytes,
      count: text.count,
      stride: index.gramStride,
      buckets: image.address(unchecked: index.gramTable),
      bucket_count: UInt64(truncatingIfNeeded: index.gramBuckets),
      entries: image.address(unchecked: index.gramEntries),
      entry_count: UInt64(truncatingIfNeeded: index.gramEntryCount),
      readable_count: UInt64(
        truncatingIfNeeded: (image.count &- index.gramEntries) / GramEntry.size
      ),
      waiting: memory.waitingBuckets,
      next: 0,
      waiting_count: 0
    )
    unsafe tickbird_begin_look_up(&state, first, bits)
    repeat {
      let count = unsafe memory.withFound { unsafe tickbird_look_up(&state, $0, $1) }
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
    } while unsafe state.next < state.waiting_count
  }
  #endif
}
