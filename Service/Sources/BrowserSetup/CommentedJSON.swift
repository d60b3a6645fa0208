internal import Foundation

/// JSON with what Chromium's own reader lets an administrator write beside it: comments, and a comma after the
/// last value.
///
/// It is read, never written: a program would lose the comments.
enum CommentedJSON {
  /// Reads an object in UTF-8.
  static func object(_ data: Data) -> [String: Any]? { SetupChanges.object(plain(data)) }

  /// The same without comments and such commas; what is no JSON otherwise stays so.
  static func plain(_ data: Data) -> Data {
    let bytes = [UInt8](data)
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    // The last byte that is neither space nor comment, and where the comma is if it is one after a value.
    var last: UInt8?
    var comma: Int?
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < bytes.count {
      if let end = commentEnd(bytes, index) {
        // What it stands between stays apart.
        plain.append(UInt8(ascii: " "))
        index = end
        continue
      }
      let end = tokenEnd(bytes, index)
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
      case UInt8(ascii: ","):
        comma = last.map { "[{,:".utf8.contains($0) } ?? true ? nil : plain.count
        last = byte
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let comma { plain[comma] = UInt8(ascii: " ") }
        fallthrough
      default:
        comma = nil
        last = byte
      }
      plain += bytes[index..<end]
      index = end
    }
    return Data(plain)
  }

  /// The end of a comment that begins at a place; nil if none does.
  private static func commentEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard bytes[start] == UInt8(ascii: "/"), start + 1 < bytes.count else { return nil }
    var index = start + 2
    switch bytes[start + 1] {
    case UInt8(ascii: "/"):
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n"),
        bytes[index] != UInt8(ascii: "\r")
      {
        index += 1
      }
      return index
    case UInt8(ascii: "*"):
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
          return index + 2
        }
        index += 1
      }
      return bytes.count
    default: return nil
    }
  }

  /// The end of the text that begins at a place, with its quotation marks, or of the byte there.
  private static func tokenEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    guard bytes[start] == UInt8(ascii: "\"") else { return start + 1 }
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }
}
