import Foundation
import Testing

@testable import XcodeProjects

@Suite("Property lists")
struct PropertyListTests {
  private func parse(_ text: String) throws -> PropertyListNode {
    try OldStylePropertyList.parse(Array(text.utf8), name: "list")
  }

  @Test(
    "strings, bare and in quotes, with every escape",
    arguments: [
      ("abc", "abc"), ("a/b.c:$D_-1", "a/b.c:$D_-1"), ("\"a b\"", "a b"), ("'a \"b\"'", "a \"b\""),
      (#""a\"b\\c""#, "a\"b\\c"), (#""\a\b\f\n\r\t\v""#, "\u{7}\u{8}\u{C}\n\r\t\u{B}"),
      (#""\101\12x\0""#, "A\nx\0"), (#""\341""#, "Æ"), (#""\U00e4x""#, "äx"),
      (#""\UD83D\UDE00""#, "😀"), (#""\UD83D""#, "\u{FFFD}"), (#""\Uxyz""#, "Uxyz"),
      ("\"a\\\nb\"", "a\nb"), ("\"/* no comment */\"", "/* no comment */"), ("\"\"", ""),
      ("\"ä€😀\"", "ä€😀"), ("// c\n/* d */ x // e", "x"),
    ]
  )
  func strings(text: String, expected: String) throws {
    #expect(try parse(text).string == expected)
  }

  @Test("data is hexadecimal digits with space between them")
  func data() throws {
    #expect(try parse("<0a 0B\n ff>").value == .data([0x0A, 0x0B, 0xFF]))
    #expect(try parse("<>").value == .data([]))
  }

  @Test("containers hold values with their places; the last separator may be missing or there")
  func containers() throws {
    let root = try parse("{\n a = (1, 2,);\n b = { c = d; };\n e = (x, y); f; }")
    #expect(root.dictionary?["a"]?.strings == ["1", "2"])
    #expect(root.dictionary?["b"]?.dictionary?["c"]?.string == "d")
    #expect(root.dictionary?["b"]?.place == PropertyListNode.Place(line: 3, column: 6))
  }

  @Test(
    "errors have line and column",
    arguments: [
      ("", "list:1:1: the list ends where a value is expected"),
      ("{\n a = 1\n b = 2; }", "list:3:2: the value of \"a\" must be followed by ;"),
      ("{ a 1; }", "list:1:5: \"a\" must be followed by ="),
      ("{\n a = (1 2); }", "list:2:9: the values of an array must be separated by ,"),
      ("{ a = 1;", "list:1:1: this { has no }"), ("(1,", "list:1:1: this ( has no )"),
      ("( \"a", "list:1:3: this string has no end"), ("<0", "list:1:1: this < has no >"),
      ("<0>", "list:1:1: data must have an even number of hexadecimal digits"),
      ("<0g>", "list:1:3: data must be hexadecimal digits"),
      ("/* x", "list:1:1: this comment has no end"),
      ("{ a = ; }", "list:1:7: \";\" must be in quotes, or is out of place"),
      (
        "{\n<<<<<<< HEAD\n a = 1;\n=======\n",
        "list:2:1: a merge conflict is left here; resolve it first"
      ),
      ("(\n>>>>>>> b\n", "list:2:1: a merge conflict is left here; resolve it first"),
      ("a b", "list:1:3: nothing more is expected after the list"),
    ]
  )
  func errors(text: String, message: String) {
    #expect(throws: XcodeProjectError(.syntax, message)) {
      try OldStylePropertyList.parse(Array(text.utf8), name: "list")
    }
  }

  @Test("nesting is bounded in every form", arguments: ["(", "{a=", "<array>", "[", "{\"a\":"])
  func nesting(opening: String) {
    let text =
      (opening == "<array>" ? "<?xml version=\"1.0\"?><plist>" : "")
      + String(repeating: opening, count: 100_000)
    #expect(throws: XcodeProjectError.self) {
      try PropertyLists.read(Array(text.utf8), name: "list")
    }
  }

  @Test("XML, binary and JSON say the same as Xcode's own form")
  func forms() throws {
    let value: [String: Any] = ["a": ["b", "c"], "d": ["e": "f g"]]
    let expected = try parse("{ a = (b, c); d = { e = \"f g\"; }; }")
    var forms = [try JSONSerialization.data(withJSONObject: value)]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      forms.append(
        try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
      )
    }
    for form in forms {
      let node = try PropertyLists.read([UInt8](form), name: "list")
      #expect(node.dictionary?["a"]?.strings == expected.dictionary?["a"]?.strings)
      #expect(node.dictionary?["d"]?.dictionary?["e"]?.string == "f g")
    }
  }

  @Test("what is no project is refused with the reason", arguments: ["{}", "(a)", "{objects={};}"])
  func noProject(text: String) throws {
    let node = try PropertyLists.read(Array(text.utf8), name: "list")
    #expect(throws: XcodeProjectError.self) { try ProjectObjects(node, name: "list") }
  }

  @Test("a list in JSON is read like one in Xcode's format, and within its depth")
  func json() throws {
    let text = #"{"a": {"b": ["c", 1, 1.5, true, null]}, "d": "ä"}"#
    let node = try PropertyLists.read(Array(text.utf8), name: "list")
    #expect(node.dictionary?["d"]?.string == "ä")
    #expect(
      node.dictionary?["a"]?.dictionary?["b"]?.strings == ["c", "1", "1.5", "1", "<null>"]
    )
    let depth = OldStylePropertyList.Limits.depth
    for (count, isRead) in [(depth - 1, true), (depth + 10, false), (100_000, false)] {
      let nested =
        "{\"a\":" + String(repeating: "[", count: count) + String(repeating: "]", count: count)
        + "}"
      let node = try? PropertyLists.read(Array(nested.utf8), name: "list")
      #expect((node != nil) == isRead, "\(count)")
    }
  }
}
