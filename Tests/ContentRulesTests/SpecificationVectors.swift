import ContentRules
import Foundation
import TestSupport
import Testing

/// The conformance data that lies beside the package, when it is there.
enum SpecificationVectors {
  static var areAvailable: Bool { !SharedData.isAbsent }

  /// One group of a vector file; a file uses only some of the fields.
  struct Group<Case: Decodable & Sendable>: Decodable, Sendable {
    var group: String
    var cases: [Case]
  }

  static func groups<Case>(of file: String, _: Case.Type) throws -> [Group<Case>] {
    try JSONDecoder().decode([Group<Case>].self, from: data(of: file))
  }

  static func data(of file: String) throws -> Data {
    Data(try SharedData.bytes("spec/vectors/" + file))
  }
}

struct SelectorVector: Decodable, Sendable {
  var selector: String
  var valid: Bool
}

@Suite(
  "Selector lists against the engine's verdicts",
  .enabled(if: SpecificationVectors.areAvailable, "the conformance data is not beside the package")
)
struct SelectorVectorTests {
  @Test("every observed selector list is judged alike")
  func observed() throws {
    let cases = try SpecificationVectors.groups(
      of: "selectors-observed.json",
      SelectorVector.self
    ).flatMap(\.cases)
    #expect(cases.count >= 1_575)
    for example in cases {
      let fault = SelectorList.firstFault(in: example.selector)
      #expect((fault == nil) == example.valid, "\(example.selector.debugDescription): \(fault)")
    }
  }
}
