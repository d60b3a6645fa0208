import ContentRules
import FilterLists
import Testing

/// Files in memory, by their paths below the list's folder.
struct MemoryFolder: FilterIncluding {
  var files: [String: String]

  mutating func read(_ path: [String], limit: Int) throws(FilterIncludeRefusal) -> [UInt8] {
    guard let text = files[path.joined(separator: "/")] else {
      throw FilterIncludeRefusal("there is no such file")
    }
    return Array(text.utf8)
  }
}

@Suite("Lists are split into lines, and directives followed")
struct FilterCollectionTests {
  private func read(
    _ text: String,
    _ dialect: FilterDialect = .adguard,
    _ files: [String: String] = [:]
  ) -> FilterCollection {
    var reader = FilterCollectionReader()
    var folder = MemoryFolder(files: files)
    reader.add(
      FilterSource(name: "list", dialect: dialect, text: Array(text.utf8)),
      including: &folder
    )
    return reader.collection
  }

  /// The lines that are filters, as `file:line:text`.
  private func active(_ collection: FilterCollection) -> [String] {
    collection.lines.filter { $0.standing == .ordinary && !$0.range.isEmpty }.map {
      let source = collection.sources[Int($0.source)]
      return "\(source.name):\($0.number):\(FilterText.string(source.text, $0.range))"
    }
  }

  @Test("line ends and a byte-order mark")
  func lineEnds() {
    let lines = active(read("\u{FEFF}a\r\n  b \n\nc"))
    #expect(lines == ["list:1:a", "list:2:b", "list:4:c"])
    #expect(
      active(read("a\rb\r\rc\r\nd\n\re")) == [
        "list:1:a", "list:2:b", "list:4:c", "list:5:d", "list:7:e",
      ]
    )
    #expect(FilterText.lineStarts(of: Array("a\rb\r\nc\n".utf8)) == [0, 2, 5, 7])
    #expect(FilterText.lineStarts(of: []) == [0])
  }

  @Test("included files are named with the list's folder, and no list includes itself")
  func folders() {
    var reader = FilterCollectionReader()
    var folder = MemoryFolder(files: ["sub/one.txt": "!#include two.txt", "sub/two.txt": "b"])
    let text = "!#include sub/one.txt\n!#include list.txt\na"
    for name in ["x/list.txt", "list.txt"] {
      reader.add(
        FilterSource(name: name, dialect: .ubo, text: Array(text.utf8)),
        including: &folder
      )
    }
    #expect(
      reader.collection.sources.map(\.name) == [
        "x/list.txt", "x/sub/one.txt", "x/sub/two.txt", "list.txt", "sub/one.txt", "sub/two.txt",
      ]
    )
    #expect(
      reader.collection.refusals.values.sorted() == [
        "list.txt includes itself", "list.txt includes itself",
      ]
    )
  }

  @Test("what only the tools of a list's template understand is no filter")
  func templates() {
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    let text = "%include easylist:ads/ads.txt%\n@include \"./x.txt\"\n%include\n@@include"
    reader.add(FilterSource(name: "a", dialect: .abp, text: Array(text.utf8)), including: &none)
    #expect(
      reader.collection.lines.map(\.standing) == [.refused, .refused, .ordinary, .ordinary]
    )
    #expect(reader.collection.refusals.keys.sorted() == [0, 1])
  }

  @Test("lines beyond the limit are left out, and that is known")
  func tooManyLines() {
    let limit = FilterCollectionReader.mostLines
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    let lines = [UInt8](repeating: 0x0A, count: limit)
    reader.add(FilterSource(name: "a", dialect: .abp, text: lines), including: &none)
    #expect(!reader.collection.isCut)
    reader.add(FilterSource(name: "b", dialect: .abp, text: Array("x".utf8)), including: &none)
    #expect(reader.collection.isCut && reader.collection.lines.count == limit)
  }

  @Test("an included file that is no list is refused, as it would be by itself")
  func encodings() {
    let collection = read("!#include a.txt\nb", .ubo, ["a.txt": "a\0"])
    let refusal = OtherFormat.recognizeNoList(Array("a\0".utf8).span)?.refusal
    #expect(refusal != nil && collection.refusals[0] == refusal.map { "a.txt \($0)" })
    #expect(active(collection) == ["list:2:b"])
  }

  @Test(
    "conditions",
    arguments: [
      ("env_safari", true), ("adguard_ext_safari && !ext_ublock", true), ("env_chromium", false),
      ("(env_firefox || env_safari) && adguard", true), ("!env_safari", false),
      ("false || true", true), ("env_safari &&", false), ("", false), ("((((a))", false),
    ]
  )
  func conditions(condition: String, holds: Bool) {
    let lines = active(read("!#if \(condition)\nyes\n!#else\nno\n!#endif\nlast"))
    #expect(lines == [holds ? "list:2:yes" : "list:4:no", "list:6:last"])
  }

  @Test("names depend on the dialect")
  func dialects() {
    let text = "!#if ext_ublock\nubo\n!#endif\n!#if adguard\nadguard\n!#endif"
    #expect(active(read(text, .ubo)) == ["list:2:ubo"])
    #expect(active(read(text, .adguard)) == ["list:5:adguard"])
  }

  @Test("conditions are nested; what they leave out is left out whatever is in it")
  func nesting() {
    let text = """
      !#if env_chromium
      !#if env_safari
      a
      !#else
      b
      !#endif
      !#include more.txt
      !#endif
      c
      """
    #expect(active(read(text, .adguard, ["more.txt": "d"])) == ["list:9:c"])
  }

  @Test("a hint is for the next line alone")
  func hints() {
    let text = """
      !+ NOT_PLATFORM(ext_safari, windows)
      ||a^
      !+ PLATFORM(windows)
      ||b^
      !+ PLATFORM(ios, ext_safari)
      ||c^
      !+ NOT_OPTIMIZED
      ||d^
      ||e^
      """
    #expect(active(read(text)) == ["list:6:||c^", "list:8:||d^", "list:9:||e^"])
  }

  @Test("files are included, relative to the file that names them")
  func includes() {
    let collection = read(
      "a\n!#include x/one.txt\nz",
      .adguard,
      ["x/one.txt": "b\n!#include two.txt", "x/two.txt": "c"]
    )
    #expect(
      active(collection) == ["list:1:a", "x/one.txt:1:b", "x/two.txt:1:c", "list:3:z"]
    )
  }

  @Test(
    "nothing outside of the list's folder is included",
    arguments: [
      "../x", "/etc/passwd", "a/../../x", "https://a.test/x", "//a.test/x", #"a\b"#, "~/x",
      "missing", "%2e%2e/x", "a/%2E./x", ".%2e/x", "%2e", "%2fetc%2fpasswd", "etc%2Fpasswd",
      "a%5Cb", "x%00",
      "%252e%252e/x", "a%252Fb", "x%ff", "%2e%2e%2fx",
    ]
  )
  func refusedIncludes(path: String) {
    let files = ["x", "../x", "etc/passwd", "/etc/passwd", "a/b", #"a\b"#, "x\0", "x\u{FFFD}"]
    let collection = read(
      "!#include \(path)",
      .adguard,
      Dictionary(uniqueKeysWithValues: files.map { ($0, "stolen") })
    )
    #expect(collection.lines.count == 1)
    #expect(collection.lines[0].standing == .refused)
    #expect(collection.refusals[0]?.isEmpty == false)
  }

  @Test("names are percent-encoded, once")
  func encodedIncludes() {
    let files = [
      "My list.txt": "a\n!#include %C3%A5/b.txt", "å/b.txt": "b", "%2e.txt": "c", "100%.txt": "d",
      "å/c d.txt": "e",
    ]
    let text = """
      !#include My%20list.txt
      !#include My list.txt
      !#include %252e.txt
      !#include 100%.txt
      !#include ./%c3%a5/c%20d.txt
      """
    #expect(
      active(read(text, .ubo, files)) == [
        "My list.txt:1:a", "å/b.txt:1:b", "My list.txt:1:a", "å/b.txt:1:b", "%2e.txt:1:c",
        "100%.txt:1:d", "å/c d.txt:1:e",
      ]
    )
    let cycle = read("!#include a%20b", .ubo, ["a b": "x\n!#include a%20%62"])
    #expect(active(cycle) == ["a b:1:x"] && cycle.refusals.count == 1)
  }

  @Test("files that include themselves or too deeply are refused")
  func cycles() {
    let cycle = read("!#include a", .adguard, ["a": "x\n!#include b", "b": "!#include a"])
    #expect(active(cycle) == ["a:1:x"])
    #expect(cycle.refusals.count == 1)
    var files: [String: String] = [:]
    for number in 0..<20 { files["f\(number)"] = "x\n!#include f\(number + 1)" }
    let deep = read("!#include f0", .adguard, files)
    #expect(active(deep).count == FilterCollectionReader.includeDepth)
    #expect(deep.refusals.count == 1)
  }

  @Test("files are included only so often, however they are nested")
  func explosion() {
    let many = String(repeating: "!#include b\n", count: 2_000)
    let collection = read("!#include a", .adguard, ["a": many, "b": "x"])
    #expect(active(collection).count == FilterCollectionReader.includeCount - 1)
  }

  @Test("a line that is too long is no filter")
  func longLine() {
    let long = String(repeating: "x", count: FilterCollectionReader.longestLine + 1)
    #expect(read("a\n\(long)\nb").lines.map(\.standing) == [.ordinary, .tooLong, .ordinary])
  }

  @Test("AdGuard's affinity is told from other comments")
  func affinity() {
    let text = "!#safari_cb_affinity(privacy)\na\n!#safari_cb_affinity"
    #expect(read(text).lines.map(\.standing) == [.affinity, .ordinary, .affinity])
  }
}
