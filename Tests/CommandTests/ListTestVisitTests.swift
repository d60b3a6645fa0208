import Foundation
import TestSupport
import Testing

@Suite("Tests recorded from a visit", .serialized)
struct ListTestVisitTests {
  @Test(
    "a page is visited with its frames, and what it loads becomes expectations that hold",
    .enabled(if: LocalServer.canBeVisited, "Chromium or python3 is not installed")
  )
  func visit() throws {
    let scratch = try Scratch()
    try scratch.file(
      "index.html",
      """
      <!doctype html><script src="ad.js"></script><img src="cat.png"><iframe src="frame.html"></iframe>
      <script>new SharedWorker("shared.js")</script>
      """
    )
    try scratch.file("frame.html", "<!doctype html><img src=\"inner.png\">")
    try scratch.file("ad.js", "fetch('late.json')")
    try scratch.file("late.json", "{}")
    try scratch.file("shared.js", "fetch('shared.json')")
    try scratch.file("shared.json", "{}")
    try scratch.file("list.json", ListTestCommandTests.list)
    let server = try LocalServer(scratch.folder)
    let site = "http://127.0.0.1:\(server.port)"
    let temporary = try ShortFolder()
    let result = try Command.run(
      ["test", "--record", "\(site)/index.html", "-l", "list.json", "-o", "visit.tests"],
      in: scratch.folder,
      variables: ["TMPDIR": temporary.path]
    )
    #expect(result.status == 0, "\(result)")
    let text = try String(
      contentsOf: scratch.folder.appending(path: "visit.tests"),
      encoding: .utf8
    )
    for line in [
      "[page \(site)/index.html]", "page => load", "\(site)/ad.js script => block",
      "\(site)/cat.png image => load", "\(site)/late.json fetch => load",
      "\(site)/shared.js other => load", "\(site)/shared.json fetch => load",
      "\(site)/frame.html child-document => load",
      "[frame \(site)/frame.html on \(site)/index.html]", "\(site)/inner.png image => load",
    ] {
      #expect(text.split(separator: "\n").contains(Substring(line)), "\(line) in \(text)")
    }
    let tried = try Command.run(["test", "visit.tests"], in: scratch.folder)
    #expect(tried.status == 0, "\(tried)")
    #expect(try temporary.names().isEmpty)
  }

  @Test(
    "a page that does not answer is an error",
    .enabled(if: LocalServer.canBeVisited, "Chromium or python3 is not installed")
  )
  func failure() throws {
    let scratch = try Scratch()
    try scratch.file("list.json", ListTestCommandTests.list)
    let result = try Command.run(
      ["test", "--record", "http://127.0.0.1:1/", "-l", "list.json"],
      in: scratch.folder
    )
    #expect(result.status == 2 && result.output == "")
    #expect(result.error.contains("http://127.0.0.1:1/ cannot be visited: net::ERR_"))
  }

  @Test("without a browser, a network log is the way")
  func noBrowser() throws {
    let scratch = try Scratch()
    try scratch.file("list.json", ListTestCommandTests.list)
    let result = try Command.run(
      ["test", "--record", "https://example.com/", "-l", "list.json"],
      in: scratch.folder,
      variables: ["PATH": scratch.folder.path, "TICKBIRD_CHROMIUM": ""]
    )
    #expect(result.status == 2 && result.output == "")
    #expect(result.error.contains("there is no Chromium on the path; install "))
    #expect(result.error.contains("save the network log of the page as HAR"))
  }

  @Test(
    "a visit that is interrupted or killed leaves no browser and no profile",
    arguments: [SIGINT, SIGTERM, SIGKILL]
  )
  func interruption(_ signal: Int32) throws {
    let scratch = try Scratch()
    try scratch.file("list.json", ListTestCommandTests.list)
    // Answers as Chromium does, until a page is to be opened.
    let browser = try scratch.program(
      "browser",
      #"""
      #!/bin/bash
      touch "$HOME/process-$$"
      number=0
      while IFS= read -r -d '' message <&3; do
        number=$((number + 1))
        case $message in *Page.navigate*) touch "$HOME/navigates"; continue ;; esac
        printf '{"id":%s,"result":{"targetId":"t","sessionId":"s"}}\0' $number >&4
      done
      """#
    )
    let temporary = try ShortFolder()
    let process = Process()
    let executable: URL = try #require(Command.executable, "the command is not built")
    process.executableURL = executable
    process.arguments = ["test", "--record", "https://a.test/", "-l", "list.json", "-o", "a.tests"]
    process.currentDirectoryURL = scratch.folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TMPDIR": temporary.path, "TICKBIRD_CHROMIUM": browser.path]) { $1 }
    process.standardError = FileHandle.nullDevice
    try process.run()
    var names: [String] = []
    for _ in 0..<400 where !names.contains(where: { $0.hasSuffix("/navigates") }) {
      usleep(25_000)
      names = try temporary.names()
    }
    let word = try #require(names.lazy.compactMap { $0.firstMatch(of: /process-([0-9]+)/) }.first)
    let number = try #require(pid_t(word.output.1))
    #expect(kill(number, 0) == 0)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == (signal == SIGKILL ? SIGKILL : 2))
    for _ in 0..<200 {
      if try temporary.names().isEmpty, kill(number, 0) != 0 { break }
      usleep(25_000)
    }
    #expect(try temporary.names().isEmpty)
    #expect(kill(number, 0) != 0)
    #expect(
      !FileManager.default.fileExists(atPath: scratch.folder.appending(path: "a.tests").path)
    )
  }

  /// A folder for temporary files with a short path, because Chromium has a socket in it.
  private final class ShortFolder {
    let path = "/tmp/tb-\(UInt32.random(in: 1...UInt32.max))"

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func names() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: path)
    }
  }
}
