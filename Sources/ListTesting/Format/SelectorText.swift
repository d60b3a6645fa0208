/// Selectors as texts: what stands between the commas of a list of selectors, with white space made
/// even, so that equal selectors are equal texts.
enum SelectorText {
  /// Returns a selector with each run of white space as one space, and none at its ends.
  static func normalized(_ text: some Sequence<UInt8>) -> String {
    var bytes: [UInt8] = []
    var needsSpace = false
    for byte in text {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        needsSpace = !bytes.isEmpty
        continue
      }
      if needsSpace { bytes.append(0x20) }
      needsSpace = false
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the selectors of a list of selectors.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  static func parts(of text: String) -> [String] {
    var parts: [String] = []
    var scan = TestLine.Scan()
    var part: [UInt8] = []
    for byte in text.utf8 {
      if byte == UInt8(ascii: ","), scan.isOutside {
        parts.append(normalized(part))
        part.removeAll(keepingCapacity: true)
        continue
      }
      scan.pass(byte)
      part.append(byte)
    }
    parts.append(normalized(part))
    return parts
  }
}
