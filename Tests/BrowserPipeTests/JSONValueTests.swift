import BrowserPipe
import Testing

@Suite("JSON over the pipe")
struct JSONValueTests {
  private func read(_ text: String) -> JSONValue? { JSONValue(Array(text.utf8)) }

  @Test("values keep their kinds, and are written as they were read")
  func kinds() throws {
    let text =
      #"{"a":[1,-2.5,1e3,true,false,null,"x\"\\\nä😀",[],{}],"b":{"c":9007199254740993}}"#
    let value = try #require(read(text))
    #expect(value["a"]?.array?.prefix(2).map(\.number) == [1, -2.5])
    #expect(value["a"]?.array?.prefix(3).map(\.integer) == [1, nil, 1_000])
    #expect(value["a"]?.array?[3] == true)
    #expect(value["a"]?.array?[4] == false)
    #expect(value["a"]?.array?[5] == .null)
    #expect(value["a"]?.array?[6].string == "x\"\\\nä😀")
    #expect(value["b"]?["c"]?.integer == 9_007_199_254_740_993)
    #expect(value["b"]?.texts == nil)
    #expect(read(#"{"x":"y"}"#)?.texts == ["x": "y"])
    // Whole numbers are written without an exponent.
    #expect(JSONValue(value.bytes)?.bytes == value.bytes)
    #expect(value["a"]?.array?[3].integer == nil && value["a"]?.array?[0].string == nil)
  }

  @Test(
    "what is not JSON is no value, and no trap",
    arguments: [
      "", "{", "[1,", "{\"a\"}", "\"", "nul", "[1]x", "--1", "{\"a\":1e}",
      String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
      String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
      "[" + String(repeating: "9", count: 100_000) + "]",
    ]
  )
  func refused(text: String) {
    #expect(read(text) == nil)
  }

  @Test("numbers beyond whole ones, and keys that come twice")
  func edges() {
    #expect(read("[99999999999999999999]")?.array?.first?.number == 1e20)
    #expect(read("[99999999999999999999]")?.array?.first?.integer == nil)
    #expect(read(#"{"a":1,"a":2}"#)?["a"]?.integer == 2)
  }
}
