/// What keeps a file from being read as a list at all.
package enum ListObstacle {
  /// Returns why a file is no text with filters, to follow its name; `nil` if it may be one.
  ///
  /// Finds other encodings than UTF-8 and its subsets and kin, and web pages, which servers send in
  /// place of a list that is gone.
  ///
  /// - Parameter text: The file's bytes.
  /// - Returns: The rest of a sentence without a full stop, such as `is UTF-16; save it as UTF-8`.
  /// - Complexity: O(*n*)
  package static func find(in text: [UInt8]) -> String? {
    if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
      return "is UTF-16; save it as UTF-8"
    }
    if text.contains(0) {
      return "has zero bytes, and so is no list, or one in UTF-16; save it as UTF-8"
    }
    let head = text[FilterText.start(of: text)...].drop { $0 <= 0x20 }.prefix(15)
    let word = String(decoding: head, as: UTF8.self).lowercased()
    if word.hasPrefix("<!doctype html") || word.hasPrefix("<html") || word.hasPrefix("<?xml") {
      return "is a web page, and no list; get the list itself"
    }
    return nil
  }
}
