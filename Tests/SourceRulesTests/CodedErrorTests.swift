import Foundation
import Testing

/// Errors have one shape: `CodedError`.
struct CodedErrorTests {
  /// Types with codes of another shape, each for a reason.
  private static let others = [
    "CompileError": "the engine's codes are a closed set that programs switch over",
    "ByteCodeError": "the engine's codes are a closed set that programs switch over",
    "ErrorReport": "carries the domain and the number of an NSError",
  ]

  @Test("every error with a code is a CodedError")
  func shape() throws {
    var errors: Set<String> = []
    for file in try SourceFile.ofPrograms() {
      // The error types of the file, whose declarations are open.
      var name = ""
      var parents: [Substring] = []
      for line in file.lines where line.first != "/" {
        if line.first != " ", let type = Self.structure(line) { (name, parents) = type }
        guard parents.contains(where: { $0 == "Error" || $0 == "CodedError" }) else { continue }
        let words = line.drop { $0 == " " }
        guard words.hasPrefix("public let code: ") || words.hasPrefix("public var code: ") else {
          continue
        }
        errors.insert(name)
        #expect(
          parents.contains("CodedError") == (Self.others[name] == nil),
          "\(file.path): \(name)"
        )
      }
    }
    #expect(errors.count > 12)
    #expect(errors.isSuperset(of: Self.others.keys))
  }

  @Test("codes are in kebab-case, and no type has one twice")
  func codes() throws {
    var count = 0
    for file in try SourceFile.ofPrograms() {
      var seen: Set<Substring> = []
      var name = Substring()
      for line in file.lines
      where line.hasSuffix("\")") || line.hasSuffix("Code =")
        || line.hasSuffix(" =") || line.contains("WireError(\"")
      {
        // The call may stand on the next line.
        if let range = line.range(of: "static let ") {
          name = line[range.upperBound...].prefix { $0 != " " }
        }
        if !name.isEmpty, let code = Self.literal(line, behind: "Code(rawValue: \"") {
          defer { name = "" }
          count += 1
          #expect(Self.isKebabCase(code), "\(file.path): \(code)")
          #expect(seen.insert(code).inserted, "\(file.path): \(code) is there twice")
          #expect(Self.folded(code) == Self.folded(name), "\(file.path): \(name) is \(code)")
        }
        if let code = Self.literal(line, behind: "WireError(\"") {
          count += 1
          #expect(Self.isKebabCase(code), "\(file.path): \(code)")
        }
      }
    }
    #expect(count > 200)
  }

  @Test("no message ends with a full stop")
  func fullStops() throws {
    for file in try SourceFile.ofPrograms() {
      let lines = file.lines
      for (number, line) in lines.enumerated() where line.contains(#".""#) {
        let isOneLine = line.contains(#".")"#) && line.contains("Error(.")
        let isLastPart = line.hasSuffix(#".""#) && lines[number + 1].hasSuffix(")")
        guard isOneLine || isLastPart else { continue }
        // The call begins at most five lines above.
        let head = lines[max(0, number - 5)...number].last { $0.contains("Error(") } ?? ""
        // A page's message is prose, and has no code; so has what an argument's parser shows.
        guard head.contains("Error("), !head.contains("PageError("),
          !head.contains("ValidationError("), isOneLine || head.hasSuffix("Error(")
        else { continue }
        Issue.record("\(file.path): \(line)")
      }
    }
  }

  @Test("no message over several lines ends with a full stop")
  func fullStopsOfLongMessages() throws {
    let opening = #/Error\(\s*\.[a-zA-Z]+,\s*"""\n/#
    var count = 0
    for file in try SourceFile.ofPrograms() {
      for match in file.text.matches(of: opening) {
        let rest = file.text[match.range.upperBound...]
        let message = rest[..<(rest.firstRange(of: "\"\"\"")?.lowerBound ?? rest.endIndex)]
        count += 1
        let last = message.last { !$0.isWhitespace }
        #expect(last != ".", "\(file.path): \(message)")
      }
    }
    #expect(count > 20)
  }

  /// The name and parents of a structure that a line declares.
  private static func structure(_ line: Substring) -> (String, [Substring])? {
    guard let range = line.range(of: "struct "), line.hasSuffix("{") else {
      // Whatever else is declared ends the structure before.
      return line.first == "}" || line.isEmpty ? nil : ("", [])
    }
    let parts = line[range.upperBound...].split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return (String(parts.first ?? ""), Array(parts.dropFirst()))
  }

  /// What a line has in quotation marks behind a text that opens them.
  private static func literal(_ line: Substring, behind opening: String) -> Substring? {
    guard let range = line.range(of: opening) else { return nil }
    return line[range.upperBound...].prefix { $0 != "\"" }
  }

  private static func isKebabCase(_ code: Substring) -> Bool {
    code.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { word in
      !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
    }
  }

  private static func folded(_ name: Substring) -> String {
    name.filter { $0 != "-" }.lowercased()
  }
}
