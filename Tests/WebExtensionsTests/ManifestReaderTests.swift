import Testing

@testable import WebExtensions

struct ManifestReaderTests {
  private func read(_ text: String) throws(WebExtensionError) -> ManifestValue {
    try ManifestReader.read(Array(text.utf8), name: "manifest.json")
  }

  @Test("what is written again is what was read, with comments left out")
  func roundTrip() throws {
    let value = try read(
      """
      // A manifest.
      { "name": "a\\"\\u00e9\\ud83d\\ude00", /* two */ "list": [1, -2.5e3, true, null, {}, []] }
      """
    )
    #expect(value["name"]?.text == "a\"é😀")
    let again = try ManifestReader.read(value.json, name: "again")
    #expect(again.plain == value.plain)
    #expect(value["list"]?.plain == "[1,-2.5e3,true,null,{},[]]")
  }

  @Test("the last of two members of one key counts")
  func duplicates() throws {
    #expect(try read(#"{"a": 1, "b": 2, "a": 3}"#).plain == "{a:3,b:2}")
  }

  @Test(
    "faults have their line and column",
    arguments: [
      ("{\n  \"a\": ,\n}", "manifest.json:2:8"), ("{\"a\" 1}", "manifest.json:1:6"),
      ("[1, 2", "manifest.json:1:6"), ("{\"a\": 01}", "manifest.json:1:7"),
      ("", "manifest.json:1:1"),
      ("{\"a\": \"\n\"}", "manifest.json:1:8"), ("{} x", "manifest.json:1:4"),
      ("/* no end", "manifest.json:1:1"), ("\"\\ud800\"", "manifest.json:1:2"),
      ("{\"a\": 1,}", "manifest.json:1:9"),
    ]
  )
  func faults(_ text: String, _ place: String) throws {
    let error = #expect(throws: WebExtensionError.self) { try read(text) }
    #expect(error?.code == .syntax)
    #expect(error?.message.hasPrefix(place + ": ") == true, "\(error?.message ?? "")")
  }

  @Test("depth and size are bounded")
  func bounds() throws {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: WebExtensionError.self) { try read(deep) }
    let long = [UInt8](repeating: 0x20, count: ManifestReader.sizeLimit + 1)
    let error = #expect(throws: WebExtensionError.self) {
      try ManifestReader.read(long, name: "manifest.json")
    }
    #expect(error?.code == .limit)
  }

  @Test("a manifest has a version, a name and a version number")
  func required() throws {
    for text in [
      "[]", #"{"manifest_version": 1, "name": "a", "version": "1"}"#,
      #"{"manifest_version": "3", "name": "a", "version": "1"}"#,
      #"{"manifest_version": 3, "version": "1"}"#, #"{"manifest_version": 3, "name": "a"}"#,
    ] {
      let error = #expect(throws: WebExtensionError.self) {
        try CheckedManifest(Array(text.utf8))
      }
      #expect(error?.code == .manifest)
    }
  }
}
