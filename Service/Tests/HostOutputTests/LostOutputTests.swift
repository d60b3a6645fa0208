import BlockingWork
import Foundation
import HostTestSupport
import TestSupport
import Testing

/// Output that cannot be written.
struct LostOutputTests {
  /// Where output is lost.
  enum Sink: CaseIterable {
    case fullDevice, closedPipe, closedDescriptors
  }

  /// How a program ended.
  private struct Ending {
    var reason: TestProcess.TerminationReason
    var status: Int32
  }

  /// The subcommands that serve until they are terminated.
  private static let services = ["run", "serve", "links serve", "browser host"]

  private func run(
    _ home: PreparedHome,
    _ arguments: [String],
    _ sink: Sink
  ) async throws -> Ending {
    // Programs are run some hundred times, and other tests wait for the thread.
    try await blocking {
      let process = try Self.process(home, arguments, sink)
      try process.run()
      process.waitUntilExit()
      return Ending(reason: process.terminationReason, status: process.terminationStatus)
    }
  }

  private static func process(
    _ home: PreparedHome,
    _ arguments: [String],
    _ sink: Sink
  ) throws -> TestProcess {
    let process = try home.program.process(arguments)
    switch sink {
    case .fullDevice:
      let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
      process.standardOutput = full
      process.standardError = full
    case .closedPipe:
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      process.standardOutput = pipe.fileHandleForWriting
      process.standardError = pipe.fileHandleForWriting
    case .closedDescriptors:
      let program = process.executableURL?.path ?? ""
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", program] + arguments
    }
    return process
  }

  @Test("no subcommand ends well without its output, and none is ended by a signal")
  func everySubcommand() async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    let note = try await home.note()
    var writingCount = 0
    // By turns, since each is another start of the program.
    let sinks = Effort.sample(of: Sink.allCases, every: 3)
    for command in try await CommandTree.commands(home.program)
    where !Self.services.contains(command) {
      let arguments = try #require(
        home.arguments(of: command, note: note),
        "say in PreparedHome how “\(command)” is run"
      )
      func prepared() throws -> (PreparedHome, [String]) {
        let copy = try home.copy()
        return (copy, copy.arguments(of: command, note: note) ?? arguments)
      }
      let (own, words) = try prepared()
      let usual = try await own.program.run(words)
      own.remove()
      if !usual.bytes.isEmpty { writingCount += 1 }
      for sink in sinks {
        let (own, words) = try prepared()
        defer { own.remove() }
        let ending = try await run(own, words, sink)
        #expect(ending.reason == .exit, "\(command), \(sink)")
        // Of two statuses the higher one counts.
        #expect(
          ending.status == (usual.bytes.isEmpty ? usual.status : 2),
          "\(command), \(sink)"
        )
      }
    }
    // Most of them write something here.
    #expect(writingCount >= 35)
  }

  @Test("help is output as well", arguments: Sink.allCases)
  func help(_ sink: Sink) async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    for arguments in [["--help"], ["links", "add", "--help"], ["help", "notes"]] {
      #expect(try await run(home, arguments, sink).status == 2)
    }
  }

  @Test("a database that is opened where output was is not written into", arguments: [1, 2])
  func missingDescriptors(_ number: Int) async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    let process = try home.program.process([])
    process.arguments = [
      "-c", "\"$0\" notes list <&- \(number)>&-; \"$0\" links list <&- \(number)>&-",
      process.executableURL?.path ?? "",
    ]
    process.executableURL = URL(filePath: "/bin/sh")
    try process.run()
    process.waitUntilExit()
    // Nothing was printed into the databases.
    #expect(try await home.program.run("notes", "list").output.contains("example.org"))
    #expect(try await home.program.run("links", "feeds").output.contains("127.0.0.1"))
  }

  @Test("a service goes on without its log, and a command reaches it", arguments: Sink.allCases)
  func service(_ sink: Sink) async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    let service = try Self.process(home, ["run"], sink)
    try service.run()
    defer { service.terminate() }
    let socket = home.folder.appending(path: "home/run/host.sock").path
    while !FileManager.default.fileExists(atPath: socket), service.isRunning {
      try await Task.sleep(for: .milliseconds(10))
    }
    // Each one calls the service, which holds the folder.
    for _ in 0..<3 {
      let outcome = try await home.program.run("extensions", "list")
      #expect(outcome.status == 0 && outcome.output.contains("com.example.blocker"))
    }
    let second = try await home.program.run("run")
    #expect(second.status == 1)
    #expect(service.isRunning)
  }

  @Test("pages are served where their address cannot be written", arguments: Sink.allCases)
  func pages(_ sink: Sink) async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    for command in [["serve"], ["links", "serve", "--no-refresh"]] {
      let port = Int.random(in: 20_000..<30_000)
      let service = try Self.process(home, command + ["--port", "\(port)"], sink)
      try service.run()
      var answer = ""
      for _ in 0..<500 where answer.isEmpty && service.isRunning {
        let curl = TestProcess()
        let pipe = Pipe()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        curl.arguments = [
          "-q", "-s", "--noproxy", "*", "-o", "/dev/null", "-w", "%{http_code}",
          "http://127.0.0.1:\(port)/",
        ]
        curl.standardOutput = pipe
        try curl.run()
        answer = String(
          decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(),
          as: UTF8.self
        )
        curl.waitUntilExit()
        if answer == "000" {
          answer = ""
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      #expect(answer == (command == ["serve"] ? "403" : "404"), "\(command)")
      #expect(service.isRunning)
      service.terminate()
      service.waitUntilExit()
      #expect(service.terminationReason == .exit && service.terminationStatus == 2)
    }
  }

  @Test("a browser is answered without a standard error, and where nobody reads it")
  func browserHost() async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    for sink in ["2>&-", "2>/dev/full"] {
      let script = home.file("host-\(sink.count)")
      let built = try home.program.process([]).executableURL?.path ?? ""
      try Data("#!/bin/sh\nexec '\(built)' \"$@\" \(sink)\n".utf8).write(to: script)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
      let port = try HostPort(HostProgram(home: home.folder.appending(path: "home"), file: script))
      for _ in 0..<3 {
        let answer = try port.ask(["request": "check", "url": "https://example.org/"])
        #expect(answer["type"] as? String != nil)
      }
      #expect(try port.close() == 0)
    }
  }
}
