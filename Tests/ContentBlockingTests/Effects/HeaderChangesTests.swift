import ContentBlocking
import ContentRules
import Testing

@Suite("Header changes")
struct HeaderChangesTests {
  private func changed(
    _ fields: [(name: String, value: String)],
    _ actions: [(UInt32, [HeaderOperation])]
  ) -> [String] {
    var headers = RequestHeaders(fields)
    HeaderChanges.apply(
      actions: actions.map { ModifyHeaders(priority: $0.0, requestHeaders: $0.1) },
      to: &headers
    )
    return headers.fields.map { "\($0.name): \($0.value)" }
  }

  @Test("names compare case-insensitively and keep place and spelling")
  func names() {
    let fields = [("Accept", "1"), ("X", "2")]
    #expect(changed(fields, [(0, [.set(header: "ACCEPT", value: "9")])]) == ["Accept: 9", "X: 2"])
    #expect(changed(fields, [(0, [.remove(header: "accept")])]) == ["X: 2"])
    #expect(
      changed(fields, [(0, [.append(header: "x", value: "3")])]) == ["Accept: 1", "X: 2; 3"]
    )
    #expect(changed([], [(0, [.set(header: "Y", value: "1")])]) == ["Y: 1"])
  }

  @Test("append sets what is absent or empty")
  func append() {
    #expect(changed([], [(0, [.append(header: "a", value: "1")])]) == ["a: 1"])
    #expect(changed([("a", "")], [(0, [.append(header: "a", value: "1")])]) == ["a: 1"])
    #expect(changed([("a", "")], [(0, [.append(header: "a", value: "")])]) == ["a: "])
  }

  @Test("several fields of a name become one")
  func duplicates() {
    let fields = [("a", "1"), ("b", "2"), ("A", "3")]
    #expect(changed(fields, [(0, [.set(header: "a", value: "9")])]) == ["a: 9", "b: 2"])
    #expect(changed(fields, [(0, [.append(header: "a", value: "9")])]) == ["a: 1, 3; 9", "b: 2"])
    #expect(changed(fields, [(0, [.remove(header: "a")])]) == ["b: 2"])
    #expect(changed(fields, []) == ["a: 1", "b: 2", "A: 3"])
  }

  @Test("higher priorities come first, equal ones in order")
  func priority() {
    let set = { (value: String) in [HeaderOperation.set(header: "a", value: value)] }
    #expect(changed([], [(1, set("low")), (2, set("high"))]) == ["a: high"])
    #expect(changed([], [(1, set("first")), (1, set("second"))]) == ["a: first"])
    #expect(changed([], [(0, set("zero")), (.max, set("most"))]) == ["a: most"])
    let appends = (0..<100).map {
      (UInt32(5), [HeaderOperation.append(header: "a", value: "\($0)")])
    }
    #expect(changed([], appends) == ["a: " + (0..<100).map(String.init).joined(separator: "; ")])
  }

  static let firstOperations: [([HeaderOperation], [String])] = [
    ([.set(header: "a", value: "1"), .set(header: "a", value: "2")], ["a: 1"]),
    ([.set(header: "a", value: "1"), .append(header: "a", value: "2")], ["a: 1; 2"]),
    ([.set(header: "a", value: "1"), .remove(header: "a")], ["a: 1"]),
    ([.append(header: "a", value: "1"), .set(header: "a", value: "2")], ["a: 0; 1"]),
    ([.append(header: "a", value: "1"), .append(header: "a", value: "2")], ["a: 0; 1; 2"]),
    ([.append(header: "a", value: "1"), .remove(header: "a")], ["a: 0; 1"]),
    ([.remove(header: "a"), .set(header: "a", value: "1")], []),
    ([.remove(header: "a"), .append(header: "a", value: "1")], []),
    ([.remove(header: "a"), .remove(header: "a")], []),
    // The memory goes by spelling, the header does not.
    ([.set(header: "a", value: "1"), .set(header: "A", value: "2")], ["a: 2"]),
    ([.remove(header: "a"), .append(header: "A", value: "1")], ["A: 1"]),
    ([.set(header: "a", value: "1"), .remove(header: "A")], []),
  ]

  @Test("the first operation on a spelling decides", arguments: firstOperations)
  func first(_ operations: [HeaderOperation], _ expected: [String]) {
    #expect(changed([("a", "0")], [(1, operations)]) == expected)
    // The same over several actions.
    let split = operations.enumerated().map { (UInt32(9 - $0.offset), [$0.element]) }
    #expect(changed([("a", "0")], split.reversed()) == expected)
  }

  @Test("spellings that Unicode holds for equal are different headers")
  func spelling() {
    let operations: [HeaderOperation] = [
      .set(header: "\u{E9}", value: "1"), .set(header: "e\u{301}", value: "2"),
    ]
    #expect(changed([], [(0, operations)]).count == 2)
  }

  @Test("response headers are never applied")
  func responseHeaders() {
    var headers = RequestHeaders([("a", "1")])
    let action = ModifyHeaders(priority: 1, responseHeaders: [.remove(header: "a")])
    HeaderChanges.apply(actions: [action], to: &headers)
    #expect(headers.value(of: "A") == "1")
  }

  @Test("values are read over all fields of a name")
  func value() {
    let headers = RequestHeaders([("a", "1"), ("b", "2"), ("A", "3")])
    #expect(headers.value(of: "a") == "1, 3")
    #expect(headers.value(of: "c") == nil)
  }

  @Test("a hundred thousand headers take linear time")
  func many() {
    let operations = (0..<100_000).map {
      HeaderOperation.append(header: "h\($0 % 50_000)", value: "v")
    }
    let result = changed([], [(1, operations)])
    #expect(result.count == 50_000)
    #expect(result.first == "h0: v; v")
  }
}
