// Hot: a look at every n-th place of a URL, at most a dozen instructions each.

extension IndexScanner {
  /// Looks up every `gramStride`-th group of four bytes.
  func scanGrams<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    for number in 0..<passingPlaces(text) {
      let position = text.place(number)
      lookUpGram(view.gram(at: position), at: position, view, text, &memory, &sink)
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
    while position < end {
      // In bounds by the loop's condition.
      let hash = unsafe FilterIndex.upperHash(gram: view.gram(unchecked: position))
      // In bounds because the validator found all bits of the filter within the section.
      let word = unsafe image.u64(
        unchecked: filter &+ 8 &* Int(truncatingIfNeeded: hash &>> shift)
      )
      // No more places than positions.
      unsafe text.setPlace(unchecked: count, position)
      count &+= FilterIndex.isSet(word, hash)
      position &+= stride
    }
    return count
  }

  private func lookUpGram<Sink: PostingSink>(
    _ gram: UInt32,
    at position: Int,
    _ view: TextView,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let hash = FilterIndex.hash(gram: gram)
    let bucket = index.gramTable &+ 4 &* FilterIndex.firstSlot(hash, slots: index.gramBuckets)
    let fingerprint = FilterIndex.fingerprint(hash)
    var entry = index.gramEntries &+ 4 &* Int(image.u32(bucket))
    let end = index.gramEntries &+ 4 &* Int(image.u32(bucket &+ 4))
    while entry < end {
      let value = image.u32(entry)
      entry &+= 4
      guard (value ^ fingerprint) &>> 24 == 0 else { continue }
      let record = index.filterRecords &+ 4 &* Int(value & 0x3F_FFFF)
      let window = position &- Int(value &>> 22 & 3)
      if passesCheck(record, window: window, view) {
        tryFilterRecord(record, window: window, text, &memory, &sink)
      }
    }
  }

  /// Whether the URL has the bytes around a gram that a filter asks for.
  ///
  /// The record has a check; its window begins at `window` in the URL, or in front of it.
  @inline(__always)
  private func passesCheck(_ record: Int, window: Int, _ view: TextView) -> Bool {
    // The record's head, the check's length and place, and its bytes in one word and a half.
    let head = image.u32(record)
    let place = window &+ Int(Int8(truncatingIfNeeded: head &>> 16))
    guard UInt(bitPattern: place) < UInt(bitPattern: view.count) else { return false }
    let difference = image.u64(record &+ 3) ^ view.word(at: place)
    let unused = UInt64(56) &- UInt64(head &>> 5 & 0x38)
    return difference &<< unused == 0
  }
}
