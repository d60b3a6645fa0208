import ExtensionMessages
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A bundle in a folder of its own, and the host's side of running it.
final class ExtensionRun {
  let folder: URL
  private let bundle: URL
  private let executable: URL
  var groupContainers: [String: String] = [:]
  var environment: [String: String]
  var limits = ExtensionMessageLimits()

  struct Result {
    var messages: [MessageFromExtension] = []
    var output = ""
    var errors = ""
    var status: Int32 = 0

    var answer: ExtensionAnswer? {
      guard case .answer(let answer) = messages.last else { return nil }
      return answer
    }
  }

  struct Failure: Error {
    let text: String
  }

  init(_ target: String, principal: String = "", resources: [String: Data] = [:]) throws {
    // The samples are built into the same folder as the tests.
    let build = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    folder = build.appendingPathComponent("extension-tests/\(UUID().uuidString)")
    bundle = folder.appendingPathComponent("\(target).appex")
    executable = bundle.appendingPathComponent(target)
    for name in ["home/.config", "home/.cache", "tmp", "group", "\(target).appex"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name),
        withIntermediateDirectories: true
      )
    }
    // A hard link, because a file that was just written cannot be executed while another test's
    // child process still has it open for writing.
    try FileManager.default.linkItem(at: build.appendingPathComponent(target), to: executable)
    let information: [String: Any] = [
      "CFBundleIdentifier": "com.example.\(target)", "CFBundleExecutable": target,
      "CFBundlePackageType": "XPC!", "NSExtension": ["NSExtensionPrincipalClass": principal],
    ]
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: bundle.appendingPathComponent("Info.plist"))
    for (name, data) in resources { try data.write(to: bundle.appendingPathComponent(name)) }
    let home = folder.appendingPathComponent("home").path
    environment = [
      "HOME": home, "CFFIXED_USER_HOME": home, "XDG_CONFIG_HOME": home + "/.config",
      "XDG_CACHE_HOME": home + "/.cache", "TMPDIR": folder.appendingPathComponent("tmp").path,
      "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
    ]
    for name in ["LD_LIBRARY_PATH"] {
      environment[name] = ProcessInfo.processInfo.environment[name]
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Gives the extension a group with a folder.
  func joinGroup(_ identifier: String) -> URL {
    let url = folder.appendingPathComponent("group")
    groupContainers[identifier] = url.path
    return url
  }

  /// Sends a request and collects messages until the process ends.
  func run(
    _ item: ExtensionItem = ExtensionItem(),
    reply: (HostCall) -> Swift.Result<MessageValue, ErrorReport> = { _ in .success(.null) },
    closeAfter milliseconds: Int32? = nil
  ) throws -> Result {
    let request = ExtensionRequest(item: item, groupContainers: groupContainers)
    let body = try MessageToExtension.request(request).value.encoded()
    return try run(bytes: ExtensionFrames.frame(body), reply: reply, closeAfter: milliseconds)
  }

  /// Sends bytes and collects messages until the process ends.
  func run(
    bytes: [UInt8],
    reply: (HostCall) -> Swift.Result<MessageValue, ErrorReport> = { _ in .success(.null) },
    closeAfter milliseconds: Int32? = nil
  ) throws -> Result {
    var ends: [Int32] = [0, 0]
    guard
      unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else {
      throw Failure(text: "no sockets")
    }
    let (host, theirs) = (ends[0], ends[1])
    let child = try spawn(channel: theirs)
    close(theirs)
    var isClosed = false
    defer { if !isClosed { close(host) } }

    try write(bytes, to: host)
    var result = Result()
    var frames = ExtensionFrames(limits: limits)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    reading: while true {
      // Long for a busy machine; a handler that answers never waits for it.
      let wait = milliseconds ?? 60_000
      var poll = pollfd(fd: host, events: Int16(POLLIN), revents: 0)
      guard unsafe Glibc.poll(&poll, 1, wait) > 0 else {
        if milliseconds == nil { kill(child, SIGKILL) }
        close(host)
        isClosed = true
        break
      }
      let count = unsafe read(host, &buffer, buffer.count)
      guard count > 0 else { break }
      frames.append(buffer[..<count])
      while let body = try frames.next() {
        let message = try MessageFromExtension(MessageValue(encoded: body))
        result.messages.append(message)
        if case .call(let call) = message {
          let back = MessageToExtension.reply(HostReply(id: call.id, result: reply(call)))
          try write(ExtensionFrames.frame(try back.value.encoded()), to: host)
        }
      }
    }
    var status: Int32 = 0
    unsafe waitpid(child, &status, 0)
    // The low seven bits are the signal, the next eight the status.
    result.status = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    result.output = try text("stdout")
    result.errors = try text("stderr")
    return result
  }

  /// Starts the process by hand, with the request on standard input.
  func runByHand(_ bytes: [UInt8]) throws -> Data {
    let process = Process()
    process.executableURL = executable
    process.environment = environment
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(bytes))
    try input.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return data
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    var start = 0
    while start < bytes.count {
      let rest = Array(bytes[start...])
      let count = unsafe send(descriptor, rest, rest.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return }
      start += count
    }
  }

  private func spawn(channel: Int32) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (descriptor, name) in [(Int32(1), "stdout"), (2, "stderr")] {
      let path = folder.appendingPathComponent(name).path
      unsafe posix_spawn_file_actions_addopen(
        &actions,
        descriptor,
        path,
        O_WRONLY | O_CREAT | O_TRUNC | O_APPEND,
        0o600
      )
    }
    // Duplicating a descriptor onto itself would leave close-on-exec as it is.
    let number: Int32 = channel == 3 ? 4 : 3
    unsafe posix_spawn_file_actions_adddup2(&actions, channel, number)
    unsafe posix_spawn_file_actions_addclose(&actions, channel)
    environment["TICKBIRD_EXTENSION_CHANNEL"] = "\(number)"
    var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe variables.forEach { unsafe free($0) } }
    var arguments = unsafe [strdup(executable.path), nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let failure = unsafe posix_spawn(
      &child,
      executable.path,
      &actions,
      nil,
      &arguments,
      &variables
    )
    guard failure == 0 else { throw Failure(text: "cannot start: \(failure)") }
    return child
  }
}
