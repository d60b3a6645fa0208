import Foundation
import TestSupport
import Testing

@Suite("tickbird convert")
struct ConvertCommandTests {
  private let filters = """
    ! Title: ads
    ||ads.test^$third-party
    ##.ad
    ||ads.test/x$popup
    a.test##+js(f)

    """

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("rules go to standard output, the summary to standard error")
  func summary() throws {
    let scratch = try Scratch()
    try scratch.file("a.txt", filters)
    let result = try Command.run(["convert", "a.txt"], in: scratch.folder)
    #expect(result.status == 0)
    #expect(
      result.error == """
        5 lines: 2 converted, 1 approximated, 1 impossible, 1 comment
        4 rules of at most 150,000
        read as ubo (uBlock Origin): a.txt; --from names another syntax
        impossible:
          1      scriptlet: content blockers run no scripts (first: a.txt:5)
        approximated:
          1      popups-by-script: windows that scripts open, and not those of links with a target (first: a.txt:4)
        of all rules: domains and parties are those of the page in the window, and not those of a frame
        of all rules: for Safari 16.4 and later, as no --target is named; with safari26.2 nothing changes

        """
    )
    try scratch.file("rules.json", result.output)
    let check = try Command.run(["check", "rules.json"], in: scratch.folder)
    #expect(check.status == 0 && check.output.contains("accepted, 4 rules"))
  }

  @Test("the map has an entry for each source line")
  func map() throws {
    let scratch = try Scratch()
    try scratch.file("a.txt", filters)
    try scratch.file("b.txt", "0.0.0.0 b.test c.test\n")
    let result = try Command.run(
      ["convert", "a.txt", "b.txt", "-o", "out.json", "--map", "map.json", "--format", "json"],
      in: scratch.folder
    )
    #expect(result.status == 0 && result.error.isEmpty)
    let summary = try json(result.output)
    #expect(summary["lines"] as? Int == 6)
    #expect(summary["rules"] as? Int == 6)
    #expect(summary["impossible"] as? Int == 1)
    #expect(summary["accounts"] == nil)
    let map = try json(
      String(contentsOf: scratch.folder.appending(path: "map.json"), encoding: .utf8)
    )
    #expect(map["version"] as? Int == 1)
    #expect(map["sources"] as? [String] == ["a.txt", "b.txt"])
    #expect(map["syntaxes"] as? [String] == ["ubo", "hosts"])
    let lines = try #require(map["lines"] as? [[String: Any]])
    #expect(lines.compactMap { $0["line"] as? Int } == [1, 2, 3, 4, 5, 1])
    #expect(lines.compactMap { $0["file"] as? String }.last == "b.txt")
    #expect(
      lines.compactMap { $0["outcome"] as? String } == [
        "comment", "converted", "converted", "approximated", "impossible", "converted",
      ]
    )
    #expect(lines[0]["reason"] is NSNull)
    #expect((lines[4]["reason"] as? [String: String])?["code"] == "scriptlet")
    #expect((lines[5]["rules"] as? [Int])?.count == 2)
    let rules = try #require(
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: scratch.folder.appending(path: "out.json"))
      ) as? [[String: [String: Any]]]
    )
    let hiding = try #require((lines[2]["rules"] as? [Int])?.first)
    #expect(rules[hiding]["action"]?["selector"] as? String == ".ad")
    let accounts = try json(
      Command.run(
        ["convert", "a.txt", "-o", "out.json", "--format", "json", "--accounts"],
        in: scratch.folder
      ).output
    )
    let texts = (accounts["accounts"] as? [[String: Any]])?.compactMap { $0["text"] as? String }
    #expect(texts?[1] == "||ads.test^$third-party")
  }

  @Test("neither a list nor the other output is written over")
  func overwriting() throws {
    let scratch = try Scratch()
    try scratch.file("a.txt", filters)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.folder.appending(path: "link").path,
      withDestinationPath: "a.txt"
    )
    for options in [
      ["-o", "a.txt"], ["-o", "./a.txt"], ["-o", "link"], ["-o", "out", "--map", "a.txt"],
      ["-o", "out", "--map", "./out"],
    ] {
      let result = try Command.run(["convert", "a.txt"] + options, in: scratch.folder)
      #expect(result.status == 2, "\(options)")
      #expect(result.error.contains("give another"), "\(result.error)")
      #expect(!FileManager.default.fileExists(atPath: scratch.folder.appending(path: "out").path))
    }
    let text = try String(contentsOf: scratch.folder.appending(path: "a.txt"), encoding: .utf8)
    #expect(text == filters)
  }

  @Test("- is standard output for the rules, and no map")
  func standardOutput() throws {
    let scratch = try Scratch()
    try scratch.file("a.txt", filters)
    let plain = try Command.run(["convert", "a.txt"], in: scratch.folder)
    let named = try Command.run(["convert", "a.txt", "-o", "-"], in: scratch.folder)
    #expect(named.status == 0 && named.output == plain.output && !plain.output.isEmpty)
    let map = try Command.run(["convert", "a.txt", "--map", "-"], in: scratch.folder)
    #expect(map.status == 2 && map.error.contains("A map is a file"))
    let json = try Command.run(
      ["convert", "a.txt", "-o", "-", "--format", "json"],
      in: scratch.folder
    )
    #expect(json.status == 2)
    #expect(!FileManager.default.fileExists(atPath: scratch.folder.appending(path: "-").path))
  }

  @Test("what is no list is named, with the way out")
  func otherFiles() throws {
    let scratch = try Scratch()
    try scratch.file("page.txt", "<!DOCTYPE html>\n<p>404")
    try scratch.file("rules.json", "[{}]")
    try Data([0xFE, 0xFF, 0, 0x61]).write(to: scratch.folder.appending(path: "wide.txt"))
    try scratch.file("unbound.conf", "local-zone: \"a.test.\" always_null\n")
    for (file, words) in [
      ("page.txt", "is a web page"), ("unbound.conf", "is a configuration of the resolver Unbound"),
      ("rules.json", "--from dnr"), ("wide.txt", "is UTF-16"),
    ] {
      let result = try Command.run(["convert", file], in: scratch.folder)
      #expect(result.status == 2 && result.output.isEmpty)
      #expect(result.error.contains("\(file) \(words)") || result.error.contains(words))
    }
  }

  @Test("what a list includes says how it is read, and the summary names it")
  func recognizedSyntax() throws {
    let scratch = try Scratch()
    try scratch.file("root.txt", "!#include part.txt\n")
    try scratch.file("part.txt", "a.test##+js(f)\n!#if ext_ublock\n||b.test^\n!#endif\n")
    try scratch.file("hosts", "0.0.0.0 c.test\n")
    let result = try Command.run(["convert", "root.txt", "part.txt", "hosts"], in: scratch.folder)
    #expect(
      result.error.contains(
        """
        read as ubo (uBlock Origin): root.txt and 1 other list; --from names another syntax
        read as hosts (hosts files and lists of domains): hosts; --from names another syntax
        """
      )
    )
    func syntaxes(_ options: [String]) throws -> [String] {
      let result = try Command.run(
        ["convert", "root.txt", "-o", "rules.json", "--format", "json"] + options,
        in: scratch.folder
      )
      let lists = try #require(try json(result.output)["syntaxes"] as? [[String: Any]])
      return lists.map { "\($0["file"] ?? "") \($0["syntax"] ?? "") \($0["recognized"] ?? "")" }
    }
    #expect(try syntaxes([]).first?.hasPrefix("root.txt ubo") == true)
    #expect(try syntaxes(["--from", "abp"]).first?.hasPrefix("root.txt abp") == true)
    let named = try Command.run(["convert", "--from", "abp", "root.txt"], in: scratch.folder)
    #expect(named.status == 0 && !named.error.contains("read as"))
  }

  @Test("files are included from the list's own folder, and from nowhere else")
  func includes() throws {
    let scratch = try Scratch()
    let lists = scratch.folder.appending(path: "lists")
    try FileManager.default.createDirectory(
      at: lists.appending(path: "sub"),
      withIntermediateDirectories: true
    )
    try scratch.file("secret.txt", "||stolen.test^\n")
    try scratch.file("lists/sub/more.txt", "||more.test^\n")
    try scratch.file(
      "lists/a.txt",
      "!#include sub/more.txt\n!#include link.txt\n!#include out/secret.txt\n"
        + "!#include ../secret.txt\n!#include sub\n!#include none.txt\n||own.test^\n"
    )
    for (name, target) in [("link.txt", "../secret.txt"), ("out", "..")] {
      try FileManager.default.createSymbolicLink(
        atPath: lists.appending(path: name).path,
        withDestinationPath: target
      )
    }
    let result = try Command.run(["convert", "lists/a.txt"], in: scratch.folder)
    #expect(result.status == 0)
    #expect(result.output.contains("more") && result.output.contains("own"))
    #expect(!result.output.contains("stolen"))
    #expect(result.error.contains("8 lines: 2 converted, 0 approximated, 5 impossible, 1 comment"))
  }

  @Test("a list of wildcard domains is told from filters, and a filter that looks like one is not")
  func wildcardDomains() throws {
    let scratch = try Scratch()
    let names = "# a list\n*.ads.test\n*.tracker.test\n*.x.y.test\n"
    try scratch.file("wild.txt", names)
    try scratch.file("mixed.txt", names + "||a.test^\n||b.test^\n/ads/*\n")
    try scratch.file("hosts.txt", "ads.test\ntracker.test\nx.test\n*.y.test\n")
    let told = "*.NAME, as nearly all lines of wild.txt are, is a pattern of addresses with .NAME"
    let wild = try Command.run(["convert", "wild.txt", "mixed.txt"], in: scratch.folder)
    #expect(wild.status == 0 && wild.error.contains(told), "\(wild.error)")
    for name in ["mixed.txt", "hosts.txt"] {
      let other = try Command.run(["convert", name], in: scratch.folder)
      #expect(other.status == 0 && !other.error.contains("*.NAME"), "\(other.error)")
    }
    let object = try json(
      Command.run(["convert", "wild.txt", "-o", "r.json", "--format", "json"], in: scratch.folder)
        .output
    )
    let notes = try #require(object["notes"] as? [[String: Any]])
    #expect(notes.contains { $0["code"] as? String == "wildcard-domains" })
  }

  @Test("--strict makes impossible lines a failure; --target changes the rules")
  func options() throws {
    let scratch = try Scratch()
    try scratch.file("a.txt", filters)
    let strict = try Command.run(["convert", "--strict", "a.txt"], in: scratch.folder)
    #expect(strict.status == 1 && !strict.output.isEmpty)
    let new = try Command.run(
      ["convert", "--target", "safari26.2", "a.txt"],
      in: scratch.folder
    )
    #expect(new.status == 0 && new.output.contains("ignore-following-rules"))
    #expect(!new.error.contains("no --target is named"))
    try scratch.file("b.txt", "! x\n##.ad\n||a.test/x\n@@||b.test^$elemhide\n||c.test^$document\n")
    let usual = try Command.run(["convert", "b.txt", "-o", "b.json"], in: scratch.folder)
    #expect(usual.status == 0)
    #expect(usual.error.contains("with safari26.2 hiding begins with the page itself"))
    let check = try Command.run(
      ["check", "--target", "safari16.4", "b.json"],
      in: scratch.folder
    )
    #expect(check.status == 0, "\(check.output)")
    try scratch.file("hosts", "x.test\n")
    let hosts = try Command.run(["convert", "--from", "ubo", "hosts"], in: scratch.folder)
    #expect(hosts.status == 0)
  }

  @Test("a list without a rule is written, and said to be one that WebKit does not take")
  func empty() throws {
    let scratch = try Scratch()
    try scratch.file("a.txt", "")
    let result = try Command.run(["convert", "a.txt"], in: scratch.folder)
    #expect(result.status == 0 && result.output == "[\n]\n")
    #expect(result.error.contains("no line became a rule, and WebKit takes no empty lists"))
    // Who asks to be strict wants a list that can be used.
    let strict = try Command.run(["convert", "--strict", "a.txt"], in: scratch.folder)
    #expect(strict.status == 1 && strict.output == "[\n]\n")
  }

  @Test("wrong use is named, and nothing is written")
  func wrongUse() throws {
    let scratch = try Scratch()
    try scratch.file("a.txt", filters)
    try scratch.file("rules.json", #"[{"trigger":{}}]"#)
    for (arguments, words) in [
      (["a.txt", "none.txt", "-o", "out"], "there is no file none.txt"),
      (["rules.json", "-o", "out"], "rules.json is JSON, and no filter list"),
      (["a.txt", "--from", "dnr", "--to", "dnr", "-o", "out"], "no conversion from dnr to dnr"),
      (["a.txt", "--format", "json"], "give them a file by -o"),
      (["a.txt", "--accounts", "-o", "out"], "--accounts belongs to --format json"),
      (["a.txt", "-o", "out", "--map", "out"], "the same file"),
      (["-", "-"], "only once"), (["a.txt", "--target", "safari3"], "safari3"), ([], "lists"),
      (["a.txt", "-o", "none/out"], "none"),
    ] {
      let result = try Command.run(["convert"] + arguments, in: scratch.folder)
      #expect(result.status == 2, "\(arguments)")
      #expect(result.error.contains(words), "\(arguments): \(result.error)")
      #expect(result.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.folder.appending(path: "out").path))
  }

  @Test(
    "what a newer target gives is what it then gives",
    .disabled(if: SharedData.isAbsent, "there is no folder of real data"),
    arguments: ["adguard-base-optimized-2021-12-13", "easylist-2021-08-08"]
  )
  func gainOfANewerTarget(name: String) throws {
    let scratch = try Scratch()
    try scratch.file("list.txt", Data(try SharedData.bytes("data/filters/\(name).txt")))
    func converted(_ target: [String]) throws -> (count: Int, text: String) {
      let result = try Command.run(
        ["convert", "list.txt", "-o", "rules.json"] + target,
        in: scratch.folder
      )
      let words = result.error.split { " :\n".contains($0) }
      let place = try #require(words.firstIndex { $0.hasPrefix("converted") })
      let digits = words[place - 1].filter(\.isNumber)
      return (try #require(Int(digits)), result.error)
    }
    let old = try converted([])
    let gain = try converted(["--target", "safari26.2"]).count - old.count
    let words = gain == 1 ? "1 more line" : "\(gain) more lines"
    #expect(old.text.contains("\(words) can be converted exactly") == (gain > 0), "\(old.text)")
  }
}
