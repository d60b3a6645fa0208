/// Texts as JSON spells them.
public enum JSONString {
  /// A text as it stands between quotation marks, in ASCII where it is ASCII, without a control
  /// character.
  public static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(Array(text.utf8), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a text of UTF-8 as it stands between quotation marks, likewise.
  package static func append(_ text: [UInt8], to json: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        json.append(UInt8(ascii: "\\"))
        json.append(byte)
      case 0x0A: json.append(contentsOf: #"\n"#.utf8)
      case 0x0D: json.append(contentsOf: #"\r"#.utf8)
      case 0x09: json.append(contentsOf: #"\t"#.utf8)
      case 0..<0x20, 0x7F:
        json.append(contentsOf: byte < 0x10 ? #"\u000"#.utf8 : #"\u00"#.utf8)
        json.append(contentsOf: String(byte, radix: 16).utf8)
      default: json.append(byte)
      }
    }
  }
}
