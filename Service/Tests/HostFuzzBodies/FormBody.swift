import Foundation
import FuzzTargets
import LocalApp

/// Parses forms of the local app: multipart, or URL-encoded pairs.
///
/// The first line is the content type or, where it names no boundary, pairs; the rest is the body.
enum FormBody: FuzzBody {
  static let name = "form"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let line = reader.line()
    try checkPairs(line.text)
    guard let boundary = MultipartReader.boundary(of: line.text) else { return }
    let body = Data(reader.rest())
    let fields = MultipartReader.read(body, boundary: boundary)
    // Slices keep the indexes of their base.
    let sliced = MultipartReader.read((Data([13, 10, 45]) + body).dropFirst(3), boundary: boundary)
    try require(
      fields?.values == sliced?.values && fields?.files == sliced?.files,
      "a form is read in two ways"
    )
    guard let fields else { return }
    for file in fields.files.values {
      try require(
        !file.name.contains("/") && !file.name.contains("\\"),
        "\(file.name) has a folder in it"
      )
      try require(file.bytes.count <= body.count, "a file is longer than the form")
    }
    try checkWritten(fields, boundary)
  }

  /// Encodes what was parsed, and checks that parsing it again gives the same.
  private static func checkWritten(_ fields: FormFields, _ boundary: String) throws(FuzzFinding) {
    var written = Data()
    let mark = "--\(boundary)\r\n"
    for (name, values) in fields.values {
      for value in values {
        // Browsers send nothing that cannot be quoted.
        guard !name.contains(where: { "\"\r\n\r\n%".contains($0) || $0.isNewline }) else { return }
        guard !value.contains("\u{FFFD}"), !value.contains(boundary) else { return }
        written += Data("\(mark)Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8)
        written += Data("\(value)\r\n".utf8)
      }
    }
    written += Data("--\(boundary)--\r\n".utf8)
    let again = MultipartReader.read(written, boundary: boundary)
    try require(
      again?.values == fields.values,
      "\([UInt8](written).text) is read as \(again?.values, default: "nothing")"
    )
  }

  private static func checkPairs(_ text: String) throws(FuzzFinding) {
    let fields = FormFields(urlEncoded: text)
    let count = fields.values.values.reduce(0) { $0 + $1.count }
    try require(
      count <= text.utf8.count(where: { $0 == UInt8(ascii: "&") }) + 1,
      "pairs are made up"
    )
    let encoded = fields.values.flatMap { name, values in values.map { (name, $0) } }
      .map { percent($0.0) + "=" + percent($0.1) }.joined(separator: "&")
    if !encoded.isEmpty {
      try require(
        FormFields(urlEncoded: encoded).values == fields.values,
        "\(encoded) is not what \(text) is"
      )
    }
  }

  private static func percent(_ text: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let mark = UInt8(ascii: "%")
    return text.utf8.flatMap { [mark, digits[Int($0 >> 4)], digits[Int($0 & 15)]] }.text
  }

  static var seeds: [[UInt8]] {
    let type = "multipart/form-data; boundary=x\n"
    func part(_ head: String, _ content: String) -> String {
      "--x\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n"
    }
    return [
      type + part("name=\"a\"", "1") + part("name=\"b\"; filename=\"c.json\"", "[]") + "--x--\r\n",
      type + part("name=\"a%22b\"", "") + part("name=\"a%22b\"", "2") + "--x--",
      type + part("name=\"f\"; filename=\"..\\a/b\"", "x") + "--x--", type + "--x--",
      type + "--x\r\n",
      "multipart/form-data; boundary=\"y\"\n--y\r\n\r\n\r\n--y--", "multipart/form-data\n", type,
      type + "--x\r\nContent-Type: a\r\ncontent-disposition: x; name=\"é\"\r\n\r\n\r\n--x--",
      type + part("name=\"a\"", "--x\r\n--x--"), "a=1&b=%C3%A9+c&&=&d&a=%zz%", "%00=%ff&=&",
    ].map { Array($0.utf8) }
  }
}
