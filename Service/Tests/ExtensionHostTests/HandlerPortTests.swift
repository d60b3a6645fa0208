import ExtensionMessages
import Foundation
import HostTestSupport
import NativeMessaging
import Testing

@testable import ExtensionHost

/// The program as browsers start it, with the handler of a Safari app extension behind it.
@Suite("Ports of browsers to handlers", .enabled(if: TestHost.hasSandbox))
struct HandlerPortTests {
  private static let identifier = "com.example.app-extension"
  private static let chromiumID = "abcdefghijklmnopabcdefghijklmnop"

  private func inHome(_ body: (HostProgram) throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let program = HostProgram(home: folder.url)
    try await install(program)
    let registration = WebExtensionRegistration(
      identifier: Self.identifier,
      signer: nil,
      installation: try installation(program),
      chromiumID: Self.chromiumID
    )
    try WebExtensionRegistrations(data: folder.url.appending(path: "data")).write(registration)
    try body(program)
    withExtendedLifetime(folder) {}
  }

  private func install(_ program: HostProgram, version: String = "1.0") async throws {
    let description = SampleExtensions.Description.appExtension().with { $0.version = version }
    let bundle = try await SampleExtensions.make(description, in: program.home)
    for arguments in [["install", bundle.path], ["on", Self.identifier]] {
      let outcome = try await program.run(["extensions"] + arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  private func installation(_ program: HostProgram) throws -> String? {
    let store = try BundleStore(directory: program.home.appending(path: "data/Extensions"))
    return try store.bundle(Self.identifier)?.installation
  }

  private func open(_ program: HostProgram) throws -> HostPort {
    try HostPort(program, arguments: ["chrome-extension://\(Self.chromiumID)/"])
  }

  private func message(_ name: String, _ userInfo: [String: Any] = [:]) -> [String: Any] {
    [
      "type": "event", "event": "messageReceived", "page": "11:t", "name": name,
      "userInfo": userInfo,
    ]
  }

  @Test("Without a service the port's own process is the host, and commands reach it")
  func alone() async throws {
    try await inHome { program in
      let port = try open(program)
      let echoed = try port.ask(message("echo", ["text": "x"]))
      #expect(echoed["call"] as? String == "dispatchMessage")
      #expect(echoed["name"] as? String == "echoed" && echoed["page"] as? String == "11:t")
      #expect(echoed["userInfo"] as? [String: String] == ["text": "x"])
      // A call of the handler, and its result.
      let call = try port.ask(message("properties"))
      #expect(call["call"] as? String == "properties")
      let answer = try port.ask([
        "type": "event", "event": "result", "id": call["id"] ?? 0,
        "result": ["url": "https://a.example/", "title": "A"],
      ])
      #expect((answer["userInfo"] as? [String: Any])?["title"] as? String == "A")
      // The command does not wait for the port's end.
      #expect(try program.run("extensions", "off", Self.identifier).status == 0)
      let refused = try port.ask(message("echo"))
      #expect(refused["type"] as? String == "error")
      #expect((refused["message"] as? String)?.contains("is off") == true)
      #expect(try program.run("extensions", "on", Self.identifier).status == 0)
      #expect(try port.ask(message("echo"))["name"] as? String == "echoed")
      #expect(try port.close() == 0)
      let log = try program.run("extensions", "log", Self.identifier).output
      #expect(log.contains("the extension is being turned off"))
    }
  }

  @Test("A second browser uses the first one's host, and goes on when that one leaves")
  func two() async throws {
    try await inHome { program in
      let first = try open(program)
      _ = try first.ask(message("echo"))
      let second = try open(program)
      let one = try second.ask(message("count"))
      #expect(one["name"] as? String == "count")
      #expect(try first.close() == 0)
      let other = try second.ask(message("count"))
      #expect(other["name"] as? String == "count")
      #expect(try second.close() == 0)
    }
  }

  @Test("A service that starts takes over from the port's process")
  func service() async throws {
    try await inHome { program in
      let port = try open(program)
      _ = try port.ask(message("echo"))
      let service = try program.process(["run"])
      service.standardError = FileHandle.nullDevice
      try service.run()
      defer {
        service.terminate()
        service.waitUntilExit()
      }
      let record = program.home.appending(path: "data/host.lock")
      let end = Date(timeIntervalSinceNow: 60)
      while Date() < end, service.isRunning,
        try !String(contentsOf: record, encoding: .utf8).contains("a service")
      {
        Thread.sleep(forTimeInterval: 0.05)
      }
      #expect(service.isRunning)
      #expect(try port.ask(message("echo"))["name"] as? String == "echoed")
      #expect(try port.close() == 0)
      #expect(service.isRunning)
    }
  }

  @Test("What is too long for a browser comes in parts, which no other port gets")
  func long() async throws {
    try await inHome { program in
      let port = try open(program)
      let offer = try port.ask(message("large"))
      #expect(offer["type"] as? String == "long")
      let digest = try #require(offer["digest"] as? String)
      let size = try #require(offer["size"] as? Int)
      var bytes = Data()
      while bytes.count < size {
        let part = try port.ask(["type": "part", "digest": digest, "offset": bytes.count])
        let text = try #require(part["bytes"] as? String, "\(part)")
        bytes += try #require(Data(base64Encoded: text))
      }
      let whole = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      let userInfo = try #require(whole["userInfo"] as? [String: String])
      #expect(userInfo["text"]?.count == 3_000_000)
      let other = try open(program)
      let refused = try other.ask(["type": "part", "digest": digest, "offset": 0])
      #expect(refused["code"] as? String == "unknown-part")
      #expect(try other.close() == 0)
      #expect(try port.close() == 0)
    }
  }

  @Test("A port reaches its own handler alone, and only while it is registered")
  func walls() async throws {
    try await inHome { program in
      let port = try open(program)
      var event = message("echo", ["text": "x"])
      event["identifier"] = "com.example.other"
      event["owner"] = ["signer": "x"]
      #expect(try port.ask(event)["name"] as? String == "echoed")
      for refused in [
        ["request": "check", "url": "https://a.example/"], ["type": "lists"],
        ["type": "sendEvent", "session": "x", "event": "y"],
      ] {
        #expect(try port.ask(refused)["code"] as? String == "refused", "\(refused)")
      }
      let registrations = WebExtensionRegistrations(data: program.home.appending(path: "data"))
      try registrations.remove(Self.identifier)
      #expect(try port.ask(event)["code"] as? String == "refused")
      #expect(try port.close() == 0)
    }
  }
}
