internal import Foundation

/// The fields of a form, or of an address's query.
package struct FormFields: Sendable {
  /// An uploaded file.
  package struct File: Equatable, Sendable {
    /// Its name, without folders.
    package var name: String
    /// Its contents.
    package var bytes: [UInt8]
  }

  package private(set) var values: [String: [String]] = [:]
  package private(set) var files: [String: File] = [:]

  package init() {}

  /// Parses `name=value&name=value` with percent-encoding and `+` for spaces.
  package init(urlEncoded text: some StringProtocol) {
    for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(
        separator: UInt8(ascii: "="),
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      add(
        Self.decoded(parts[0]),
        parts.count > 1 ? Self.decoded(parts[1]) : ""
      )
    }
  }

  mutating func add(_ name: String, _ value: String) { values[name, default: []].append(value) }
  mutating func add(_ name: String, _ file: File) { files[name] = file }

  /// The first value of a name; empty if there is none.
  subscript(_ name: String) -> String { values[name]?.first ?? "" }

  /// Returns a field's number; `nil` if it is not one.
  func number(_ name: String) -> Int? {
    Int(self[name].trimmingCharacters(in: .whitespaces))
  }

  private static func decoded(_ text: some Collection<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        if digits.count == 2 {
          bytes.append(UInt8(digits[0] << 4 | digits[1]))
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte)
        }
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
