package import Foundation

/// Parses forms with files (`multipart/form-data`).
///
/// > Source: RFC 7578, and RFC 2046, 5.1.1.
package enum MultipartReader {
  /// The limit on parts, which is more than any of our forms has.
  private static let mostParts = 64

  /// Returns the boundary in a content type; `nil` if it is not `multipart/form-data`.
  package static func boundary(of contentType: String) -> String? {
    let parts = contentType.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
    for part in parts.dropFirst() where part.lowercased().hasPrefix("boundary=") {
      let value = part.dropFirst("boundary=".count).trimmingCharacters(in: ["\""])
      return (1...70).contains(value.utf8.count) ? value : nil
    }
    return nil
  }

  /// Parses a body.
  ///
  /// - Returns: `nil` if it is malformed.
  /// - Complexity: O(*n*) for *n* bytes.
  package static func read(_ body: Data, boundary: String) -> FormFields? {
    var fields = FormFields()
    let mark = Data("\r\n--\(boundary)".utf8)
    // The first boundary lacks the line break that precedes all others.
    let body = Data("\r\n".utf8) + body
    guard var place = body.range(of: mark)?.upperBound else { return nil }
    for _ in 0..<mostParts {
      if body[place...].starts(with: "--".utf8) { return fields }
      guard let lineEnd = body.range(of: Data("\r\n".utf8), in: place..<body.endIndex),
        let next = body.range(of: mark, in: lineEnd.lowerBound..<body.endIndex)
      else { return nil }
      let part = body[lineEnd.upperBound..<max(lineEnd.upperBound, next.lowerBound)]
      guard let headEnd = part.range(of: Data("\r\n\r\n".utf8)),
        let name = add(part[part.startIndex..<headEnd.lowerBound])
      else { return nil }
      let content = part[headEnd.upperBound...]
      if let file = name.file {
        fields.add(name.field, FormFields.File(name: file, bytes: [UInt8](content)))
      } else {
        fields.add(name.field, String(decoding: content, as: UTF8.self))
      }
      place = next.upperBound
    }
    return nil
  }

  /// Returns the names in a part's header.
  private static func add(_ head: Data) -> (field: String, file: String?)? {
    let text = String(decoding: head, as: UTF8.self)
    // CR LF is one Character.
    for line in text.split(separator: "\r\n")
    where line.lowercased().hasPrefix("content-disposition:") {
      guard let field = value(of: "name", in: line) else { return nil }
      let path = value(of: "filename", in: line)
      return (
        field,
        path.map { $0.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? "" }
      )
    }
    return nil
  }

  /// Returns the quoted value of a parameter; browsers encode a quotation mark in it as `%22`.
  private static func value(of name: String, in line: Substring) -> String? {
    guard let start = line.range(of: "; \(name)=\"")?.upperBound else { return nil }
    let rest = line[start...]
    guard let end = rest.firstIndex(of: "\"") else { return nil }
    return String(rest[..<end]).replacing("%22", with: "\"")
  }
}
