internal import CTickbird

/// A column of texts in the caller's memory, whose places are checked when they are read.
@safe
struct Column {
  private let column: tickbird_column
  /// Whether there is such a column.
  let exists: Bool

  /// Reads a caller's column of so many rows; `nil` if it is invalid.
  init?(_ column: tickbird_column, rows: Int) {
    exists = unsafe column.offsets != nil
    unsafe self.column = column
    guard exists else { return }
    let (last, overflows) = unsafe column.first.addingReportingOverflow(rows)
    guard unsafe column.offset_size == 4 || column.offset_size == 8, unsafe column.first >= 0,
      !overflows,
      last < Int.max / 8, unsafe column.byte_count >= 0,
      unsafe column.bytes != nil || column.byte_count == 0
    else { return nil }
  }

  /// Returns a row's text, empty for null; `nil` if its offsets are not within the bytes.
  @inline(__always)
  func text(_ row: Int) -> LoadParts.Text? {
    guard exists else { return unsafe LoadParts.Text(start: nil, count: 0) }
    let place = unsafe column.first &+ row
    if let validity = unsafe column.validity,
      unsafe validity[place &>> 3] &>> UInt8(place & 7) & 1 == 0
    {
      return unsafe LoadParts.Text(start: nil, count: 0)
    }
    let start = offset(place)
    let end = offset(place &+ 1)
    guard 0 <= start, start <= end, unsafe end <= column.byte_count else { return nil }
    guard start < end, let bytes = unsafe column.bytes else {
      return unsafe LoadParts.Text(start: nil, count: 0)
    }
    return unsafe LoadParts.Text(
      start: UnsafeRawPointer(bytes + start).assumingMemoryBound(to: UInt8.self),
      count: end &- start
    )
  }

  @inline(__always)
  private func offset(_ place: Int) -> Int {
    guard let offsets = unsafe column.offsets else { return 0 }
    return unsafe column.offset_size == 4
      ? unsafe Int(offsets.loadUnaligned(fromByteOffset: 4 &* place, as: Int32.self))
      : unsafe Int(offsets.loadUnaligned(fromByteOffset: 8 &* place, as: Int64.self))
  }
}
