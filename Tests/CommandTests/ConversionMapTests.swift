import Foundation
import TestSupport
import Testing

/// The commands that name the filters that rules were converted from.
@Suite("Using the map of a conversion")
struct ConversionMapTests {
  /// Converts filters; rule numbers are left to the converter.
  private func converted() throws -> Scratch {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "lists"),
      withIntermediateDirectories: false
    )
    try scratch.file("lists/a.txt", "! Title: ads\n||ads.test^$script\n##.ad\n")
    try scratch.file("b.txt", "##.banner\n##.sponsor\n||track.test^$image\n")
    let result = try Command.run(
      ["convert", "lists/a.txt", "b.txt", "-o", "rules.json", "--map", "map.json"],
      in: scratch.folder
    )
    #expect(result.status == 0)
    return scratch
  }

  private let load = [
    "--url", "https://ads.test/a.js", "--type", "script", "--page", "https://shop.test/",
  ]

  @Test("explain names the filter's line, and quotes the filter")
  func explain() throws {
    let scratch = try converted()
    let arguments = ["explain", "--list", "rules.json", "--map", "map.json"] + load
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.status == 0)
    #expect(text.output.contains("; lists/a.txt:2)"), "\(text.output)")
    #expect(text.output.contains("      filter ||ads.test^$script\n"), "\(text.output)")
    let json = try Command.run(arguments + ["--format", "json"], in: scratch.folder)
    #expect(
      json.output.contains(#""source":[{"file":"lists/a.txt","line":2}]"#),
      "\(json.output)"
    )
    let without = try Command.run(
      ["explain", "--list", "rules.json"] + load,
      in: scratch.folder
    )
    #expect(!without.output.contains("lists/a.txt"))
  }

  @Test("a filter of several lines is quoted whole")
  func continued() throws {
    let scratch = try Scratch()
    try scratch.file(
      "u.txt",
      "! x\n||ads.test^$script, \\\n    domain=shop.test| \\\n      news.test\n##.ad\n"
    )
    let conversion = try Command.run(
      ["convert", "--from", "ubo", "u.txt", "-o", "rules.json", "--map", "map.json"],
      in: scratch.folder
    )
    #expect(conversion.status == 0, "\(conversion.error)")
    let arguments = ["explain", "--list", "rules.json", "--map", "map.json"] + load
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.output.contains("; u.txt:2)"), "\(text.output)")
    let filter = "||ads.test^$script,domain=shop.test|news.test"
    #expect(text.output.contains("      filter \(filter)\n"), "\(text.output)")
  }

  @Test("of a list that has changed since, lines are named and no filter is quoted")
  func changed() throws {
    let scratch = try converted()
    try scratch.file("lists/a.txt", "! Title: ads\n##.ad\n||ads.test^$script\n")
    let arguments = ["explain", "--list", "rules.json", "--map", "map.json"] + load
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.status == 0)
    #expect(text.output.contains("; lists/a.txt:2)"), "\(text.output)")
    #expect(!text.output.contains("filter ||"), "\(text.output)")
    #expect(text.error.contains("lists/a.txt has changed since it was converted"), "\(text.error)")
  }

  @Test("a rule of several lines has the first one, and the number of others")
  func merged() throws {
    let scratch = try converted()
    try scratch.file("t.txt", "[page https://shop.test/]\npage => show .banner\n")
    let text = try Command.run(
      ["test", "t.txt", "--list", "rules.json", "--map", "map.json"],
      in: scratch.folder
    )
    #expect(text.status == 1)
    #expect(text.output.contains("; lists/a.txt:3 and 2 more)"), "\(text.output)")
    #expect(text.output.contains("filter ##.ad\n"), "\(text.output)")
  }

  @Test("test names the filter in its reasons, and in JSON")
  func test() throws {
    let scratch = try converted()
    try scratch.file(
      "t.txt",
      "list: rules.json\nhttps://track.test/x.png image on https://shop.test/ => block by rule 0\n"
    )
    let arguments = ["test", "t.txt", "--map", "map.json"]
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.status == 1)
    #expect(text.output.contains("; b.txt:3)"), "\(text.output)")
    let json = try Command.run(arguments + ["--format", "json"], in: scratch.folder)
    #expect(json.output.contains(#""source":[{"file":"b.txt","line":3}]"#), "\(json.output)")
  }

  @Test("check names the filter below a finding, in JSON and in SARIF")
  func check() throws {
    let scratch = try converted()
    // The rules are made less good by hand, and keep their order.
    let file = scratch.folder.appending(path: "rules.json")
    let rules = try String(contentsOf: file, encoding: .utf8)
    try scratch.file(
      "rules.json",
      rules.replacing("\"type\":\"block\"}", with: "\"type\":\"block\",\"typo\":1}")
    )
    let arguments = ["check", "rules.json", "--map", "map.json"]
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.output.contains("is from lists/a.txt:2: ||ads.test^$script\n"), "\(text.output)")
    for format in ["json", "sarif"] {
      let json = try Command.run(arguments + ["--format", format], in: scratch.folder)
      #expect(
        json.output.contains(#""source":[{"file":"lists/a.txt","line":2}]"#),
        "\(json.output)"
      )
    }
    try scratch.file("one.json", #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}}]"#)
    let wrong = try Command.run(["check", "one.json", "--map", "map.json"], in: scratch.folder)
    #expect(wrong.status == 2 && wrong.error.contains("but one.json has 1"), "\(wrong.error)")
    let many = try Command.run(arguments + ["--map", "map.json"], in: scratch.folder)
    #expect(many.status == 2)
  }

  @Test("audit names the filter of a rule, in JSON as well")
  func audit() throws {
    let scratch = try converted()
    try scratch.file(
      "log.tsv",
      "url\ttop_url\tresource_type\nhttps://ads.test/a.js\thttps://shop.test/\tscript\n"
    )
    let arguments = ["audit", "log.tsv", "--list", "rules.json", "--map", "map.json"]
    let text = try Command.run(arguments + ["--unmatched"], in: scratch.folder)
    #expect(text.status == 0, "\(text.error)")
    #expect(text.output.contains("; lists/a.txt:2\n"), "\(text.output)")
    #expect(text.output.contains("; b.txt:3  "), "\(text.output)")
    let json = try Command.run(arguments + ["--format", "json"], in: scratch.folder)
    #expect(
      json.output.contains(#""source":[{"file":"lists/a.txt","line":2}]"#),
      "\(json.output)"
    )
    let csv = try Command.run(arguments + ["--format", "csv"], in: scratch.folder)
    #expect(csv.status == 2 && csv.error.contains("--map names filters in text and JSON"))
  }

  @Test("a map of another list, or more maps than lists, are refused")
  func misfit() throws {
    let scratch = try converted()
    try scratch.file("other.txt", "||x.test^$script\n")
    let result = try Command.run(
      ["convert", "other.txt", "-o", "other.json", "--map", "other.map"],
      in: scratch.folder
    )
    #expect(result.status == 0)
    try scratch.file("t.txt", "https://a.test/ script on https://shop.test/ => load\n")
    for command in [["explain"] + load, ["test", "t.txt"]] {
      let wrong = try Command.run(
        command + ["--list", "rules.json", "--map", "other.map"],
        in: scratch.folder
      )
      #expect(wrong.status == 2)
      #expect(wrong.error.contains("other.map is the map of a list with "), "\(wrong.error)")
      let many = try Command.run(
        command + ["--list", "rules.json", "--map", "map.json", "--map", "other.map"],
        in: scratch.folder
      )
      #expect(many.status == 2 && many.error.contains("2 maps for 1 list"), "\(many.error)")
    }
  }

  @Test("no text is read from outside of the map's folder, or through links")
  func outside() throws {
    let scratch = try converted()
    let secret = try scratch.file("secret.txt", "\n\nsecret\n")
    let inner = scratch.folder.appending(path: "lists")
    try FileManager.default.createSymbolicLink(
      at: inner.appending(path: "link.txt"),
      withDestinationURL: secret
    )
    let map = try String(contentsOf: scratch.folder.appending(path: "map.json"), encoding: .utf8)
    for name in ["../secret.txt", secret.path, "link.txt", "x/../../secret.txt", "", "."] {
      try scratch.file(
        "lists/map.json",
        map.replacing(#""lists/a.txt","line":2"#, with: "\"\(name)\",\"line\":3")
          .replacing(#""lists/a.txt""#, with: "\"\(name)\"")
      )
      let result = try Command.run(
        ["explain", "--list", "rules.json", "--map", "lists/map.json"] + load,
        in: scratch.folder
      )
      #expect(result.status == 0, "\(result.error)")
      #expect(!(result.output).contains("secret\n"), "\(result.output)")
      #expect(result.output.contains(":3)"), "\(result.output)")
    }
  }

  /// Lists of which the second has another order, a shorter filter and one more.
  private func compared() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.file("a.txt", "||ads.test^$script\n||ads.test/x$script\n||b.test^\n")
    try scratch.file("b.txt", "! new\n||ads.test^$script\n||ads.test/x$script\n||c.test^\n")
    for name in ["a", "b"] {
      let result = try Command.run(
        ["convert", "\(name).txt", "-o", "\(name).json", "--map", "\(name).map"],
        in: scratch.folder
      )
      #expect(result.status == 0)
    }
    return scratch
  }

  @Test("analyze names the lines of findings, and of their reasons")
  func analyze() throws {
    let scratch = try compared()
    let arguments = ["analyze", "a.json", "--map", "a.map", "--only", "redundant"]
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.status == 1)
    #expect(text.output.contains("(a.txt:2): "), "\(text.output)")
    #expect(text.output.contains("      filter ||ads.test/x$script\n"), "\(text.output)")
    #expect(text.output.contains(" is of a.txt:1: ||ads.test^$script\n"), "\(text.output)")
    let json = try Command.run(arguments + ["--format", "json"], in: scratch.folder)
    #expect(json.output.contains(#""source":[{"file":"a.txt","line":2}]"#), "\(json.output)")
    #expect(json.output.contains(#""becauseSources":[[{"file":"a.txt","line":1}]]"#))
    let plain = try Command.run(
      ["analyze", "a.json", "--only", "redundant", "--format", "json"],
      in: scratch.folder
    )
    #expect(plain.status == 1 && !plain.output.contains("ource"))
  }

  @Test("diff names the lines of both lists")
  func diff() throws {
    let scratch = try compared()
    let arguments = ["diff", "a.json", "b.json", "--map", "a.map", "--map", "b.map"]
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.status == 1)
    #expect(text.output.contains(" (a.txt:3)"), "\(text.output)")
    #expect(text.output.contains(" (b.txt:4)"), "\(text.output)")
    #expect(text.output.contains("    filter ||c.test^\n"), "\(text.output)")
    let json = try Command.run(arguments + ["--format", "json"], in: scratch.folder)
    #expect(json.output.contains(#""oldSource":[{"file":"a.txt","line":3}]"#), "\(json.output)")
    #expect(json.output.contains(#""newSource":[{"file":"b.txt","line":4}]"#), "\(json.output)")
  }

  @Test("preview names the lines of rules")
  func preview() throws {
    let scratch = try compared()
    let template = """
      {"startedDateTime":"2026-01-01T00:00:00.000Z","time":1,"pageref":"p","_resourceType":"TYPE",
      "request":{"method":"GET","url":"URL","headers":[]},
      "response":{"status":200,"headers":[],"content":{"size":1,"mimeType":"text/html"}}}
      """
    func entry(_ url: String, _ type: String) -> String {
      template.replacing("URL", with: url).replacing("TYPE", with: type)
    }
    try scratch.file(
      "page.har",
      #"{"log":{"version":"1.2","pages":[{"id":"p","title":"https://shop.test/"}],"entries":["#
        + entry("https://shop.test/", "document") + ","
        + entry("https://b.test/x.js", "script") + "]}}"
    )
    let arguments = ["preview", "--list", "a.json", "--map", "a.map", "--har", "page.har"]
    let json = try Command.run(arguments + ["--format", "json"], in: scratch.folder)
    #expect(json.status == 0)
    #expect(json.output.contains(#""source":[{"file":"a.txt","line":3}]"#), "\(json.output)")
    let html = try Command.run(arguments + ["-o", "report.html"], in: scratch.folder)
    #expect(html.status == 0)
    let report = try String(
      contentsOf: scratch.folder.appending(path: "report.html"),
      encoding: .utf8
    )
    #expect(report.contains("; a.txt:3:"))
  }

  @Test("coverage counts source lines")
  func coverage() throws {
    let scratch = try compared()
    try scratch.file("t.txt", "[page https://shop.test/]\nhttps://b.test/x script => block\n")
    let arguments = ["test", "t.txt", "--list", "a.json", "--map", "a.map", "--coverage"]
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.status == 0, "\(text.output)")
    #expect(text.output.contains("  source lines          1 of 3\n"), "\(text.output)")
    #expect(text.output.contains(" (a.txt:1) block "), "\(text.output)")
    let json = try Command.run(arguments + ["--format", "json"], in: scratch.folder)
    #expect(
      json.output.contains(
        #""sourceLines":{"lines":3,"exercised":1,"notExercised":[{"file":"a.txt","line":1},"#
      ),
      "\(json.output)"
    )
  }

  @Test("maps of other lists are refused by every command that takes them")
  func otherMaps() throws {
    let scratch = try compared()
    try scratch.file("one.txt", "||a.test/x$script\n")
    let converted = try Command.run(
      ["convert", "one.txt", "-o", "one.json", "--map", "one.map"],
      in: scratch.folder
    )
    #expect(converted.status == 0)
    for arguments in [
      ["analyze", "a.json"], ["diff", "a.json", "b.json"],
      ["preview", "--list", "a.json", "--har", "page.har", "-o", "out.html"],
    ] {
      let result = try Command.run(arguments + ["--map", "one.map"], in: scratch.folder)
      #expect(result.status == 2, "\(arguments)")
      #expect(result.error.contains("one.map is the map of a list with 1 rule"), "\(result.error)")
      let stdin = try Command.run(arguments + ["--map", "-"], in: scratch.folder)
      #expect(stdin.error.contains("A map is a file"), "\(stdin.error)")
    }
  }

  @Test("a line of a file that is included twice is named once")
  func includedTwice() throws {
    let scratch = try Scratch()
    try scratch.file("more.txt", "||ads.test^$script\n")
    try scratch.file("a.txt", "!#include more.txt\n!#include more.txt\n")
    let result = try Command.run(
      ["convert", "a.txt", "-o", "a.json", "--map", "a.map"],
      in: scratch.folder
    )
    #expect(result.status == 0)
    let text = try Command.run(
      ["explain", "--list", "a.json", "--map", "a.map"] + load,
      in: scratch.folder
    )
    #expect(text.output.contains("; more.txt:1)"), "\(text.output)")
  }
}
