import BlockingWork
import ExtensionMessages
import Foundation
import ServiceFolders
import Testing

@testable import ExtensionHost

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A host that listens, in this process.
private struct TestServer {
  let test: TestHost
  let server: HostServer
  let path: String
  private let running: Task<Void, Never>

  init(_ change: (inout HostConfiguration) -> Void = { _ in }) async throws {
    test = try await TestHost(change)
    let socket = test.folder.url.appending(path: "run/host.sock")
    path = socket.path
    let server = try HostServer(test.host, socket: socket)
    self.server = server
    running = Task { await server.run() }
  }

  func stop() async {
    server.stop()
    await running.value
  }

  /// A bare connection.
  func connect() throws -> Descriptor { Descriptor(try HostSocket.connect(to: path)) }
}

extension Descriptor {
  fileprivate func send(_ bytes: [UInt8]) {
    var bytes = bytes
    unsafe Glibc.send(number, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Waits for the other side to close.
  fileprivate func isClosedByOtherSide() async throws -> Bool { try await receive().isEmpty }

  /// Waits for bytes, on a thread that no other test needs.
  fileprivate func receive() async throws -> Data {
    try await blocking { try self.read(1 << 16, path: "the socket") }
  }
}

@Suite("The socket")
struct SocketTests {
  private let blocker = "com.example.blocker"

  private func call(_ function: HostCall.Function) throws -> [UInt8] {
    let call = HostCall(id: 7, function: function, arguments: [:])
    return ExtensionFrames.frame(try MessageFromExtension.call(call).value.encoded())
  }

  @Test("Functions are called over the socket, side by side")
  func calls() async throws {
    let server = try await TestServer()
    let client = try HostClient(socket: server.path)
    #expect(try await client.call(.listExtensions) == .array([]))
    let bundle = try await SampleExtensions.make(.list(rules("a")), in: server.test.folder.url)
    let summary = try await client.call(.installExtension, ["path": .string(bundle.path)])
    #expect(summary["identifier"] == .string(blocker))
    #expect(summary["isOn"] == .bool(false))
    let identifier: [String: MessageValue] = ["identifier": .string(blocker)]
    #expect(try await client.call(.turnOnExtension, identifier) == .null)
    #expect(try await client.call(.stateOfContentBlocker, identifier) == .bool(true))
    let error = try await #require(throws: ErrorReport.self) {
      try await client.call(.stateOfExtension, ["identifier": .string("com.example.none")])
    }
    #expect(error.domain == "SFErrorDomain" && error.code == 1)
    await server.stop()
    #expect(!FileManager.default.fileExists(atPath: server.path))
  }

  @Test(
    "Calls that make no sense are refused by name",
    arguments: [
      (HostCall.Function(name: "format"), "no function format"),
      (.turnOnExtension, "needs the string \"identifier\""),
      (.installExtension, "needs the string \"path\""),
    ]
  )
  func badCalls(function: HostCall.Function, words: String) async throws {
    let server = try await TestServer()
    let client = try HostClient(socket: server.path)
    let arguments: [String: MessageValue] =
      words.contains("no function")
      ? ["identifier": .string("a")] : ["other": .integer(1)]
    let error = try await #require(throws: ErrorReport.self) {
      try await client.call(function, arguments)
    }
    #expect(error.domain == HostError.domain)
    #expect(error.description.contains(words), "\(error.description)")
    await server.stop()
  }

  /// Bytes that a client should not send.
  static let badBytes: [[UInt8]] = [
    [0xFF, 0xFF, 0xFF, 0xFF], [4, 0, 0, 0, 9, 9, 9, 9], [0, 0, 0, 0], [1, 0, 0, 0, 1],
    [2, 0, 0, 0, 1, 0], Array("GET / HTTP/1.1\r\n\r\n".utf8),
    ExtensionFrames.frame(
      (try? MessageFromExtension.answer(ExtensionAnswer(items: nil)).value.encoded()) ?? []
    ),
  ]

  @Test("A client that sends rubbish is cut off, and others are served", arguments: badBytes)
  func rubbish(bytes: [UInt8]) async throws {
    let server = try await TestServer()
    let half = try server.connect()
    half.send([100, 0, 0, 0, 1, 2, 3])
    let bad = try server.connect()
    bad.send(bytes)
    #expect(try await bad.isClosedByOtherSide())
    let good = try HostClient(socket: server.path)
    #expect(try await good.call(.listExtensions) == .array([]))
    await server.stop()
  }

  @Test("A frame may come byte by byte, and several at once")
  func pieces() async throws {
    let server = try await TestServer()
    let socket = try server.connect()
    let frame = try call(.listExtensions)
    for byte in frame { socket.send([byte]) }
    socket.send(frame + frame)
    var frames = ExtensionFrames()
    var count = 0
    while count < 3 {
      frames.append(try await socket.receive())
      while let body = try frames.next() {
        let message = try MessageToExtension(MessageValue(encoded: body))
        #expect(message == .reply(HostReply(id: 7, result: .success(.array([])))))
        count += 1
      }
    }
    await server.stop()
  }

  @Test("There is room for so many clients, and for others when they go")
  func clients() async throws {
    let server = try await TestServer { $0.clients = 3 }
    var kept: [HostClient] = []
    for _ in 0..<3 {
      let client = try HostClient(socket: server.path)
      _ = try await client.call(.listExtensions)
      kept.append(client)
    }
    let error = try await #require(throws: ErrorReport.self) {
      try await HostClient(socket: server.path).call(.listExtensions)
    }
    #expect(error.code == 4097)
    kept.removeAll()
    while (try? await HostClient(socket: server.path).call(.listExtensions)) == nil {
      try await Task.sleep(for: .milliseconds(10))
    }
    await server.stop()
  }

  @Test("A call that waits ends when the host does")
  func hostEnds() async throws {
    let server = try await TestServer()
    try await server.test.install(.handler("SilentHandler").asWebExtension)
    let client = try HostClient(socket: server.path)
    let call = Task {
      try await client.call(.sendMessage, ["identifier": .string("com.example.web")])
    }
    while await server.test.host.runningExtensions.isEmpty {
      try await Task.sleep(for: .milliseconds(5))
    }
    await server.stop()
    let error = try await #require(throws: ErrorReport.self) { try await call.value }
    #expect(error.domain == "NSCocoaErrorDomain" && error.code == 4097)
    await server.test.host.stop()
    await server.test.host.waitForProcesses()
  }

  @Test("A socket that was left is replaced; the folder is the user's alone")
  func staleSocket() async throws {
    let folder = try TemporaryFolder()
    let socket = folder.url.appending(path: "run/host.sock")
    try FileManager.default.createDirectory(
      at: socket.deletingLastPathComponent(),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o777]
    )
    _ = Descriptor(try HostSocket.listen(at: socket.path))
    #expect(FileManager.default.fileExists(atPath: socket.path))
    #expect(throws: ErrorReport.self) { try HostClient(socket: socket.path) }
    let test = try await TestHost(folder: folder)
    let server = try HostServer(test.host, socket: socket)
    let running = Task { await server.run() }
    _ = try await HostClient(socket: socket.path).call(.listExtensions)
    let mode = try FileManager.default.attributesOfItem(
      atPath: socket.deletingLastPathComponent().path
    )[.posixPermissions]
    #expect(mode as? Int == 0o700)
    server.stop()
    await running.value
  }

  @Test("A path that is too long for an address is reached all the same")
  func longPath() async throws {
    let folder = try TemporaryFolder()
    let long = folder.url.appending(path: String(repeating: "long/", count: 40))
    let test = try await TestHost(folder: folder)
    let server = try HostServer(test.host, socket: long.appending(path: "host.sock"))
    let running = Task { await server.run() }
    let client = try HostClient(socket: long.appending(path: "host.sock").path)
    #expect(try await client.call(.listExtensions) == .array([]))
    server.stop()
    await running.value
  }

  @Test(
    "Apps find the socket where the service has it",
    arguments: [
      [:], ["TICKBIRD_HOME": "/h"], ["XDG_RUNTIME_DIR": "/run/user/1"], ["XDG_DATA_HOME": "/d"],
      ["XDG_RUNTIME_DIR": "relative", "XDG_DATA_HOME": "/d/"], ["TICKBIRD_HOME": "relative"],
      ["HOME": "/home/ida"], ["HOME": "/home/ida", "XDG_DATA_HOME": "/d"],
    ]
  )
  func path(environment: [String: String]) {
    let home = URL(filePath: "/home/mia", directoryHint: .isDirectory)
    let folders = ServiceFolders(environment: environment, home: home)
    #expect(
      HostSocket.path(environment: environment, home: "/home/mia") == folders.hostSocket.path
    )
  }
}
