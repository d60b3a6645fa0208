import BlockingWork
import Foundation
import HostTestSupport
import Testing

@testable import NativeMessaging

/// What extensions other than Tickbird's own may ask.
@Suite("The host, asked by another extension")
struct BrowserGateTests {
  private static let other = "ponmlkjihgfedcbaponmlkjihgfedcba"
  private static let otherFirefox = "other@example.org"
  private let web = "com.example.web"

  private func inHome(_ body: (HostProgram) throws -> Void) throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-gate-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try body(HostProgram(home: home))
  }

  private func installWeb(_ identifier: String, _ program: HostProgram) throws {
    let bundle = program.home.appending(path: "\(identifier).appex", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let information: [String: Any] = [
      "CFBundleIdentifier": identifier, "CFBundleVersion": "1",
      "CFBundleShortVersionString": "1.0", "CFBundleName": "Web", "CFBundleExecutable": "Web",
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.web-extension"],
    ]
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: bundle.appending(path: "Info.plist"))
    try FileManager.default.copyItem(
      at: URL(filePath: "/bin/true"),
      to: bundle.appending(path: "Web")
    )
    for arguments in [["install", bundle.path], ["on", identifier]] {
      #expect(try program.run(["extensions"] + arguments).status == 0)
    }
  }

  /// The answers to requests in JSON, each `TYPE` or `error CODE MESSAGE`.
  private func ask(
    _ requests: [String],
    as caller: [String] = ["chrome-extension://\(other)/"],
    _ program: HostProgram
  ) throws -> [String] {
    let input = try requests.reduce(into: Data()) { $0 += try MessageFrames.frame(Data($1.utf8)) }
    let outcome = try program.run(caller, input: input)
    #expect(outcome.status == 0, "\(outcome.errors)")
    var decoder = FrameDecoder()
    return try decoder.add(outcome.bytes).map { event in
      guard case .message(let data) = event,
        let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      else { return "" }
      let words = [answer["type"], answer["code"], answer["message"]].compactMap { $0 as? String }
      return words.joined(separator: " ")
    }
  }

  /// The active lists, as the own extension sees them.
  private func lists(_ program: HostProgram) throws -> Int {
    let port = try HostPort(program)
    defer { _ = try? port.close() }
    return (try port.ask(["type": "lists"])["lists"] as? [Any])?.count ?? -1
  }

  private static let rules = #"[{"trigger":{"url-filter":".*"},"action":{"type":"block"}}]"#
  /// Every kind of request, and some unknown ones.
  private static let requests =
    ["hello", "list", "index", "page", "counts", "settle", "check", "add", "update", "delete"].map {
      #"{"request":"\#($0)","url":"https://example.com/","text":"x","id":"1"}"#
    }
    + [
      "lists", "list", "part", "declarative", "declarativePart", "links", "linkIcons",
      "linkSources",
      "markLinks", "refreshLinks", "subscribe", "unsubscribe", "nextMessage", "part", "",
    ].map { #"{"type":"\#($0)","question":1,"address":"https://example.com/feed"}"# }
    + [
      #"{"type":"setContentBlocker","identifier":"com.victim.web","rules":\#(rules)}"#,
      #"{"type":"sendMessage","identifier":"com.victim.web","message":1}"#,
      "rubbish", "[]", "1", #"{"request":{"request":"list"}}"#, "{}",
    ]

  @Test(
    "An extension that a manifest lets in, and nothing more, gets no answer to anything",
    arguments: [
      ["chrome-extension://\(other)/"],
      ["/home/mia/.mozilla/native-messaging-hosts/tickbird.host.json", otherFirefox],
      // Ids of the own extension in the other family.
      ["/x/tickbird.host.json", "\(BrowserIdentity.chromiumID)@example.org"],
    ]
  )
  func nothing(caller: [String]) throws {
    try inHome { program in
      try installWeb("com.victim.web", program)
      #expect(try program.run("notes", "add", "https://example.com/", "secret").status == 0)
      let answers = try ask(Self.requests, as: caller, program)
      #expect(answers.count == Self.requests.count)
      for (request, answer) in zip(Self.requests, answers) {
        #expect(answer.hasPrefix("error refused "), "\(request): \(answer)")
        #expect(!answer.contains("secret"))
      }
      #expect(answers[0].contains("tickbird browser install --allow"))
      #expect(try lists(program) == 0)
      #expect(try program.run("notes", "list", "--format", "json").output.contains("secret"))
    }
  }

  @Test("What is granted by name is answered, and nothing beside it")
  func granted() throws {
    try inHome { program in
      try installWeb(web, program)
      try installWeb("com.victim.web", program)
      let grant = ["browser", "install", "chromium", "--allow", Self.other, "--for", web]
      #expect(try program.run(grant).status == 0)
      func set(_ rest: String) -> String { #"{"type":"setContentBlocker",\#(rest)}"# }
      let rules = #""rules":\#(Self.rules)"#
      let mine = #""identifier":"\#(web)""#
      let refused = [
        set(#""identifier":"com.victim.web",\#(rules)"#), set(rules),
        set(#""identifier":"com.example.web2",\#(rules)"#),
        set(#""identifier":"com.example.we",\#(rules)"#),
        set(#""identifier":"com.EXAMPLE.web",\#(rules)"#),
        set(#""identifier":["\#(web)"],\#(rules)"#),
        set(#""request":"list",\#(mine),\#(rules)"#),
        #"{"type":"links","question":1,\#(mine)}"#, #"{"request":"list",\#(mine)}"#,
        #"{"type":"list",\#(mine)}"#,
      ]
      for answer in try ask(refused, program) {
        #expect(answer.hasPrefix("error refused "), "\(answer)")
      }
      // Whichever value of a duplicate key is used, it is the granted extension's list or none.
      let twice = try ask(
        [
          set(#"\#(mine),"identifier":"com.victim.web",\#(rules)"#),
          set(#""identifier":"com.victim.web",\#(mine),\#(rules)"#),
          #"{"type":"setContentBlocker","type":"links",\#(mine),\#(rules)}"#,
          #"{"type":"links","type":"setContentBlocker",\#(mine),"rules":null}"#,
        ],
        program
      )
      #expect(!twice.contains { $0.hasPrefix("links") })
      func list(_ identifier: String) throws -> Bool {
        try program.run("extensions", "state", identifier).output.contains("active")
      }
      #expect(try !list("com.victim.web"))
      // Asynchronous answers need a port that stays open.
      let port = try HostPort(program, arguments: ["chrome-extension://\(Self.other)/"])
      #expect(try port.ask(["request": "hello"])["type"] as? String == "hello")
      let setting = try port.ask([
        "type": "setContentBlocker", "identifier": web, "rules": Self.rules,
      ])
      #expect(setting["type"] as? String == "setContentBlocker")
      #expect(try list(web))
      // The handler ends without an answer, which is the extension's own failure.
      let answer = try port.ask(["type": "sendMessage", "identifier": web, "message": 1])
      #expect(answer["code"] as? String == "reported", "\(answer)")
      let reported = answer["reported"] as? [String: Any]
      #expect(reported?["domain"] as? String == "SFErrorDomain")
      #expect(reported?["number"] as? Int == 3)
      #expect(try port.close() == 0)
      // Another extension gets nothing of it.
      let stranger = ["chrome-extension://" + String(repeating: "a", count: 32) + "/"]
      #expect(
        try ask([set("\(mine),\(rules)")], as: stranger, program).first?
          .hasPrefix("error refused ") == true
      )
    }
  }

  @Test("What is taken back ends at once, and status says who may ask for what")
  func revoked() throws {
    try inHome { program in
      try installWeb(web, program)
      let id = Self.otherFirefox
      // As an earlier version let it in: the manifest names it, and nothing is granted.
      let manifest = program.home.appending(
        path: ".mozilla/native-messaging-hosts/tickbird.host.json"
      )
      #expect(try program.run("browser", "install", "firefox").status == 0)
      let text = try String(contentsOf: manifest, encoding: .utf8)
      try Data(
        text.replacing(
          "\"\(BrowserIdentity.geckoID)\"",
          with: "\"\(BrowserIdentity.geckoID)\", \"\(id)\""
        ).utf8
      )
      .write(to: manifest)
      let before = try program.run("browser", "status").output
      #expect(before.contains("\(id) may start this program and ask for nothing"), "\(before)")
      let install = ["browser", "install", "firefox", "--allow", id]
      #expect(try program.run(install).errors.contains("--for"))
      #expect(
        try program.run(install + ["--for", "com.example.none"]).errors.contains("is installed")
      )
      #expect(try program.run(install + ["--for", web]).status == 0)
      #expect(
        try program.run("browser", "status").output
          .contains("\(id) may ask for the list and the handler of \(web)")
      )
      #expect(
        try program.run("browser", "status", "--format", "json").output
          .contains("the handler of \(web)")
      )
      let port = try HostPort(program, arguments: [manifest.path, id])
      #expect(try port.ask(["request": "hello"])["type"] as? String == "hello")
      let disallow = try program.run("browser", "disallow", id)
      #expect(disallow.status == 0, "\(disallow.errors)")
      #expect(try port.ask(["request": "hello"])["code"] as? String == "refused")
      #expect(try port.close() == 0)
      #expect(try !String(contentsOf: manifest, encoding: .utf8).contains(id))
      #expect(try program.run("browser", "status").output.contains("ready, \(manifest.path)"))
      #expect(try program.run("browser", "disallow", BrowserIdentity.geckoID).status != 0)
    }
  }

  @Test("Notes are asked for page by page, and by whom the user trusts with them")
  func pageNotes() throws {
    try inHome { program in
      #expect(
        try program.run(
          "browser",
          "install",
          "chromium",
          "--allow",
          Self.other,
          "--with-page-notes"
        ).status == 0
      )
      let answers = try ask(
        [
          #"{"request":"add","url":"https://example.com/","text":"x"}"#,
          #"{"request":"check","url":"https://example.com/"}"#,
          #"{"request":"list"}"#, #"{"request":"index"}"#,
          #"{"request":"page","url":"https://example.com/"}"#,
          #"{"request":"check","request":"list","url":"https://example.com/"}"#,
        ],
        program
      )
      #expect(answers.prefix(2) == ["reload", "message"])
      for answer in answers[2...4] { #expect(answer.hasPrefix("error refused "), "\(answer)") }
      #expect(answers.count == 6 && answers[5] != "notes")
    }
  }

  @Test("A grant of what nobody signed stays with its updates, and ends with its removal")
  func removed() throws {
    try inHome { program in
      try installWeb(web, program)
      let grant = ["browser", "install", "chromium", "--allow", Self.other, "--for", web]
      #expect(try program.run(grant).status == 0)
      func set() throws -> [String: Any] {
        let port = try HostPort(program, arguments: ["chrome-extension://\(Self.other)/"])
        defer { _ = try? port.close() }
        return try port.ask(["type": "setContentBlocker", "identifier": web, "rules": Self.rules])
      }
      #expect(try set()["type"] as? String == "setContentBlocker")
      let bundle = program.home.appending(path: "\(web).appex").path
      #expect(try program.run("extensions", "install", bundle).status == 0)
      #expect(try set()["type"] as? String == "setContentBlocker")
      #expect(try program.run("extensions", "remove", web).status == 0)
      for words in [["install", bundle], ["on", web]] {
        #expect(try program.run(["extensions"] + words).status == 0)
      }
      let refused = try set()
      #expect(refused["code"] as? String == "refused")
      #expect((refused["message"] as? String)?.contains("removed and installed again") == true)
      #expect(try program.run(grant).status == 0)
      #expect(try set()["type"] as? String == "setContentBlocker")
    }
  }

  @Test("A grant is for the developer's extension that was meant, and lapses with another one's")
  func otherDeveloper() throws {
    try inHome { program in
      try installWeb(web, program)
      #expect(
        try program.run("browser", "install", "chromium", "--allow", Self.other, "--for", web)
          .status == 0
      )
      let record = program.home.appending(path: "data/Extensions/\(web)/Versions.json")
      var values =
        try JSONSerialization.jsonObject(with: Data(contentsOf: record)) as? [String: Any] ?? [:]
      let key = Array(repeating: "abcd", count: 16).joined(separator: "-")
      values["signer"] = ["fingerprint": key, "replaced": [String]()]
      try JSONSerialization.data(withJSONObject: values).write(to: record)
      let request =
        #"{"type":"setContentBlocker","identifier":"\#(web)","rules":\#(Self.rules)}"#
      let answer = try ask([request], program)
      #expect(answer.first?.contains("another developer's") == true, "\(answer)")
      // With unreadable grants nothing is granted.
      try Data("{".utf8).write(to: program.home.appending(path: "data/browser/grants.json"))
      #expect(
        try ask([#"{"request":"hello"}"#], program).first?.contains("grants.json") == true
      )
    }
  }

  @Test("Changes of several processes to the grants are all kept")
  func changes() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-grants-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "browser/grants.json")
    let grants = CallerGrants(file: file)
    let ids = (0..<24).map { "other-\($0)@example.org" }
    for id in ids[..<12] { try grants.change(id, .firefox) { $0.pageNotes = true } }
    // Half are granted while the other half are revoked.
    await withTaskGroup(of: Void.self) { group in
      for (index, id) in ids.enumerated() {
        group.addTask {
          await blocking { try? grants.change(id, .firefox) { $0.pageNotes = index >= 12 } }
        }
      }
    }
    #expect(try grants.all().keys.sorted() == ids[12...].sorted())
    let names = try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path
    )
    #expect(names.sorted() == ["grants.json", "grants.json.lock"])
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // In a repository of the user's settings.
    let kept = folder.appending(path: "kept.json")
    try FileManager.default.moveItem(at: file, to: kept)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: kept)
    try grants.change("linked@example.org", .firefox) { $0.pageNotes = true }
    #expect(try grants.all().count == 13)
    #expect(try String(contentsOf: kept, encoding: .utf8).contains("linked@example.org"))
  }

  @Test(
    "Who is no extension of a browser is turned away",
    arguments: [
      ["chrome-extension://\(other)/../\(BrowserIdentity.chromiumID)/"],
      ["chrome-extension://\(other.uppercased())/"], ["chrome-extension:///"],
      ["http://\(BrowserIdentity.chromiumID)/"], ["/x.json", "no id"],
      ["chrome-extension://\(BrowserIdentity.chromiumID)\u{200B}/"],
    ]
  )
  func forged(caller: [String]) throws {
    try inHome { program in
      let input = try MessageFrames.frame(Data(#"{"request":"list"}"#.utf8))
      let outcome = try program.run(["browser", "host"] + caller, input: input)
      #expect(outcome.status != 0)
      #expect(outcome.bytes.isEmpty)
      #expect(outcome.errors.contains("tickbird browser install"))
    }
  }
}
