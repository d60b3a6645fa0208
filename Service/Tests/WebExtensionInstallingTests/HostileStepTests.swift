import Foundation
import HostTestSupport
import Testing

/// What somebody does between the steps of adding, using and removing an extension.
@Suite("Web extensions in browsers, and others who interfere")
struct HostileStepTests {
  private static let web = "com.example.Web-Notes"
  private static let half = "data/browser/web/com.example.Web-Notes"

  private func inHome(_ body: (WebHome) throws -> Void) throws {
    let home = try WebHome()
    defer { home.remove() }
    try body(home)
  }

  @Test("what another program changes in a folder is told, until it is made anew")
  func changes() throws {
    try inHome { home in
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

  @Test("questions that wait are bounded, and those that do not are answered")
  func flood() throws {
    try inHome { home in
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
    try inHome { home in
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
      #expect(outcome.status == 1, "\(outcome.output)")
      #expect(outcome.errors.contains("is a link"), "\(outcome.errors)")
      _ = try home.program.run("browser", "remove", Self.web)
      #expect(try home.files("victim") == ["manifest.json"])
      #expect(try home.data("victim/manifest.json") == Data("precious".utf8))
    }
  }

  @Test("two users' additions of one extension know nothing of each other")
  func users() throws {
    try inHome { first in
      try inHome { second in
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
