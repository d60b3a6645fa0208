import CLibrary
import Foundation
import HostTestSupport
import Testing

@testable import NativeMessaging

/// The lists of installed extensions, as the web extension asks for them.
@Suite("The host, asked for lists")
struct BrowserListsTests {
  private func command(_ home: URL, _ arguments: String...) throws -> Int32 {
    try HostProgram(home: home).run(["extensions"] + arguments).status
  }

  /// A blocker with rules that differ in a number alone, which follows the start of their patterns.
  private func bundle(
    in home: URL,
    rules: Int,
    start: String = #"^https?://([^/]+\\.)?host"#
  ) throws -> String {
    let bundle = home.appending(path: "Many.appex", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let information: [String: Any] = [
      "CFBundleIdentifier": "com.example.many", "CFBundleVersion": "1",
      "CFBundleShortVersionString": "1.0", "CFBundleName": "Many",
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.content-blocker"],
    ]
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: bundle.appending(path: "Info.plist"))
    let list = (0..<rules).map { number in
      #"{"trigger":{"url-filter":"\#(start)\#(number)\\.test[/:]"},"#
        + #""action":{"type":"block"}}"#
    }
    try Data("[\(list.joined(separator: ","))]".utf8)
      .write(to: bundle.appending(path: "blockerList.json"))
    return bundle.path
  }

  private func inHome(_ body: (URL) throws -> Void) throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-lists-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try body(home)
  }

  @Test("What is on comes over whole, in parts, and the browser hears of changes")
  func lists() throws {
    try inHome { home in
      let port = try HostPort(HostProgram(home: home))
      let none = try port.ask(["type": "lists", "question": 1])
      #expect((none["lists"] as? [Any])?.isEmpty == true)
      #expect(none["question"] as? Int == 1)
      // Large enough for several parts.
      #expect(try command(home, "install", bundle(in: home, rules: 9_000)) == 0)
      #expect(try (port.ask(["type": "lists", "question": 2])["lists"] as? [Any])?.isEmpty == true)
      #expect(try command(home, "on", "com.example.many") == 0)
      #expect(try port.receive()["type"] as? String == "changed")
      let offered = try port.ask(["type": "lists", "question": 3])["lists"] as? [[String: Any]]
      let list = try #require(offered?.first)
      #expect(offered?.count == 1)
      #expect(list["identifier"] as? String == "com.example.many")
      #expect(list["name"] as? String == "Many")
      let size = try #require(list["size"] as? Int)
      var bytes = Data()
      var parts = 0
      while bytes.count < size {
        let part = try port.ask([
          "type": "part", "question": 4 + parts, "digest": list["digest"] ?? "",
          "offset": bytes.count,
        ])
        let text = try #require(part["bytes"] as? String, "\(part)")
        bytes += try #require(Data(base64Encoded: text))
        parts += 1
      }
      #expect(parts > 1)
      #expect(bytes.count == size)
      #expect(String(decoding: bytes.prefix(8), as: UTF8.self) == "TICKBIRD")
      let deciding = try #require(list["deciding"] as? [String: Any])
      let part = try port.ask([
        "type": "part", "question": 98, "digest": deciding["digest"] ?? "", "offset": 0,
      ])
      let first = try #require((part["bytes"] as? String).flatMap { Data(base64Encoded: $0) })
      let decidingSize = try #require(deciding["size"] as? Int)
      #expect(decidingSize < size)
      #expect(first == bytes.prefix(min(decidingSize, MessageLimits.part)))
      #expect(try command(home, "off", "com.example.many") == 0)
      #expect(try port.receive()["type"] as? String == "changed")
      let gone = try port.ask([
        "type": "part", "question": 99, "digest": list["digest"] ?? "", "offset": 0,
      ])
      #expect(gone["code"] as? String == "unknown-part")
      #expect(try port.close() == 0)
    }
  }

  @Test("A list that cannot be read is offered with the reason, and others without one")
  func unusable() throws {
    try inHome { home in
      #expect(try command(home, "install", bundle(in: home, rules: 3)) == 0)
      #expect(try command(home, "on", "com.example.many") == 0)
      let (digest, _) = try translated(home)
      let folder = try #require(
        FileManager.default.subpathsOfDirectory(atPath: home.path)
          .first { $0.hasSuffix("/Lists") && !$0.contains("Subscriptions") }
      )
      let lists = home.appending(path: folder)
      let list = try #require(
        FileManager.default.contentsOfDirectory(atPath: lists.path).first
      )
      let file = lists.appending(path: list)
      let before = try Data(contentsOf: file)
      try FileManager.default.removeItem(at: file)
      let port = try HostPort(HostProgram(home: home))
      let offered = try port.ask(["type": "lists", "question": 1])["lists"] as? [[String: Any]]
      let offer = try #require(offered?.first)
      #expect(offer["name"] as? String == "Many" && offer["digest"] == nil)
      #expect((offer["fault"] as? String)?.contains(file.path) == true, "\(offer)")
      let rules = try port.ask(["type": "declarative", "question": 2])
      #expect((rules["fault"] as? String)?.hasPrefix("Many: ") == true, "\(rules)")
      #expect(rules["digest"] as? String != digest)

      try before.write(to: file)
      let subscriptions = lists.deletingLastPathComponent().appending(path: "Subscriptions")
      let state = subscriptions.appending(path: "State.json")
      let generation = subscriptions.appending(path: "Lists/ads/1a2b")
      try FileManager.default.createDirectory(at: generation, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: generation.appending(path: "compiled"))
      try Data("{".utf8).write(to: state)
      /// Notices of the changes may come between.
      func answer(_ type: String, _ number: Int) throws -> [String: Any] {
        var answer = try port.ask(["type": type, "question": number])
        while answer["question"] as? Int != number { answer = try port.receive() }
        return answer
      }
      let both = try #require(try answer("lists", 3)["lists"] as? [[String: Any]])
      #expect(both.map { $0["identifier"] as? String } == ["com.example.many", "list:ads"])
      #expect(both[0]["digest"] != nil && both[1]["digest"] == nil)
      #expect((both[1]["fault"] as? String)?.contains(state.path) == true, "\(both)")
      let all = try answer("declarative", 4)
      #expect(all["missing"] as? [String] == ["list:ads"] && all["digest"] as? String == digest)
      #expect((all["fault"] as? String)?.contains(state.path) == true, "\(all)")
      // One that is damaged inside is told of as well, and by the next host.
      try Data(before.prefix(before.count / 2)).write(to: file)
      #expect(
        try answer("declarative", 5)["missing"] as? [String] == ["list:ads", "com.example.many"]
      )
      #expect(try port.close() == 0)
      let next = try HostPort(HostProgram(home: home))
      let again = try next.ask(["type": "declarative", "question": 1])
      #expect(again["missing"] as? [String] == ["list:ads", "com.example.many"], "\(again)")
      #expect(try next.close() == 0)
    }
  }

  @Test("The browser hears when what was damaged or away is as before")
  func mended() throws {
    try inHome { home in
      #expect(try command(home, "install", bundle(in: home, rules: 3)) == 0)
      #expect(try command(home, "on", "com.example.many") == 0)
      let inside = try FileManager.default.subpathsOfDirectory(atPath: home.path)
      let extensions = home.appending(
        path: try #require(inside.first { $0.hasSuffix("/Extensions") })
      )
      let information = home.appending(
        path: try #require(
          inside.first { $0.contains("/Extensions/") && $0.hasSuffix("/Info.plist") }
        )
      )
      let aside = home.appending(path: "aside")
      let port = try HostPort(HostProgram(home: home))
      var question = 0
      func fault() throws -> String? {
        question += 1
        let answer = try port.ask(["type": "lists", "question": question])
        return try #require((answer["lists"] as? [[String: Any]])?.first)["fault"] as? String
      }
      #expect(try fault() == nil)
      try FileManager.default.moveItem(at: extensions, to: aside)
      #expect(try port.receive()["type"] as? String == "changed")
      #expect(try fault()?.contains(extensions.path) == true)
      try FileManager.default.moveItem(at: aside, to: extensions)
      #expect(try port.receive()["type"] as? String == "changed")
      #expect(try fault() == nil)

      // Within a folder, of which no folder above has another date.
      let before = try Data(contentsOf: information)
      func overwrite(_ data: Data) throws {
        let file = try FileHandle(forWritingTo: information)
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: data)
        try file.close()
      }
      try overwrite(Data("{".utf8))
      #expect(try fault() != nil)
      try overwrite(before)
      #expect(try port.receive()["type"] as? String == "changed")
      #expect(try fault() == nil)
      #expect(try port.close() == 0)
    }
  }

  /// What a host of the home offers as the browser's rules, and the rules.
  private func translated(_ home: URL) throws -> (digest: String, bytes: Data) {
    let port = try HostPort(HostProgram(home: home))
    var offer = try port.ask(["type": "declarative", "question": 1])
    while offer["digest"] == nil {
      Thread.sleep(forTimeInterval: 0.1)
      offer = try port.ask(["type": "declarative", "question": 1])
    }
    let digest = try #require(offer["digest"] as? String)
    let size = try #require(offer["size"] as? Int)
    var bytes = Data()
    while bytes.count < size {
      let part = try port.ask([
        "type": "part", "question": 2, "digest": digest, "offset": bytes.count,
      ])
      bytes += try #require(
        (part["bytes"] as? String).flatMap { Data(base64Encoded: $0) },
        "\(part)"
      )
    }
    #expect(bytes.count == size)
    #expect(try port.close() == 0)
    return (digest, bytes)
  }

  @Test("The translated rules come over whole by the same question")
  func rules() throws {
    try inHome { home in
      #expect(try command(home, "install", bundle(in: home, rules: 6_000, start: "/path")) == 0)
      #expect(try command(home, "on", "com.example.many") == 0)
      let (_, bytes) = try translated(home)
      #expect(bytes.count > MessageLimits.part)
      let object = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
      #expect(try #require(object?["rules"] as? [Any]).count >= 6_000)
    }
  }

  @Test("Lists that take more rules than a browser has leave room for those of the user's settings")
  func room() throws {
    try inHome { home in
      // Each of them takes a regular expression, of which a browser has the fewest.
      let bundle = try bundle(in: home, rules: 2_100, start: "^https?://[a-z]+/path")
      #expect(try command(home, "install", bundle) == 0)
      #expect(try command(home, "on", "com.example.many") == 0)
      let (_, bytes) = try translated(home)
      let object = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
      let rules = try #require(object?["rules"] as? [[Any]])
      #expect(rules.count { $0[1] as? Int == 0 } == 950)
      #expect(rules.count { $0[1] as? Int == 1 } == 950)
    }
  }

  @Test("The next host has the translation from a file, unless the lists or the file have changed")
  func rulesOfLastTime() throws {
    try inHome { home in
      #expect(try command(home, "install", bundle(in: home, rules: 10)) == 0)
      #expect(try command(home, "on", "com.example.many") == 0)
      let first = try translated(home)
      let file = home.appending(path: "cache/chromium-rules/rules")
      let kept = try Data(contentsOf: file)
      func date() throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
      }
      let before = try date()
      #expect(try translated(home) == first)
      #expect(try date() == before)
      // One that was damaged is made again.
      var damaged = kept
      damaged[damaged.count - 2] ^= 1
      try damaged.write(to: file)
      #expect(try translated(home) == first)
      #expect(try Data(contentsOf: file) == kept)
      // A pipe in its place keeps no question waiting.
      try FileManager.default.removeItem(at: file)
      try #require(unsafe mkfifo(file.path, 0o600) == 0)
      #expect(try translated(home) == first)
      #expect(try Data(contentsOf: file) == kept)
      #expect(try command(home, "off", "com.example.many") == 0)
      #expect(try translated(home).digest != first.digest)
      #expect(try command(home, "on", "com.example.many") == 0)
      #expect(try translated(home).digest == first.digest)
    }
  }

  @Test("A list that cannot be read while it is translated is there at the next question")
  func unreadable() throws {
    try inHome { home in
      #expect(try command(home, "install", bundle(in: home, rules: 10)) == 0)
      #expect(try command(home, "on", "com.example.many") == 0)
      let whole = try translated(home)
      let rules = home.appending(path: "cache/chromium-rules/rules")
      try FileManager.default.removeItem(at: rules)
      let lists = home.appending(path: "data/Lists")
      let list = try #require(
        try FileManager.default.contentsOfDirectory(at: lists, includingPropertiesForKeys: nil)
          .first { $0.lastPathComponent.contains("com.example.many") }
      )
      // Not by its permissions, which do not bind root.
      let aside = home.appending(path: "aside")
      try FileManager.default.moveItem(at: list, to: aside)
      try #require(unsafe mkfifo(list.path, 0o600) == 0)
      let port = try HostPort(HostProgram(home: home))
      let without = try port.ask(["type": "declarative", "question": 1])
      #expect(without["digest"] as? String != whole.digest)
      #expect(without["missing"] as? [String] == ["com.example.many"])
      #expect(!FileManager.default.fileExists(atPath: rules.path))
      try FileManager.default.removeItem(at: list)
      try FileManager.default.moveItem(at: aside, to: list)
      var offer: [String: Any] = [:]
      // Notices of the change may come between.
      repeat {
        offer = try port.ask(["type": "declarative", "question": 2])
      } while offer["type"] as? String == "changed"
      #expect(offer["digest"] as? String == whole.digest)
      #expect(FileManager.default.fileExists(atPath: rules.path))
      #expect(try port.close() == 0)
    }
  }

  @Test("Questions that make no sense, and extensions of another version, are told so")
  func refused() throws {
    try inHome { home in
      let port = try HostPort(HostProgram(home: home))
      for version: Any in [1, "7", -1, 1.5, UInt64.max] {
        let old = try port.ask(["type": "lists", "question": 1, "formatVersion": version])
        #expect(old["code"] as? String == "format-version", "\(version)")
      }
      for type in ["hello", "later", String(repeating: "x", count: 10_000)] {
        let unknown = try port.ask(["type": type, "question": 2])
        #expect(unknown["code"] as? String == "unknown-type")
        #expect(unknown["question"] as? Int == 2)
        #expect(try #require(unknown["message"] as? String).utf8.count < 300)
      }
      for question: [String: Any] in [
        ["type": "part", "question": 2],
        ["type": "part", "question": 2, "digest": "", "offset": 0],
        ["type": "part", "question": 2, "digest": "../../etc/passwd", "offset": -1],
      ] {
        #expect(try port.ask(question)["code"] as? String == "unknown-part")
      }
      #expect(try port.close() == 0)
    }
  }
}
