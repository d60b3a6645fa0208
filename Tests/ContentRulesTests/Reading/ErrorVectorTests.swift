import ContentRules
import Foundation
import TestSupport
import Testing

/// Lists whose acceptance, or WebKit's error, is known from WebKit's tests and from observation.
@Suite struct ErrorVectorTests {
  struct Group: Decodable {
    var cases: [Case]
  }

  struct Case: Decodable {
    struct Generator: Decodable {
      var prefix, rule, separator, suffix: String?
      var count: Int?
      var open, close: String?
      var depth: Int?
    }

    var json: String?
    var json_generator: Generator?
    var error: String?

    var text: String {
      if let json { return json }
      guard let generator = json_generator else { return "" }
      if let open = generator.open, let close = generator.close, let depth = generator.depth {
        return String(repeating: open, count: depth) + String(repeating: close, count: depth)
      }
      let rules = Array(repeating: generator.rule ?? "", count: generator.count ?? 0)
      return (generator.prefix ?? "") + rules.joined(separator: generator.separator ?? "")
        + (generator.suffix ?? "")
    }
  }

  @Test(arguments: ["errors.json", "errors-observed.json"])
  func answersAsWebKit(file: String) throws {
    let groups = try JSONDecoder().decode([Group].self, from: Data(Vectors.bytes(file)))
    var count = 0
    for vector in groups.flatMap(\.cases) {
      let report = RuleListReader.read(vector.text)
      #expect(
        report.webKitError?.webKitError?.rawValue == vector.error,
        "\(vector.text.prefix(200))"
      )
      #expect(report.isAccepted == (report.ruleList != nil))
      #expect(report.diagnostics.filter(\.isWebKitError).count == (vector.error == nil ? 0 : 1))
      count += 1
    }
    #expect(count > 50)
  }
}
