import Foundation
import TestSupport
import Testing

@Suite("Output that cannot be written")
struct LostOutputTests {
  private struct Dump: Decodable {
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?
    }
    var command: Command
  }

  /// All subcommands of the built command, but for those that another program carries out.
  private static func commands() throws -> [String] {
    let text = try Command.run(["--experimental-dump-help"]).output
    let dump = try JSONDecoder().decode(Dump.self, from: Data(text.utf8))
    var found: [String] = []
    func add(_ command: Dump.Command, _ path: [String]) {
      for other in command.subcommands ?? [] { add(other, path + [other.commandName]) }
      if (command.subcommands ?? []).isEmpty { found.append(path.joined(separator: " ")) }
    }
    add(dump.command, [])
    return found
  }

  private static let passedOn: Set<String> = [
    "extensions", "lists", "links", "notes", "package", "gallery", "install", "update", "browser",
    "run", "serve", "setup",
  ]

  private func arguments(of command: String) -> [String]? {
    switch command {
    case "check", "dump": [command, "list.json"]
    case "compile": ["compile", "list.json", "-o", "list.tickbird"]
    case "match": ["match", "--list", "list.json", "requests"]
    case "explain": ["explain", "--list", "list.json", "--url", "https://a.test/ad"]
    case "audit": ["audit", "--list", "list.json", "requests", "--partial", "-"]
    case "audit-merge": ["audit", "merge", "partial"]
    case "analyze": ["analyze", "list.json"]
    case "diff": ["diff", "list.json", "list.json"]
    case "optimize", "merge": [command, "list.json"]
    case "split": ["split", "list.json", "-o", "part"]
    case "preview": ["preview", "--list", "list.json", "--har", "page.har"]
    case "translate": ["translate", "--to", "chromium", "list.json"]
    case "test": ["test", "list.tests"]
    case "reduce": ["reduce", "--list", "list.json", "--test", "list.tests"]
    case "convert": ["convert", "filters.txt"]
    case "extension new": ["extension", "new", "Sample", "--template", "content-blocker"]
    case "extension import", "extension build": command.split(separator: " ").map(String.init)
    case "help", "lsp": [command]
    default: nil
    }
  }

  private func prepared() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.file(
      "list.json",
      #"[{"trigger":{"url-filter":"/ad"},"action":{"type":"block"}}]"#
    )
    try scratch.file(
      "page.har",
      #"{"log":{"entries":[{"request":{"url":"https://a.test/ad"},"response":{"status":200}}]}}"#
    )
    try scratch.file("list.tests", "list: list.json\nhttps://a.test/ad image => block\n")
    try scratch.file("filters.txt", "||ads.test^\n##.ad\n")
    try scratch.file("requests", #"{"url":"https://a.test/ad","top_url":"https://a.test/"}"# + "\n")
    return scratch
  }

  /// Runs the command by a shell that has its output lead elsewhere.
  private func status(_ arguments: [String], _ redirection: String) throws -> Int32 {
    let scratch = try prepared()
    let executable: URL = try #require(Command.executable, "the command is not built")
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "\"$0\" \"$@\" \(redirection)", executable.path] + arguments
    shell.currentDirectoryURL = scratch.folder
    shell.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    shell.standardOutput = pipe.fileHandleForWriting
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationReason == .exit)
    return shell.terminationStatus
  }

  @Test("no subcommand ends well without its output, and none is ended by a signal")
  func everySubcommand() throws {
    var writingCount = 0
    for command in try Self.commands() where !Self.passedOn.contains(command) {
      let arguments = try #require(
        self.arguments(of: command),
        "say in arguments(of:) how “\(command)” is run"
      )
      let scratch = try prepared()
      let usual = try Command.run(arguments, in: scratch.folder)
      if !usual.output.isEmpty { writingCount += 1 }
      for redirection in [">/dev/full", ">/dev/full 2>&1", "", "<&- >&-", "<&- >&- 2>&-"] {
        let expected = usual.output.isEmpty ? usual.status : 2
        #expect(try status(arguments, redirection) == expected, "\(command) \(redirection)")
        let help = command.split(separator: " ").map(String.init) + ["--help"]
        if command != "help" { #expect(try status(help, redirection) == 2, "\(help)") }
      }
    }
    #expect(writingCount >= 7)
  }

  @Test("a file that would be larger than the user's limit allows is an error, and leaves nothing")
  func fileLimit() throws {
    let scratch = try Scratch()
    let rules = (0..<20_000).map { number in
      #"{"trigger":{"url-filter":"/ads\#(number)/"},"action":{"type":"block"}}"#
    }
    try scratch.file("list.json", "[\(rules.joined(separator: ","))]")
    let outcome = try Command.run(
      [],
      in: scratch.folder,
      shell: "ulimit -f 100; \"$0\" compile list.json -o list.compiled"
    )
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.error.contains("larger than is allowed"), "\(outcome)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(names == ["list.json"])
  }

  @Test("the help of each subcommand says what the status means, in the same words")
  func statusInHelp() throws {
    for command in try Self.commands() + [""]
    where !Self.passedOn.contains(command) && command != "help" {
      let words = command.split(separator: " ").map(String.init) + ["--help"]
      let help = try Command.run(words).output
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(help.contains("Exit status: 0 all "), "\(command)")
      #expect(help.contains(" 2 wrong use, or "), "\(command)")
    }
  }

  @Test("names of strangers' files have no controls, and no line of their own")
  func foreignNames() throws {
    let scratch = try Scratch()
    let name = "\u{1B}[2J\u{1B}[31mx\u{202E}\u{9B}5m\nlist.json: accepted, 1 rule.json"
    let faulty = #"[{"trigger":{"url-filter":"a|b\u001b[2J"},"action":{"type":"block"}}]"#
    try scratch.file(name, faulty)
    for arguments in [
      ["check", name], ["check", "--format", "json", name], ["check", "--format", "sarif", name],
      ["compile", name, "-o", "x"], ["match", "--list", name, "/dev/null"], ["dump", name],
      ["explain", "--list", name, "--url", "https://a.test/"], ["check", name + "none"], [name],
      ["translate", "--to", "chromium", name], ["convert", "--from", "abp", name],
      ["check", "--color", "always", name],
    ] {
      let result = try Command.run(arguments, in: scratch.folder)
      for text in [result.output, result.error] {
        let plain = text.replacing(/\u{1B}\[[0-9;]{1,4}m/, with: "")
        #expect(arguments.contains("always") || plain == text, "\(arguments)")
        let controls = plain.unicodeScalars.filter {
          $0.value < 0x20 && $0 != "\n" || 0x7F <= $0.value && $0.value < 0xA0 || $0 == "\u{202E}"
        }
        #expect(controls.isEmpty, "\(arguments)")
        #expect(!text.contains("\nlist.json: accepted"), "\(arguments)")
      }
    }
  }
}
