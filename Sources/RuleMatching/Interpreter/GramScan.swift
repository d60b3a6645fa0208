// Hot: every gram of a URL goes through `passingWords`. Bounded by the URL's length. The C functions
// read text and tables without checks: they stay in bounds because `URLText` has bytes around the
// text and room for all places, and because `Validator` checked the tables' sizes. Guarded by
// `Scripts/count-instructions`; Documentation/Performance.md tells what each design gave.

internal import CGramScan
internal import TextScanning

extension IndexScanner {
  /// Notes the places whose grams pass the bit filter as bits of the text's words.
  ///
  /// Bit *n* of all words stands for the place `n * index.gramStride`.
  ///
  /// - Returns: The number of words.
  @inline(__always)
  func passingWords(_ text: borrowing URLText, _ memory: inout ScanMemory) -> Int {
    // A window may reach one byte beyond the URL, where the padding is 0.
    let end = text.count &+ 2 &- FilterIndex.gramLength
    guard end > 0 else { return 0 }
    #if arch(x86_64)
    if case .vectors = memory.scanCode {
      unsafe memory.gramScan = gramScan(text, before: end, memory.waitingBuckets)
      return unsafe text.passingWords { words in
        unsafe Int(tickbird_passing(&memory.gramScan, words))
      }
    }
    #endif
    return passingWords(text, before: end)
  }

  #if arch(x86_64)
  /// Returns what the code with vectors reads, with no bucket noted yet.
  @unsafe
  @inline(__always)
  private func gramScan(
    _ text: borrowing URLText,
    before end: Int,
    _ waiting: UnsafeMutablePointer<tickbird_waiting_bucket>
  ) -> tickbird_gram_scan {
    unsafe tickbird_gram_scan(
      text: text.foldedBytes,
      count: UInt64(truncatingIfNeeded: text.count),
      end: UInt64(truncatingIfNeeded: end),
      stride: UInt64(truncatingIfNeeded: index.gramStride),
      filter: image.address(unchecked: index.gramFilter),
      shift: index.gramFilterShift &- 32,
      buckets: image.address(unchecked: index.gramTable),
      bucket_count: UInt64(truncatingIfNeeded: index.gramBuckets),
      entries: image.address(unchecked: index.gramEntries),
      entry_count: UInt64(truncatingIfNeeded: index.gramEntryCount),
      readable_count: UInt64(
        truncatingIfNeeded: (image.count &- index.gramEntries) / GramEntry.size
      ),
      waiting: waiting,
      next: 0,
      waiting_count: 0
    )
  }
  #endif

  /// The same as `passingWords` in Swift alone.
  private func passingWords(_ text: borrowing URLText, before end: Int) -> Int {
    let view = text.view(isCaseSensitive: false)
    let filter = index.gramFilter
    let shift = index.gramFilterShift
    let stride = index.gramStride
    var count = 0
    var position = 0
    while position < end {
      var bits: UInt64 = 0
      var bit: UInt64 = 0
      while bit < 64, position < end {
        // In bounds by the loop's condition.
        let hash = unsafe FilterIndex.upperHash(gram: view.gram(unchecked: position))
        // In bounds: the validator checked that the whole filter lies within the section.
        let word = unsafe image.u32(
          unchecked: filter &+ 4 &* Int(truncatingIfNeeded: hash &>> shift)
        )
        // No branch on the URL's text, which processors predict badly.
        bits |= UInt64(truncatingIfNeeded: FilterIndex.isSet(word, hash)) &<< bit
        bit &+= 1
        position &+= stride
      }
      unsafe text.setPassing(unchecked: count, bits)
      count &+= 1
    }
    return count
  }
}
