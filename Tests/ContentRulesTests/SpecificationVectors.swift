import ContentRules
import Foundation
import TestSupport
import Testing

/// The recorded vectors as values.
enum SpecificationVectors {
  /// One group of a vector file; a file uses only some of the fields.
  struct Group<Case: Decodable & Sendable>: Decodable, Sendable {
    var group: String
    var cases: [Case]
  }

  static func groups<Case>(of file: String, _: Case.Type) throws -> [Group<Case>] {
    try JSONDecoder().decode([Group<Case>].self, from: data(of: file))
  }

  static func data(of file: String) throws -> Data {
    Data(try Vectors.bytes(file))
  }
}

struct SelectorVector: Decodable, Sendable {
  var selector: String
  var valid: Bool
}

@Suite("Selector lists against the engine's verdicts")
struct SelectorVectorTests {
  /// The project's own, and those of real lists in the folder of data.
  private static let files = [
    Vectors.folder.appending(path: "selectors-observed.json"),
    SharedData.item("spec/vectors/selectors-observed.json"),
  ].compactMap(\.self)

  @Test("every observed selector list is judged alike", arguments: files)
  func observed(_ file: URL) throws {
    let cases = try JSONDecoder().decode(
      [SpecificationVectors.Group<SelectorVector>].self,
      from: Data(contentsOf: file)
    ).flatMap(\.cases)
    #expect(cases.count >= 587)
    for example in cases {
      let fault = SelectorList.firstFault(in: example.selector)
      #expect((fault == nil) == example.valid, "\(example.selector.debugDescription): \(fault)")
    }
  }
}
