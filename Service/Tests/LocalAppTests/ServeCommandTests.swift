import Foundation
import HostTestSupport
import Testing

/// `tickbird-host serve` as a process.
struct ServeCommandTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-serve-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var program: HostProgram {
    // The opener that a test writes is found before the system's.
    HostProgram(
      home: folder.appending(path: "home"),
      environment: ["PATH": "\(folder.path):/usr/bin:/bin"]
    )
  }

  /// Starts `serve`, and gives the address that it prints.
  private func serve(_ arguments: String...) throws -> (process: TestProcess, address: URL) {
    let process = try program.process(["serve"] + arguments)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = Data()
    while !text.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      text += more
    }
    let line = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return (process, try #require(URL(string: line)))
  }

  private func visitor(_ address: URL) async throws -> Visitor {
    let port = try #require(address.port)
    let answer = try await RawClient.send(
      port: port,
      "GET",
      "\(address.path)?\(address.query ?? "")",
      [("Host", "127.0.0.1:\(port)")]
    )
    let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
    let base = try #require(answer.headers["location"]?.split(separator: "/").first)
    return Visitor(port: port, cookie: String(cookie), base: "/\(base)", secret: "")
  }

  @Test("without a service it is one itself; beside one it works with that; both end when told to")
  func service() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (first, address) = try serve("--port", "0")
    // A command reaches the service that the first one is.
    #expect(try await program.run("extensions", "list").status == 0)
    #expect(try await program.run("notes", "add", "a.example", "hello there").status == 0)
    let page = try await visitor(address).get("/notes")
    #expect(page.status == 200 && page.body.contains("hello there"))
    let (second, other) = try serve("--port", "0")
    #expect(other.port != address.port)
    #expect(try await visitor(other).get("/extensions").status == 200)
    let port = try #require(address.port)
    #expect(try await program.run("serve", "--port", "\(port)").status == 2)
    #expect(try await program.run("serve", "--port", "70000").status != 0)
    for process in [second, first] {
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
    #expect(try await program.run("extensions", "list").status == 0)
  }

  @Test(
    "where notes are lost, their page says so, the others are served, and it is as before once they are back"
  )
  func lostNotes() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try await program.run("notes", "add", "a.example", "hello there").status == 0)
    let file = folder.appending(path: "home/data/notes.sqlite").path
    let lost = folder.appending(path: "lost").path
    try FileManager.default.moveItem(atPath: file, toPath: lost)
    let (process, address) = try serve("--port", "0")
    let visitor = try await visitor(address)
    let page = try await visitor.get("/notes")
    #expect(page.status == 422)
    #expect(page.body.contains("notes.sqlite had contents and is missing now"))
    for other in ["extensions", "gallery", "lists", "rules", "stream"] {
      #expect(try await visitor.get("/\(other)").status == 200, "\(other)")
    }
    try FileManager.default.moveItem(atPath: lost, toPath: file)
    // What is lost is looked at once a second.
    try await Task.sleep(for: .milliseconds(1100))
    let again = try await visitor.get("/notes")
    #expect(again.status == 200 && again.body.contains("hello there"))
    process.send(SIGHUP)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    for log in ["notes.sqlite-wal", "links.sqlite-wal"] {
      let path = folder.appending(path: "home/data/\(log)").path
      let found = try? FileManager.default.attributesOfItem(atPath: path)
      #expect((found?[.size] as? Int ?? 0) == 0, "\(log)")
    }
  }

  @Test("the browser is led to the address by a file that only its owner can read")
  func opening() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let opener = folder.appending(path: "xdg-open")
    let said = folder.appending(path: "said")
    let script = """
      #!/bin/sh
      { echo "$@"; stat -c %a "$@" "$(dirname "$1")"; cat "$@"; echo end; } > '\(said.path).new'
      mv '\(said.path).new' '\(said.path)'
      """
    try Data(script.utf8).write(to: opener)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: opener.path)
    let (process, address) = try serve("--port", "0", "--open")
    defer { process.terminate() }
    var text = ""
    while text.isEmpty, process.isRunning {
      text = (try? String(contentsOf: said, encoding: .utf8)) ?? ""
      try await Task.sleep(for: .milliseconds(20))
    }
    let lines = text.split(separator: "\n")
    let token = try #require(address.query?.dropFirst("token=".count))
    #expect(!lines[0].contains(token))
    #expect(lines[1] == "600" && lines[2] == "700")
    #expect(text.contains("content=\"0; url=\(address.absoluteString)\""))
    process.terminate()
    process.waitUntilExit()
    #expect(!FileManager.default.fileExists(atPath: String(lines[0])))
  }

  @Test("the usual port is used; if it is taken, another one")
  func usualPort() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (first, address) = try serve()
    let (second, other) = try serve()
    defer {
      first.terminate()
      second.terminate()
    }
    #expect(address.port != other.port)
    #expect(try await visitor(address).get("/rules").status == 200)
    #expect(try await visitor(other).get("/rules").status == 200)
  }
}
