// Hot: every gram of a URL goes through `passingWords`. Bounded by the URL's length. The C functions
// read text and bit filter without checks: they stay in bounds because `URLText` has bytes around the
// text and room for all places, and because `Validator` checked the filter's size. Guarded by
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
  func passingWords(_ text: borrowing URLText, by scan: ScanCode) -> Int {
    // A window may reach one byte beyond the URL, where the padding is 0.
    let end = text.count &+ 2 &- FilterIndex.gramLength
    guard end > 0 else { return 0 }
    #if arch(x86_64)
    if case .vectors = scan {
      return unsafe text.passingWords { text, passing in
        let scanned = unsafe tickbird_gram_scan(
          text: text,
          end: end,
          stride: index.gramStride,
          filter: image.address(unchecked: index.gramFilter),
          shift: UInt32(truncatingIfNeeded: index.gramFilterShift &- 32)
        )
        return unsafe Int(tickbird_passing(scanned, passing))
      }
    }
    #endif
    return passingWords(text, before: end)
  }

  /// The same in Swift alone.
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
        let word = unsafe image.u64(
          unchecked: filter &+ 8 &* Int(truncatingIfNeeded: hash &>> shift)
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
