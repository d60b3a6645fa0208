import Foundation
import HostTestSupport
import Testing

/// What somebody does between the steps of adding, using and removing an extension.
@Suite("Web extensions in browsers, and others who interfere")
struct HostileStepTests {
  private static let web = "com.example.Web-Notes"
  private static let half = "data/browser/web/com.example.Web-Notes"

  @Test("what another program changes in a folder is told, until it is made anew")
  func changes() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      func isTold() throws -> Bool {
        try home.program.run("browser").output.contains("was changed by another program")
      }
      let script = "\(Self.half)/chromium/background.js"
      let steps: [() throws -> Void] = [
        { try home.write(Data("steal()".utf8), to: script) },
        { try home.write(Data("steal()".utf8), to: "\(Self.half)/chromium/more/steal.js") },
        { try FileManager.default.removeItem(at: home.url.appending(path: script)) },
        {
          let file = home.url.appending(path: script)
          try FileManager.default.removeItem(at: file)
          try FileManager.default.createSymbolicLink(
            atPath: file.path,
            withDestinationPath: "/etc/hostname"
          )
        },
        {
          try FileManager.default.removeItem(at: home.url.appending(path: "\(Self.half)/firefox"))
        },
      ]
      for step in steps {
        try home.add(Self.web)
        #expect(try !isTold())
        try step()
        #expect(try isTold())
      }
      try home.add(Self.web)
      // Chromium's own.
      try home.write(Data("x".utf8), to: "\(Self.half)/chromium/_metadata/generated/rules")
      #expect(try !isTold())
    }
  }

  private static let chromium =
    ".config/chromium/NativeMessagingHosts/tickbird.web.com.example.web_notes.json"

  @Test(
    "another program's manifest stays when an extension is taken away",
    arguments: [["browser", "remove"], ["extensions", "remove"]]
  )
  func foreign(_ command: [String]) throws {
    try WebHome.use { home in
      try home.install(Self.web)
      try home.add(Self.web)
      let other = Data(
        #"""
        {"allowed_origins": [], "description": "another program", "path": "/usr/bin/other-host",
         "name": "tickbird.web.com.example.web_notes", "type": "stdio"}
        """#.utf8
      )
      try home.write(other, to: Self.chromium)
      let outcome = try home.program.run(command + [Self.web], input: Data())
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try home.data(Self.chromium) == other)
      #expect(!outcome.output.contains("removed \(home.url.appending(path: Self.chromium).path)"))
      if command[0] == "browser" {
        #expect(outcome.output.contains("it starts another program, /usr/bin/other-host"))
      }
    }
  }

  @Test("removing says of each manifest what became of it")
  func outcomes() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      try home.add(Self.web)
      let firefox = home.url.appending(
        path: ".mozilla/native-messaging-hosts/tickbird.web.com.example.web_notes.json"
      )
      try FileManager.default.removeItem(at: firefox)
      var manifest = try home.json(Self.chromium)
      let origins = try #require(manifest["allowed_origins"] as? [String])
      manifest["allowed_origins"] = origins + ["chrome-extension://other/"]
      try home.write(JSONSerialization.data(withJSONObject: manifest), to: Self.chromium)
      let output = try home.program.run("browser", "remove", Self.web).output
      #expect(output.contains("\(firefox.path) is not there"), "\(output)")
      #expect(output.contains("stays, for chrome-extension://other/"), "\(output)")
      let left = try home.json(Self.chromium)["allowed_origins"] as? [String]
      #expect(left == ["chrome-extension://other/"])
    }
  }

  @Test("an update without a half for browsers takes the extension out of them, and says so")
  func otherKind() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      try home.add(Self.web)
      let blocker = try home.bundle(
        Self.web,
        version: "2.0",
        point: "com.apple.Safari.content-blocker"
      )
      let outcome = try home.program.run("extensions", "install", blocker.path)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("taken out of browsers"), "\(outcome.errors)")
      #expect(try home.files("data/browser").filter { $0.hasPrefix("web/") } == [])
      #expect(throws: (any Error).self) { try home.data(Self.chromium) }
      let status = try home.program.run("browser", "status").output
      #expect(!status.contains(Self.web))
    }
  }

  @Test("an update that cannot be made ready is told where it is installed, and later")
  func lateFailure() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      try home.add(Self.web)
      try home.write(Data("{}".utf8), to: Self.chromium)
      let bundle = try home.bundle(Self.web, version: "2.0")
      let outcome = try home.program.run("extensions", "install", bundle.path)
      #expect(outcome.output.contains("its half for browsers is still that of before"))
      func status() throws -> String { try home.program.run("browser", "status").output }
      #expect(try status().contains("its half for browsers is still that of before"))
      try FileManager.default.removeItem(at: home.url.appending(path: Self.chromium))
      try home.add(Self.web)
      #expect(try !status().contains("its half for browsers"))
    }
  }

  @Test("questions that wait are bounded, and those that do not are answered")
  func flood() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      try home.add(Self.web)
      let caller = ["chrome-extension://\(try home.chromiumID(Self.web))/"]
      let port = try HostPort(home.program, arguments: caller)
      for number in 1...1000 { try port.send(["type": "nextMessage", "question": number]) }
      let answer = try port.ask(["type": "nextMessage", "question": 1001])
      #expect(answer["code"] as? String == "over-limit", "\(answer)")
      #expect(answer["question"] as? Int == 1001)
      #expect(try port.ask(["type": "links"])["code"] as? String == "refused")
      #expect(try port.close() == 0)
    }
  }

  @Test("links in the place of folders lead nowhere")
  func links() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      try home.add(Self.web)
      let manager = FileManager.default
      let victim = home.url.appending(path: "victim", directoryHint: .isDirectory)
      try home.write(Data("precious".utf8), to: "victim/manifest.json")
      for name in ["chromium", "firefox", "packages"] {
        let folder = home.url.appending(path: "\(Self.half)/\(name)")
        try manager.removeItem(at: folder)
        try manager.createSymbolicLink(at: folder, withDestinationURL: victim)
      }
      try home.add(Self.web)
      #expect(try home.files("victim") == ["manifest.json"])
      #expect(try home.data("victim/manifest.json") == Data("precious".utf8))
      for name in ["chromium", "firefox", "packages"] {
        let path = home.url.appending(path: "\(Self.half)/\(name)").path
        let type = try manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        #expect(type == .typeDirectory, "\(name)")
      }
      // The whole folder: what is behind the link stays, whatever becomes of the rest.
      let whole = home.url.appending(path: Self.half)
      try manager.moveItem(at: whole, to: home.url.appending(path: "aside"))
      try manager.createSymbolicLink(at: whole, withDestinationURL: victim)
      let outcome = try home.program.run("browser", "add", Self.web, "chromium")
      #expect(outcome.status == 2, "\(outcome.output)")
      #expect(outcome.errors.contains("is a link"), "\(outcome.errors)")
      _ = try home.program.run("browser", "remove", Self.web)
      #expect(try home.files("victim") == ["manifest.json"])
      #expect(try home.data("victim/manifest.json") == Data("precious".utf8))
    }
  }

  @Test("two users' additions of one extension know nothing of each other")
  func users() throws {
    try WebHome.use { first in
      try WebHome.use { second in
        for home in [first, second] {
          try home.install(Self.web)
          try home.add(Self.web)
        }
        let ids = [try first.chromiumID(Self.web), try second.chromiumID(Self.web)]
        #expect(ids[0] != ids[1])
        let port = try HostPort(second.program, arguments: ["chrome-extension://\(ids[0])/"])
        let answer = try port.ask(["type": "sendMessage", "message": 1])
        #expect(answer["code"] as? String == "refused", "\(answer)")
        #expect(try port.close() == 0)
        #expect(try first.starts(Self.web) == 0)
        #expect(try second.starts(Self.web) == 0)
        // Nobody else reads the key that makes the ids.
        let key = first.url.appending(path: "\(Self.half)/key.pem").path
        let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
      }
    }
  }

  @Test("a port that waits hears nothing after the extension was taken out of browsers")
  func waiting() async throws {
    let home = try WebHome()
    defer { home.remove() }
    try home.install(Self.web)
    try home.add(Self.web)
    let caller = ["chrome-extension://\(try home.chromiumID(Self.web))/"]
    let port = try HostPort(home.program, arguments: caller)
    try port.send(["type": "nextMessage", "question": 1])
    #expect(try await home.program.run("browser", "remove", Self.web).status == 0)
    let service = try home.program.process(["run"])
    try service.run()
    defer {
      service.terminate()
      service.waitUntilExit()
    }
    try await home.dispatch("late", to: Self.web)
    let answer = try port.receive()
    #expect(answer["code"] as? String == "refused", "\(answer)")
    #expect(answer["question"] as? Int == 1)
    #expect(try port.close() == 0)
  }
}
