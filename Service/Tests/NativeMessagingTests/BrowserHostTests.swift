import Foundation
import Testing

@testable import NativeMessaging

/// The program as a browser starts it.
@Suite("The host, as browsers start it")
struct BrowserHostTests {
  static let executable: URL? = {
    var folder = Bundle.main.executableURL?.deletingLastPathComponent()
    for _ in 0..<6 {
      guard let place = folder else { return nil }
      let file = place.appending(path: "tickbird-host")
      if FileManager.default.isExecutableFile(atPath: file.path) { return file }
      folder = place.deletingLastPathComponent()
    }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let built = package.appending(path: ".build/debug/tickbird-host")
    return FileManager.default.isExecutableFile(atPath: built.path) ? built : nil
  }()

  private func run(_ home: URL, _ arguments: [String], input: Data) throws -> (Int32, Data) {
    let process = Process()
    process.executableURL = try #require(Self.executable as URL?, "tickbird-host is not built")
    process.arguments = arguments
    process.environment = ["HOME": home.path, "TICKBIRD_HOME": home.path, "PATH": "/usr/bin:/bin"]
    let (requests, replies) = (Pipe(), Pipe())
    process.standardInput = requests
    process.standardOutput = replies
    process.standardError = FileHandle.nullDevice
    try process.run()
    try requests.fileHandleForWriting.write(contentsOf: input)
    try requests.fileHandleForWriting.close()
    let output = try replies.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  private func inHome(_ body: (URL) throws -> Void) throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-host-test-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try body(home)
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
      let (status, output) = try run(home, arguments, input: input)
      #expect(status == 0)
      var decoder = FrameDecoder()
      let answers = try decoder.add(output).map { event in
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

  @Test("What is no browser gets a reason and a way out")
  func noBrowser() throws {
    try inHome { home in
      let (status, output) = try run(
        home,
        ["chrome-extension://\(BrowserIdentity.chromiumID)/"],
        input: Data("GET / HTTP/1.1\r\n\r\n".utf8)
      )
      #expect(status == 1)
      #expect(output.isEmpty)
      #expect(try run(home, ["browser", "host"], input: Data()).0 != 0)
    }
  }

  @Test("Manifests are installed for the browsers that are there, checked and taken away")
  func install() throws {
    try inHome { home in
      func words(_ arguments: String...) throws -> (Int32, String) {
        let (status, output) = try run(home, ["browser"] + arguments, input: Data())
        return (status, String(decoding: output, as: UTF8.self))
      }
      let firefox = home.appending(path: ".mozilla/native-messaging-hosts/tickbird.host.json").path
      try FileManager.default.createDirectory(
        at: home.appending(path: ".mozilla/firefox"),
        withIntermediateDirectories: true
      )
      #expect(try words("status").1.contains("Firefox: no manifest"))
      #expect(try words("status").1.contains("tickbird browser install"))
      let installed = try words("install", "firefox")
      #expect(installed.0 == 0)
      #expect(installed.1.contains("wrote \(firefox)"))
      #expect(installed.1.contains("about:debugging"))
      #expect(try words().1.contains("Firefox: ready"))
      #expect(try words("status", "--json").1.contains("\"isReady\" : true"))
      #expect(try words("install", "--all", "--application-id").0 == 0)
      let alias = home.appending(path: ".config/chromium/NativeMessagingHosts/application.id.json")
      #expect(FileManager.default.fileExists(atPath: alias.path))
      #expect(try words("uninstall").1.contains("Firefox: removed \(firefox)"))
      #expect(FileManager.default.fileExists(atPath: alias.path))
      #expect(try words("uninstall", "--application-id").1.contains("removed \(alias.path)"))
      #expect(try words("install", "netscape").0 != 0)
      #expect(try words("install", "--allow", "zz").0 != 0)
      #expect(try words("install", "firefox", "--host", "/not/there").0 != 0)
    }
  }
}
