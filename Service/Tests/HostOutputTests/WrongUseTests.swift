import Foundation
import HostTestSupport
import Testing

/// What the program ends with, and what its help says of it.
@Suite struct WrongUseTests {
  @Test(
    "wrong use ends with 2, and says where the help is",
    arguments: [
      ["frobnicate"], ["--frobnicate"], ["links", "frobnicate"], ["notes", "show"],
      ["links", "list", "--limit", "0"], ["gallery", "build", "--days", "0", "."],
      ["browser", "install", "lynx"],
      ["extensions", "ask", "--seconds", "nan", "com.example.x", "{}"],
    ]
  )
  func wrongUse(_ arguments: [String]) async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let outcome = try await home.program.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.bytes.isEmpty)
    #expect(outcome.errors.contains("--help"), "\(outcome.errors)")
  }

  @Test("an unknown option is named before all that may be missing, whatever the command")
  func unknownOption() async throws {
    let home = EmptyHome()
    defer { home.remove() }
    for command in try await CommandTree.commands(home.program) where command != "browser host" {
      let words = command.split(separator: " ").map(String.init)
      let outcome = try await home.program.run(words + ["--frobnicate", "x"])
      #expect(outcome.status == 2 && outcome.bytes.isEmpty, "\(command)")
      let end = words == ["help"] ? ";" : " "
      let named = "there is no option --frobnicate of tickbird-host\(end)"
      #expect(outcome.errors.contains(named), "\(command): \(outcome.errors)")
    }
  }

  @Test(
    "a misspelt word is told with what was meant",
    arguments: [
      (["lnks"], "there is no command lnks; did you mean tickbird-host links?"),
      (["help", "lnks"], "did you mean tickbird-host links?"),
      (["links", "lsit"], "did you mean tickbird-host links list?"),
      (["help", "links", "lsit"], "did you mean tickbird-host links list?"),
      (["notes", "exprot"], "did you mean tickbird-host notes export?"),
      (["notes", "sync", "stats"], "did you mean tickbird-host notes sync status?"),
      (["extensions", "intall", "x"], "did you mean tickbird-host extensions install?"),
      (["browser", "instal"], "did you mean tickbird-host browser install?"),
      // What the group takes as well is told only once it is refused.
      (["package", "sho", "x"], "did you mean tickbird-host package show?"),
      (["lists", "catalog"], "did you mean tickbird-host lists catalogue?"),
      (["lists", "updat", "--help"], "did you mean tickbird-host lists update?"),
      (["package", "sho", "-h"], "did you mean tickbird-host package show?"),
      (["notes", "snooze", "x", "--minuts", "5"], "did you mean --minutes?"),
      (["notes", "snooze", "x", "--minutes", "-5"], "--minutes cannot be -5; a word that begins"),
      (
        ["notes", "add", "example.org", "- milk"],
        "and -- before a word that begins with - says that it is none"
      ),
    ]
  )
  func misspelling(_ arguments: [String], _ message: String) async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let outcome = try await home.program.run(arguments)
    #expect(outcome.status == 2 && outcome.bytes.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("a word that may be meant is not taken for a subcommand")
  func otherWords() async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    let shown = try await home.program.run("lists", "ads")
    #expect(shown.status == 0 && shown.output.contains("syntax:"), "\(shown.errors)")
    let bundle = home.file("Blocker.appex").path
    let made = try await home.program.run("package", bundle, "--key", home.file("key").path)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test(
    "a file that cannot be read or written has status 2 in every command",
    arguments: [
      ["extensions", "install", "none.json"], ["extensions", "install", "none.appex"],
      ["lists", "add", "none.txt"], ["lists", "own", "none.txt"], ["lists", "own", "."],
      ["links", "import", "none.opml"], ["links", "rules", "add", "none.json"],
      ["links", "export", "none/x"], ["links", "export", "."], ["notes", "export", "none/x"],
      ["notes", "import", "none.json"], ["notes", "import", "."],
      ["package", "make", "none.appex", "--key", "none.key"], ["package", "show", "none.tickbird"],
      ["package", "verify", "none.tickbird"], ["package", "show", "."],
      ["package", "key", "show", "none.key"], ["package", "key", "new", "none/key"],
      ["package", "key", "rotate", "none.old", "none.new"], ["gallery", "build", "none"],
      ["gallery", "root", "new", "none/root"], ["gallery", "root", "show", "none"],
      ["gallery", "root", "sign", ".", "--root", "none.key"], ["gallery", "add", "none", "--yes"],
      ["browser", "install", "chromium", "--host", "none"],
      ["browser", "package", "none"], ["notes", "sync", "on", "/dev/null"],
      ["notes", "sync", "on", "none/folder"],
    ]
  )
  func unusableFile(_ arguments: [String]) async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let outcome = try await home.program.run(arguments)
    #expect(outcome.status == 2 && outcome.bytes.isEmpty, "\(outcome)")
    #expect(!outcome.errors.contains("not a file"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("create its folder") || arguments.last?.contains("/") == true)
  }

  @Test("what is no package is called as it was given, and not as the copy that is looked at")
  func noPackage() async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    let file = home.file("list.json").path
    let outcome = try await home.program.run("install", "--yes", file)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("\(file) is not a package"), "\(outcome.errors)")
  }

  @Test("nothing found has status 1 in either format")
  func nothingFound() async throws {
    let home = EmptyHome()
    defer { home.remove() }
    for words in [[], ["--format", "json"]] {
      let outcome = try await home.program.run(["lists", "catalogue", "xx"] + words)
      #expect(outcome.status == 1 && outcome.errors.contains("no list for xx"), "\(outcome)")
    }
  }

  /// Foundation would make the path of another folder.
  @Test(
    "a relative path in a folder whose name is not UTF-8 is refused, and nothing is written",
    arguments: [
      ["browser", "install", "chromium", "--host", "x"],
      ["browser", "install", "chromium", "--extension", "x"],
      ["browser", "package", "chromium", "--extension", "x"],
      ["browser", "package", "chromium", "-o", "x"], ["extensions", "install", "x.appex"],
      ["extensions", "group", "set", "com.example.x", "key", "x", "--file"],
      ["setup", "--host", "x", "--dry-run"], ["package", "x.appex", "--key", "x"],
      ["package", "show", "x"], ["package", "verify", "x"], ["package", "key", "new", "x"],
      ["package", "key", "show", "x"], ["package", "key", "rotate", "x", "y"],
      ["gallery", "build", "x", "--key", "x"], ["gallery", "root", "new", "x"],
      ["gallery", "root", "show", "x"], ["gallery", "add", "x"], ["lists", "own", "x"],
      ["links", "import", "x"], ["links", "rules", "add", "x"], ["notes", "import", "x"],
      ["notes", "sync", "on", "x"],
    ]
  )
  func folderWithoutAName(_ arguments: [String]) async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-names-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = HostProgram(
      home: folder.appending(path: "home"),
      file: URL(filePath: "/bin/sh"),
      environment: ["PROGRAM": try home.program.process([]).executableURL?.path ?? ""]
    )
    let outcome = try await script.run(
      [
        "-c",
        #"""
        mkdir "$(printf '\377')" && cd "$(printf '\377')" && "$PROGRAM" "$@"; status=$?
        [ -z "$(ls -A)" ] && [ "$(ls -A .. | grep -v home | wc -l)" = 1 ] || echo it has written
        exit $status
        """#, "sh",
      ] + arguments
    )
    #expect(outcome.status == 2 && outcome.bytes.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("whose name is not in UTF-8"), "\(outcome.errors)")
  }

  @Test("the help of each group of commands says what the status means")
  func help() async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let groups = Set(
      try await CommandTree.commands(home.program).compactMap { $0.split(separator: " ").first }
    )
    #expect(groups.count >= 10)
    for group in groups.map(String.init) + [""] where group != "help" {
      let help = try await home.program.run(
        group.split(separator: " ").map(String.init) + ["--help"]
      )
      let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("Exit status: 0 all is well;"), "\(group)")
      #expect(words.contains("2 wrong use, or a file that cannot be read or written."), "\(group)")
    }
  }
}
