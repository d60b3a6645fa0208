import Foundation
import TestSupport
import Testing

/// What cannot have been meant is refused with the way out.
@Suite struct WrongUseTests {
  @Test(arguments: [
    (["chek", "a.json"], "there is no command chek; did you mean tickbird check?"),
    (["chek", "--help"], "there is no command chek; did you mean tickbird check?"),
    (["help", "chek"], "there is no command chek; did you mean tickbird check?"),
    (["help", "zzz"], "there is no command zzz; tickbird --help lists them all"),
    (["extension", "nwe"], "did you mean tickbird extension new?"),
    (["help", "extension", "nwe"], "did you mean tickbird extension new?"),
  ])
  func aWordThatIsNoCommandIsTold(arguments: [String], message: String) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test(arguments: [
    ["help"], ["help", "check"], ["check", "--help"], ["help", "extension", "new"],
    ["extension", "new", "--help"], ["help", "audit", "merge"], ["audit", "merge", "--help"],
    ["--help"], ["--version"],
  ])
  func helpIsStillThere(arguments: [String]) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 0)
    #expect(!result.output.isEmpty && result.error.isEmpty)
  }

  @Test(arguments: [
    (["--by", "site"], "give --format csv as well"),
    (["--by", "rule", "--format", "json"], "give --format csv as well"),
    (["--format", "csv", "--top", "5"], "leave --top out"),
    (["--format", "json", "--top", "5"], "leave --top out"),
    (["--format", "csv", "--by", "site", "--unmatched"], "give it with --by rule"),
    (["--partial", "x.audit", "--format", "csv"], "--format has nothing to say"),
    (["--partial", "x.audit", "--top", "5"], "--top has nothing to say"),
  ])
  func whatAnAuditWouldNotLookAtIsRefused(options: [String], message: String) throws {
    let scratch = try Scratch()
    try scratch.file("list.json", #"[{"trigger":{"url-filter":"x"},"action":{"type":"block"}}]"#)
    try scratch.file("log.tsv", "url\ttop_url\tresource_type\nhttps://a.test/x\t\timage\n")
    let result = try Command.run(
      ["audit", "-l", "list.json", "log.tsv"] + options,
      in: scratch.folder
    )
    #expect(result.status == 2)
    #expect(result.output == "")
    let words = result.error.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains(message), "\(result.error)")
  }

  @Test(arguments: [
    ("foo", "it takes newly-blocked, newly-loaded, newly-hidden, newly-shown"),
    ("newly-blocked:foo", "it takes first-party, third-party, document, and types such as image"),
    ("newly-blocked:", "it takes first-party"),
  ])
  func whatFailOnTakesIsTold(condition: String, message: String) throws {
    let scratch = try Scratch()
    try scratch.file("list.json", #"[{"trigger":{"url-filter":"x"},"action":{"type":"block"}}]"#)
    let result = try Command.run(
      ["diff", "list.json", "list.json", "--fail-on", condition],
      in: scratch.folder
    )
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test(arguments: [
    (["diff", "a", "--limit", "-1"], "--limit cannot be -1"),
    (["convert", "a", "--from", "-x"], "--from cannot be -x"),
    (["check", "-%", "list.json"], "and -- before a word that begins with - says that it is none"),
  ])
  func aDashThatIsNoOptionIsTold(arguments: [String], message: String) throws {
    let result = try Command.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.error.contains(message), "\(result.error)")
  }

  /// Foundation would make the path of another folder.
  @Test(arguments: [
    ["extension", "new", "--template", "content-blocker", "--list-only", "Mine"],
    ["extension", "build", "."],
    ["extension", "import", "a.xcodeproj"], ["extension", "import", "a.safariextension"],
    ["extension", "import", "/a.safariextension", "-o", "b"],
  ])
  func aFolderThatCannotBeNamedIsRefused(arguments: [String]) throws {
    let scratch = try Scratch()
    let script = #"""
      mkdir "$(printf '\377')" && cd "$(printf '\377')" && "$0" "$@"; status=$?
      [ -z "$(ls -A)" ] && [ "$(ls -A .. | wc -l)" = 1 ] || echo it has written
      exit $status
      """#
    let result = try Command.run(arguments, in: scratch.folder, shell: script)
    #expect(result.status == 2 && result.output.isEmpty, "\(result)")
    #expect(result.error.contains("whose name is not in UTF-8"), "\(result.error)")
  }

  /// The help says which status either has.
  @Test func aLogThatIsThereTwiceIsRefusedOrTold() throws {
    let scratch = try Scratch()
    try scratch.file("list.json", #"[{"trigger":{"url-filter":"x"},"action":{"type":"block"}}]"#)
    let log = "url\ttop_url\tresource_type\nhttps://a.test/x\t\timage\n"
    try scratch.file("a.tsv", log)
    try scratch.file("b.tsv", log)
    let same = try Command.run(["audit", "-l", "list.json", "a.tsv", "a.tsv"], in: scratch.folder)
    #expect(same.status == 2 && same.output.isEmpty)
    let equal = try Command.run(["audit", "-l", "list.json", "a.tsv", "b.tsv"], in: scratch.folder)
    #expect(equal.status == 1 && !equal.output.isEmpty)
    let help = try Command.run(["audit", "--help"]).output
    let words = help.split { $0.isWhitespace }.joined(separator: " ")
    #expect(
      words.contains("1 there were bad lines, two logs have the same bytes, or a list was refused")
    )
    #expect(words.contains("2 wrong use, or a file was given twice, or"))
  }

  /// A variable that is not set gives an empty name.
  @Test(arguments: [
    (["optimize", "list.json", "-o", ""], "-o"), (["merge", "list.json", "-o", ""], "-o"),
    (["split", "list.json", "-o", ""], "-o"), (["compile", "list.json", "-o", ""], "-o"),
    (["convert", "list.txt", "-o", ""], "-o"), (["convert", "list.txt", "--map", ""], "--map"),
    (["test", "--record", "page.har", "--list", "list.json", "-o", ""], "-o"),
    (["test", "list.test", "--coverage-file", ""], "--coverage-file"),
    (["preview", "--list", "list.json", "page.html", "-o", ""], "-o"),
    (["reduce", "--list", "list.json", "--test", "list.test", "-o", ""], "-o"),
    (["audit", "--list", "list.json", "log.tsv", "--partial", ""], "--partial"),
    (["audit", "merge", "a.audit", "--partial", ""], "--partial"),
    (["check", "list.json", "--write-baseline", ""], "--write-baseline"),
    (["extension", "build", "x", "-o", ""], "-o"), (["extension", "import", "x", "-o", ""], "-o"),
  ])
  func anOutputWithoutANameIsRefused(arguments: [String], option: String) throws {
    let scratch = try Scratch()
    let result = try Command.run(arguments, in: scratch.folder)
    #expect(result.status == 2)
    let words = result.error.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("\(option) needs a f"), "\(result.error)")
  }

  /// Each subcommand with the least that it wants, and without.
  @Test(arguments: [
    ["check"], ["check", "list.json"], ["compile"], ["compile", "list.json", "-o", "x"], ["dump"],
    ["dump", "list.json"], ["match"], ["match", "log.ndjson"], ["explain"],
    ["explain", "log.ndjson"],
    ["audit"], ["audit", "log.ndjson"], ["audit", "merge"], ["audit", "merge", "a.audit"], ["test"],
    ["test", "good.tests"], ["reduce"], ["reduce", "--test", "good.tests"], ["analyze"],
    ["analyze", "list.json"], ["diff"], ["diff", "list.json"], ["optimize"],
    ["optimize", "list.json"], ["split"], ["split", "list.json"], ["merge"],
    ["merge", "list.json"], ["convert"], ["convert", "list.txt"], ["translate"],
    ["translate", "list.json"], ["preview"], ["preview", "page.html"], ["lsp"],
    ["extension", "new"], ["extension", "build"], ["extension", "import"],
  ])
  func anUnknownOptionIsToldBeforeWhatIsMissing(arguments: [String]) throws {
    let scratch = try Scratch()
    let words = arguments.first == "audit" && arguments.dropFirst().first == "merge" ? 2 : 1
    let count = arguments[0] == "extension" ? 2 : words
    let command = arguments.prefix(count).joined(separator: " ")
    for place in count...arguments.count where place == count || place == arguments.count {
      var wrong = arguments
      wrong.insert("--zzzzzzzzzz", at: place)
      let result = try Command.run(wrong, in: scratch.folder)
      #expect(result.status == 2 && result.output.isEmpty)
      #expect(
        result.error
          == "tickbird: error: there is no option --zzzzzzzzzz of tickbird \(command); "
          + "tickbird \(command) --help lists them all\n"
      )
    }
  }

  @Test(arguments: [
    (
      ["match", "--lists", "a.json", "log"],
      "no option --lists of tickbird match; did you mean --list?"
    ),
    (["compile", "a.json", "--outptu", "x"], "did you mean --output?"),
    (["match", "-q", "log"], "there is no option -q of tickbird match;"),
    (["--hlep"], "there is no option --hlep of tickbird; did you mean --help?"),
    (["analyze", "a.json", "--limit", "-1"], "--limit cannot be -1; a word that begins with - is"),
    (["match", "--list"], "Missing value for '--list <list>'"),
    (["explain", "-l", "no.json", "--rule", "x", "no.ndjson"], "--rule: x is not a rule"),
    (["check", ""], "a file has no name; a variable that stands for one may not be set"),
    (["match", "-l", "", "log.ndjson"], "a file has no name"),
    (["check", "--baseline", "", "no.json"], "a file has no name"),
    (
      ["match", "-l", "list.json", "--columns", "", "log.ndjson"], "there is no column url; none is"
    ),
  ])
  func whatIsWrongIsNotHidden(arguments: [String], message: String) throws {
    let scratch = try Scratch()
    try scratch.file("list.json", #"[{"trigger":{"url-filter":"x"},"action":{"type":"block"}}]"#)
    try scratch.file("log.ndjson", #"{"url":"https://a.test/x","resource_type":"image"}"#)
    let result = try Command.run(arguments, in: scratch.folder)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.error.contains(message), "\(result.error)")
  }

  /// What the command itself reads as the value of an option stays one.
  @Test func whatIsNoOptionIsNotTakenForOne() throws {
    let scratch = try Scratch()
    try scratch.file("-x.json", #"[{"trigger":{"url-filter":"x"},"action":{"type":"block"}}]"#)
    let result = try Command.run(["check", "--", "-x.json"], in: scratch.folder)
    #expect(result.status == 0, "\(result.error)")
    let refused = try Command.run(["dump", "--", "-x.json", "-y"], in: scratch.folder)
    #expect(!refused.error.contains("there is no option"), "\(refused.error)")
  }
}
