import CommandInput
import ContentBlocking
import ListTesting
import ResourceLoads
import Testing
import WebURL

@Suite("The format of tests for lists")
struct ListTestReaderTests {
  /// The load that a line of JSON describes, as `tickbird match` reads it.
  private func load(json: String) throws -> ResourceLoad {
    var reader = RequestReader()
    return try reader.read(Array(json.utf8).span)
  }

  @Test(
    "a load means what the same words mean to match",
    arguments: [
      (
        "https://a.test/x image on https://p.test/",
        #"{"url":"https://a.test/x","resource_type":"image","top_url":"https://p.test/"}"#
      ),
      (
        "https://a.test/x#f script",
        #"{"url":"https://a.test/x#f","resource_type":"script"}"#
      ),
      (
        "https://a.test/x document on https://p.test/",
        #"{"url":"https://a.test/x","resource_type":"document","top_url":"https://p.test/"}"#
      ),
      (
        "https://a.test/ document",
        #"{"url":"https://a.test/","resource_type":"document"}"#
      ),
      (
        "https://a.test/x xhr on https://p.test/ in https://f.test/",
        #"{"url":"https://a.test/x","resource_type":"xhr","top_url":"https://p.test/","#
          + #""frame_url":"https://f.test/"}"#
      ),
      (
        "https://a.test/t#c texttrack on https://p.test/",
        #"{"url":"https://a.test/t#c","resource_type":"texttrack","top_url":"https://p.test/"}"#
      ),
      (
        "https://a.test/x font first-party child-frame method POST on https://p.test/",
        #"{"url":"https://a.test/x","resource_type":"font","top_url":"https://p.test/","#
          + #""load_context":"child-frame","method":"post","load_type":"first-party"}"#
      ),
      (
        "https://a.test/x font third-party top-frame method null on https://a.test/",
        #"{"url":"https://a.test/x","resource_type":"font","top_url":"https://a.test/","#
          + #""load_context":"top-frame","method":null,"load_type":"third-party"}"#
      ),
      (
        "https://a.test/x document top-frame on https://p.test/",
        #"{"url":"https://a.test/x","resource_type":"document","top_url":"https://p.test/","#
          + #""load_context":"top-frame"}"#
      ),
    ]
  )
  func loads(line: String, json: String) throws {
    let file = try tests("\(line) => load")
    #expect(file.expectations.map(\.load) == [try load(json: json)])
  }

  @Test("sections give pages and frames, and a line's own words come first")
  func sections() throws {
    let file = try tests(
      """
      https://a.test/0 image => load
      [page https://p.test/]
      https://a.test/1 image => load
      page => load
      https://a.test/2 image on https://q.test/ => load
      [frame https://f.test/ on https://p.test/]   # a comment
      https://a.test/3 image => load
      frame => load
      https://a.test/4 child-document => load
      https://a.test/5 image in https://g.test/ => load
      https://a.test/6 image on https://q.test/ => load
      """
    )
    let loads = try [
      #"{"url":"https://a.test/0","resource_type":"image"}"#,
      #"{"url":"https://a.test/1","resource_type":"image","top_url":"https://p.test/"}"#,
      #"{"url":"https://p.test/","resource_type":"top-document"}"#,
      #"{"url":"https://a.test/2","resource_type":"image","top_url":"https://q.test/"}"#,
      #"{"url":"https://a.test/3","resource_type":"image","top_url":"https://p.test/","#
        + #""frame_url":"https://f.test/"}"#,
      #"{"url":"https://f.test/","resource_type":"child-document","top_url":"https://p.test/"}"#,
      // A new frame still shows about:blank.
      #"{"url":"https://a.test/4","resource_type":"child-document","top_url":"https://p.test/"}"#,
      #"{"url":"https://a.test/5","resource_type":"image","top_url":"https://p.test/","#
        + #""frame_url":"https://g.test/"}"#,
      #"{"url":"https://a.test/6","resource_type":"image","top_url":"https://q.test/"}"#,
    ].map { try load(json: $0) }
    #expect(file.expectations.map(\.load) == loads)
    #expect(file.expectations.map(\.line) == [1, 3, 4, 5, 7, 8, 9, 10, 11])
    #expect(file.expectations[0].section == nil)
    #expect(file.expectations[4].title.hasSuffix("[frame https://f.test/ on https://p.test/]"))
  }

  @Test("expectations are read with commas, quotation marks and comments in them")
  func claims() throws {
    func outcomes(_ text: String) throws -> [ListClaim.Outcome] {
      try tests("https://a.test/ image => \(text)").expectations[0].claims.map(\.outcome)
    }
    #expect(try outcomes("load") == [.load])
    #expect(try outcomes("block,cookies  kept # yes") == [.block, .cookiesKept])
    #expect(try outcomes("cookies stripped, https") == [.cookiesStripped, .https])
    #expect(
      try outcomes("hide  .a  >  #b, show :is(.c, .d), hide [title=\"x, # y\"]")
        == [.hide(".a > #b"), .show(":is(.c, .d)"), .hide("[title=\"x, # y\"]")]
    )
    let url = try #require(WebURL("https://b.test/x,y"))
    #expect(try outcomes("redirect \"https://b.test/x,y\"") == [.redirect(url)])
    #expect(try outcomes("unchanged") == [.unchanged])
    let causes = try tests(
      #"https://a.test/ image => block by "[a,b]\. by \"x\"", block by rule 3, hide .by by rule 1:4"#
    ).expectations[0].claims.map(\.cause)
    #expect(
      causes == [
        .pattern(#"[a,b]\. by \"x\""#), .number(ListedRule(list: 0, rule: 3)),
        .number(ListedRule(list: 1, rule: 4)),
      ]
    )
  }

  @Test("the head names lists and permissions, each with its place")
  func head() throws {
    let file = try tests(
      "\u{FEFF}# tests\r\nlist: a list.json\r\n list:  b.json  # both\r\n"
        + "permission: *://*.example.com/*\r\n\r\nhttps://a.test/ image => load\r"
    )
    #expect(file.lists.map(\.value) == ["a list.json", "b.json"])
    #expect(file.lists.map(\.line) == [2, 3])
    #expect(file.lists.map(\.column) == [7, 9])
    #expect(file.permissions.map(\.text) == ["*://*.example.com/*"])
    #expect(file.expectations.map(\.line) == [6])
    let range = file.expectations[0].byteRange
    #expect(
      String(decoding: file.text[range], as: UTF8.self) == "https://a.test/ image => load"
    )
  }

  @Test(
    "what is not understood is a fault with its place and a way out",
    arguments: [
      ("https://a.test/ scirpt => load", 17, "did you mean script?"),
      ("https://a.test/ iframe => load", 17, "did you mean child-document?"),
      ("https://a.test/ => load", 16, "the type is missing"),
      ("https://a.test/ on https://b.test/ => load", 17, "the type is missing"),
      ("a.test/x image => load", 1, "is not an absolute URL; write it in full"),
      ("https://a.test/ image on b.test => load", 26, "is not an absolute URL"),
      ("https://a.test/ image on => load", 25, "on needs a URL"),
      ("https://a.test/ image at https://b.test/ => load", 23, "there is no part of a load \"at\""),
      ("https://a.test/ image thirdparty => load", 23, "did you mean third-party?"),
      ("https://a.test/ image method posst => load", 30, "did you mean post?"),
      ("https://a.test/ image method get method get => load", 34, "twice"),
      ("https://a.test/ image => blok", 26, "did you mean block?"),
      ("https://a.test/ image => blocked", 26, "did you mean block?"),
      ("https://a.test/ image => hide .a, .b", 35, "write hide or show before each selector"),
      ("https://a.test/ image => hide", 30, "needs a selector"),
      ("https://a.test/ image =>", 25, "nothing is expected"),
      ("https://a.test/ image => load,", 31, "leave out the comma"),
      ("https://a.test/ image => load, block", 32, "load and block exclude each other"),
      ("https://a.test/ image => load, load", 32, "expected twice"),
      ("https://a.test/ image => block by rule 1, block by rule 2, block by rule 1", 60, "twice"),
      ("https://a.test/ document => hide .a, show .b, hide .b", 47, "show .b and hide .b exclude"),
      ("https://a.test/ image => block https", 32, "block stands alone"),
      ("https://a.test/ image => block by 12", 35, "as in by rule 12"),
      ("https://a.test/ image => block by \"x", 26, "a quotation mark is not closed"),
      ("https://a.test/ image => redirect nowhere", 35, "needs the absolute URL"),
      ("https://a.test/ image => cookies", 26, "cookies stripped or cookies kept"),
      ("https://a.test/ image -> load", 1, "the line has no =>"),
      ("=> load", 1, "there is no load before =>"),
      ("page => load", 1, "begin one above"),
      ("frame => load", 1, "begin one above"),
      ("[page]", 2, "a page is one URL"),
      ("[page https://a.test/", 1, "has no ]"),
      ("[site https://a.test/]", 2, "there is no section \"site\""),
      ("[frame https://a.test/]", 2, "on the URL of its page"),
      ("lists: a.json", 1, "did you mean list?"),
      ("list:", 1, "needs the path of a list"),
      ("permission: nonsense", 13, "nonsense: "),
    ]
  )
  func faults(line: String, column: Int, message: String) throws {
    let (file, faults) = ListTestReader.read(Array("# first\n\(line)\n".utf8), name: "a.tests")
    #expect(file.expectations.isEmpty)
    let fault = try #require(faults.first)
    #expect(faults.count == 1)
    #expect(fault.line == 2 && fault.column == column, "\(fault)")
    #expect(fault.message.contains(message), "\(fault.message)")
    #expect(!fault.message.hasSuffix("."))
  }

  @Test("the head ends with the first expectation, and bad bytes are faults")
  func order() {
    let late = ListTestReader.read(
      Array("https://a.test/ image => load\nlist: a.json".utf8),
      name: "a"
    )
    #expect(
      late.faults.map(\.message) == [
        "list: belongs above the first expectation and the first section"
      ]
    )
    let bytes: [UInt8] = [0x68, 0xFF, 0x0A] + Array("page => load".utf8)
    #expect(ListTestReader.read(bytes, name: "a").faults.map(\.line) == [1, 2])
    let long = Array(repeating: UInt8(ascii: "x"), count: (1 << 20) + 1)
    #expect(ListTestReader.read(long, name: "a").faults.first?.message.contains("bytes") == true)
    // No more than that many are kept.
    let many = Array(String(repeating: "x\n", count: 10_000).utf8)
    #expect(ListTestReader.read(many, name: "a").faults.count == 100)
  }

  @Test("no text makes the reader trap")
  func anyText() {
    let pieces = [
      "[", "]", "page", "frame", " ", "\t", "=>", "#", "\"", "'", ",", "by", "rule", "hide", "\\",
      "https://a.test/", "image", "on", "list:", "(", ")", "é", "\n", "\r", "12:",
    ]
    var seed: UInt64 = 42
    for _ in 0..<3_000 {
      var text = ""
      for _ in 0..<14 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(seed >> 33) % pieces.count]
      }
      let (file, faults) = ListTestReader.read(Array(text.utf8), name: "a")
      for fault in faults {
        #expect(fault.line >= 1 && fault.column >= 1 && !fault.message.isEmpty)
      }
      for expectation in file.expectations {
        #expect(expectation.byteRange.upperBound <= text.utf8.count)
      }
    }
  }
}
