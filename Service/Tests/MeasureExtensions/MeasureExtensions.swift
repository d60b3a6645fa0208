internal import ArgumentParser
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation

/// Measures what a request to an extension costs, with the real service and the real sandbox.
@main
struct MeasureExtensions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints start-up, memory and round-trip times of extensions; see the script."
  )

  @Option(help: "The command tickbird-host.")
  var host: String

  @Option(help: "The folder with the samples' executables.")
  var samples: String

  @Option(help: "How many requests of each kind.")
  var requests = 100

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-measure-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let socket = folder.appending(path: "home/run/host.sock").path

    var startTimes: [Double] = []
    for _ in 0..<5 {
      let (service, _, time) = try await start(folder, socket)
      startTimes.append(time)
      service.terminate()
      while service.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    }
    print(line("service, until it listens", startTimes))

    let (service, client, _) = try await start(folder, socket)
    defer { service.terminate() }
    print("service, memory at rest: \(megabytes("VmRSS", of: service.processIdentifier))")

    let web = try bundle("AppHandlers", "com.apple.Safari.web-extension", in: folder)
    let blocker = try bundle(
      "ContentBlockerTemplate",
      "com.apple.Safari.content-blocker",
      in: folder
    )
    let list = try bundle(nil, "com.apple.Safari.content-blocker", in: folder)
    for (identifier, path) in [web, blocker, list] {
      _ = try await client.call(InstallExtension(path: path))
      _ = try await client.call(TurnOnExtension(identifier: identifier))
    }
    let message: MessageValue = ["request": .string("check"), "url": .string("https://a.test/")]
    var answer = MessageValue.null
    let asks = try await times {
      answer = try await client.call(
        SendMessage(identifier: web.identifier, message: message)
      )
    }
    print(line("a web extension's message and answer", asks))
    let status = answer["status"]?.string ?? ""
    print("an extension's process, most memory: \(Self.megabytes("VmHWM", in: status))")
    print(line("a content blocker's reload", try await reloads(blocker.identifier, client)))
    print(line("a reload of a list alone", try await reloads(list.identifier, client)))
    print(
      line(
        "a call that starts no process",
        try await times {
          _ = try await client.call(StateOfExtension(identifier: web.identifier))
        }
      )
    )
    print("service, memory after it: \(megabytes("VmRSS", of: service.processIdentifier))")
    // The last process may still be ending.
    try await Task.sleep(for: .seconds(1))
    print("extensions' processes left: \(children(of: service.processIdentifier))")
  }

  private func reloads(_ identifier: String, _ client: HostClient) async throws -> [Double] {
    try await times {
      _ = try await client.call(ReloadContentBlocker(identifier: identifier))
    }
  }

  private func times(_ body: () async throws -> Void) async throws -> [Double] {
    var times: [Double] = []
    for _ in 0..<requests {
      let start = ContinuousClock.now
      try await body()
      times.append(milliseconds(since: start))
    }
    return times
  }

  private func start(
    _ folder: URL,
    _ socket: String
  ) async throws -> (Process, HostClient, Double) {
    let service = Process()
    service.executableURL = URL(filePath: host)
    service.arguments = ["run"]
    var environment = ProcessInfo.processInfo.environment
    environment["TICKBIRD_HOME"] = folder.appending(path: "home").path
    service.environment = environment
    service.standardError = FileHandle.nullDevice
    let start = ContinuousClock.now
    try service.run()
    while true {
      if let client = try? HostClient(socket: socket) {
        return (service, client, milliseconds(since: start))
      }
      guard service.isRunning else { throw ValidationError("\(host) does not run") }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  private func bundle(
    _ target: String?,
    _ point: String,
    in folder: URL
  ) throws -> (identifier: String, path: String) {
    let name = target ?? "List"
    let identifier = "com.example." + name
    let bundle = folder.appending(path: name + ".appex", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    var information: [String: Any] = [
      "CFBundleIdentifier": identifier, "CFBundlePackageType": "XPC!",
      "NSExtension": [
        "NSExtensionPointIdentifier": point,
        "NSExtensionPrincipalClass": "AppHandlers.WitnessHandler",
      ],
    ]
    if let target {
      information["CFBundleExecutable"] = target
      try FileManager.default.copyItem(
        at: URL(filePath: samples).appending(path: target),
        to: bundle.appending(path: target)
      )
    }
    let rules = #"[{"trigger":{"url-filter":"webkit.svg"},"action":{"type":"block"}}]"#
    try Data(rules.utf8).write(to: bundle.appending(path: "blockerList.json"))
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: bundle.appending(path: "Info.plist"))
    return (identifier, bundle.path)
  }

  private func milliseconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .milliseconds(1)
  }

  private func line(_ what: String, _ times: [Double]) -> String {
    let sorted = times.sorted()
    func text(_ time: Double) -> String { time.formatted(.number.precision(.fractionLength(1))) }
    let middle = sorted[sorted.count / 2]
    let late = sorted[min(sorted.count * 95 / 100, sorted.count - 1)]
    return "\(what): \(text(middle)) ms (95 of 100 within \(text(late)) ms)"
  }

  private func megabytes(_ key: String, of process: Int32) -> String {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    return Self.megabytes(key, in: status ?? "")
  }

  private static func megabytes(_ key: String, in status: String) -> String {
    for line in status.split(separator: "\n") where line.hasPrefix(key + ":") {
      let digits = line.filter(\.isNumber)
      guard let kilobytes = Int(digits) else { break }
      return "\((kilobytes + 512) / 1024) MiB"
    }
    return "unknown"
  }

  private func children(of process: Int32) -> Int {
    let path = "/proc/\(process)/task/\(process)/children"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: " ").count
  }
}
