import Foundation
import HostTestSupport
import Testing

@testable import NativeMessaging

/// The program as a browser starts it.
@Suite("The host, as browsers start it")
struct BrowserHostTests {
  private func inHome(_ body: (URL) throws -> Void) throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-host-test-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try body(home)
  }

  @Test("The pop-up is answered about a page with the longest notes")
  func longNotes() throws {
    try inHome { home in
      let port = try HostPort(HostProgram(home: home))
      let url = "https://www.example.com/a/b?c"
      let text = String(repeating: "\"", count: 64 << 10)
      for kind in ["site", "host", "path", "page"] {
        let question = ["request": "add", "url": url, "text": text, "kind": kind]
        let answer = try port.exchange(JSONSerialization.data(withJSONObject: question))
        #expect(answer == Data(#"{"type":"reload"}"#.utf8))
      }
      let page = try port.exchange(
        JSONSerialization.data(withJSONObject: ["request": "page", "url": url, "question": 6])
      )
      let object = try JSONSerialization.jsonObject(with: page) as? [String: Any]
      #expect(object?["type"] as? String == "page")
      #expect(object?["question"] as? Int == 6)
      #expect(try port.close() == 0)
    }
  }

  @Test(
    "A browser of either family is answered about notes, and the end of its port ends the program",
    arguments: [
      ["chrome-extension://\(BrowserIdentity.chromiumID)/"],
      ["/home/mia/.mozilla/native-messaging-hosts/tickbird.host.json", BrowserIdentity.geckoID],
    ]
  )
  func notes(arguments: [String]) throws {
    try inHome { home in
      let requests = [
        #"{"request":"hello"}"#,
        #"{"request":"add","url":"https://example.com/","text":"Is it urgent?"}"#,
        #"{"request":"check","url":"https://www.example.com/news"}"#,
        #"{"request":"check","url":"https://other.example/"}"#, "rubbish",
      ]
      let input = try requests.reduce(into: Data()) {
        $0 += try MessageFrames.frame(Data($1.utf8))
      }
      let outcome = try HostProgram(home: home).run(arguments, input: input)
      #expect(outcome.status == 0)
      var decoder = FrameDecoder()
      let answers = try decoder.add(outcome.bytes).map { event in
        guard case .message(let data) = event else { return "" }
        return String(decoding: data, as: UTF8.self)
      }
      #expect(answers.count == 5)
      for (answer, type) in zip(answers, ["hello", "reload", "message", "ignore", "error"]) {
        #expect(answer.contains("\"type\":\"\(type)\""), "\(answer)")
      }
      #expect(answers[2].contains("Is it urgent?"))
    }
  }

  @Test("Notes that are lost and come back are answered about by the same process")
  func lostNotes() throws {
    try inHome { home in
      let program = HostProgram(home: home)
      #expect(try program.run("notes", "add", "a.example", "hello there").status == 0)
      let file = home.appending(path: "data/notes.sqlite").path
      let lost = home.appending(path: "lost").path
      try FileManager.default.moveItem(atPath: file, toPath: lost)
      let port = try HostPort(program)
      for _ in 1...2 {
        let answer = try port.ask(["request": "list"])
        #expect(answer["type"] as? String == "error")
        #expect((answer["message"] as? String)?.contains("had contents and is missing now") == true)
      }
      #expect(try port.ask(["type": "lists"])["type"] as? String == "lists")
      try FileManager.default.moveItem(atPath: lost, toPath: file)
      // What is lost is looked at once a second.
      Thread.sleep(forTimeInterval: 1.1)
      let answer = try port.exchange(Data(#"{"request":"list"}"#.utf8))
      #expect(String(decoding: answer, as: UTF8.self).contains("hello there"))
      #expect(try port.close() == 0)
    }
  }

  @Test(
    "When it is ended by a signal, a copy of the database alone has everything",
    arguments: [SIGTERM, SIGINT, SIGHUP]
  )
  func signals(number: Int32) throws {
    try inHome { home in
      let port = try HostPort(HostProgram(home: home))
      let question = #"{"request":"add","url":"https://example.com/","text":"Is it urgent?"}"#
      _ = try port.exchange(Data(question.utf8))
      #expect(port.end(by: number) == 0)
      let log = home.appending(path: "data/notes.sqlite-wal").path
      #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int == 0)
    }
  }

  @Test("What is no browser gets a reason and a way out")
  func noBrowser() throws {
    try inHome { home in
      let program = HostProgram(home: home)
      let outcome = try program.run(
        ["chrome-extension://\(BrowserIdentity.chromiumID)/"],
        input: Data("GET / HTTP/1.1\r\n\r\n".utf8)
      )
      #expect(outcome.status == 1)
      #expect(outcome.bytes.isEmpty)
      #expect(try program.run("browser", "host").status == 2)
    }
  }

  @Test("Manifests are installed for the browsers that are there, checked and taken away")
  func install() throws {
    try inHome { home in
      func run(_ arguments: String...) throws -> HostProgram.Outcome {
        try HostProgram(home: home).run(["browser"] + arguments)
      }
      let firefox = home.appending(path: ".mozilla/native-messaging-hosts/tickbird.host.json").path
      try FileManager.default.createDirectory(
        at: home.appending(path: ".mozilla/firefox"),
        withIntermediateDirectories: true
      )
      #expect(try run("status").output.contains("Firefox: no manifest"))
      #expect(try run("status").output.contains("tickbird browser install"))
      let installed = try run("install", "firefox")
      #expect(installed.status == 0)
      #expect(installed.output.contains("wrote \(firefox)"))
      #expect(installed.output.contains("about:debugging"))
      #expect(try run().output.contains("Firefox: ready"))
      #expect(try run("status", "--format", "json").output.contains("\"isReady\" : true"))
      #expect(try run("install", "--all", "--application-id").status == 0)
      let alias = home.appending(path: ".config/chromium/NativeMessagingHosts/application.id.json")
      #expect(FileManager.default.fileExists(atPath: alias.path))
      #expect(try run("uninstall").output.contains("Firefox: removed \(firefox)"))
      #expect(FileManager.default.fileExists(atPath: alias.path))
      #expect(try run("uninstall", "--application-id").output.contains("removed \(alias.path)"))
      #expect(try run("install", "netscape").status != 0)
      #expect(try run("install", "--allow", "zz").status != 0)
      #expect(try run("install", "firefox", "--host", "/not/there").status != 0)
    }
  }
}
