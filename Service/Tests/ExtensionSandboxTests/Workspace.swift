import ExtensionSandbox
import Foundation
import Glibc

/// A bundle with the probe, its container and group, and a folder that it must not reach.
final class Workspace: Sendable {
  let root: URL
  var bundle: URL { root.appending(path: "Probe.appex") }
  var container: URL { root.appending(path: "container") }
  var group: URL { root.appending(path: "group") }
  var outside: URL { root.appending(path: "outside") }
  var program: URL { bundle.appending(path: "Probe") }

  init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "sandbox-\(UUID().uuidString)")
    root = folder
    for name in ["Probe.appex", "container/.config", "container/tmp", "group", "outside/empty"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: name),
        withIntermediateDirectories: true
      )
    }
    let built = Bundle.main.bundleURL.appending(path: "SandboxProbe")
    try FileManager.default.copyItem(at: built, to: program)
    let plist = ["CFBundleIdentifier": "org.example.probe", "CFBundleExecutable": "Probe"]
    try PropertyListEncoder().encode(plist).write(to: bundle.appending(path: "Info.plist"))
    try Data("[]".utf8).write(to: bundle.appending(path: "list.json"))
    try Data("secret".utf8).write(to: outside.appending(path: "secret"))
    try Data("x".utf8).write(to: outside.appending(path: "removable"))
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func profile(_ network: NetworkAccess = .none) -> SandboxProfile {
    SandboxProfile(bundle: bundle, readWrite: [container, group], network: network)
  }

  var environment: [String: String] {
    let home = container.path(percentEncoded: false)
    return [
      "HOME": home, "CFFIXED_USER_HOME": home, "TMPDIR": home + "/tmp",
      "XDG_CONFIG_HOME": home + "/.config", "PROBE_GROUP": group.path(percentEncoded: false),
      "PROBE_OUTSIDE": outside.path(percentEncoded: false), "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  /// Every file below the root but the container and the group, with its contents and permissions.
  func state(of folder: URL) throws -> [String: String] {
    var result: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(
      atPath: folder.path(percentEncoded: false)
    ) {
      var status = stat()
      unsafe lstat(folder.appending(path: name).path(percentEncoded: false), &status)
      let contents = try? Data(contentsOf: folder.appending(path: name))
      result[name] =
        "\(status.st_mode) \(status.st_mtim.tv_sec) \(contents?.hashValue ?? 0) \(status.st_nlink)"
    }
    return result
  }

  /// A running probe and what it prints.
  struct Run: Sendable {
    /// Retained, since its folders are removed with it.
    let workspace: Workspace
    let process: SandboxedProcess
    let output: URL
    /// This end of the channel; the caller's to close.
    let channel: Int32

    var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
    /// What was refused, apart from what the C library itself tries when it looks up a user, a host
    /// or an interface; it does without.
    var refusals: [Refusal] {
      process.refusals.filter {
        !$0.isUsualLookUp && !($0.call == "socket" && $0.detail.hasPrefix("AF_UNIX, "))
      }
    }
    /// The lines of attempts; between them may be what libraries log.
    var attempts: [[Substring]] {
      text.split(separator: "\n").map { $0.split(separator: "\t") }.filter { $0.count == 3 }
    }

    /// Waits until the probe has printed something, or has ended.
    func untilItPrints() async throws {
      while text.isEmpty, kill(process.processIdentifier, 0) == 0 {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  func start(
    _ arguments: [String],
    profile: SandboxProfile? = nil,
    limits: ProcessLimits = ProcessLimits(),
    adding variables: [String: String] = [:],
    availability: SandboxAvailability = Sandbox.available()
  ) throws -> Run {
    let file = root.appending(path: "output-\(UUID().uuidString)")
    let output = unsafe open(
      file.path(percentEncoded: false),
      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
      0o600
    )
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    unsafe socketpair(AF_UNIX, type, 0, &ends)
    defer {
      close(output)
      close(ends[1])
    }
    let process = try SandboxedProcess.start(
      executable: program,
      arguments: arguments,
      environment: environment.merging(variables) { $1 },
      channel: ends[1],
      output: output,
      profile: profile ?? self.profile(),
      limits: limits,
      availability: availability
    )
    return Run(workspace: self, process: process, output: file, channel: ends[0])
  }

  /// Starts the probe, waits for its end, and closes the channel.
  func run(
    _ arguments: [String],
    profile: SandboxProfile? = nil,
    limits: ProcessLimits = ProcessLimits(),
    adding variables: [String: String] = [:],
    availability: SandboxAvailability = Sandbox.available()
  ) async throws -> (status: ProcessStatus, run: Run) {
    let run = try start(
      arguments,
      profile: profile,
      limits: limits,
      adding: variables,
      availability: availability
    )
    defer { close(run.channel) }
    return (await run.process.wait(), run)
  }
}
