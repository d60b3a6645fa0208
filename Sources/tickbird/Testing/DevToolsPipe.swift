internal import CLibrary
internal import CommandInput
internal import CommandOutput
internal import Foundation

/// Chromium without a window, asked by its DevTools protocol over two pipes.
///
/// A shell stands between: it gives Chromium the pipes under the numbers 3 and 4, and removes the
/// profile when Chromium has ended, which happens as soon as the pipes are closed, however this
/// command ends.
final class DevToolsPipe {
  /// Hears what the browser says without being asked.
  var listener: (([String: Any]) -> Void)?

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var buffer: [UInt8] = []
  private var lastID = 0

  /// The most bytes of a message.
  private static let messageLimit = 256 << 20
  /// The most seconds for an answer.
  private static let patience: TimeInterval = 20
  /// The most seconds that the browser may live.
  private static let lifetime = 90

  private static let script = """
    trap '' INT TERM HUP
    profile=$1; shift
    if command -v timeout >/dev/null 2>&1; then set -- timeout -k 5 \(lifetime) "$@"; fi
    "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1
    rm -rf "$profile"
    """

  /// Starts the browser.
  init(_ browser: String) throws(InputError) {
    let profile = FileManager.default.temporaryDirectory
      .appendingPathComponent("tickbird-visit-\(UUID().uuidString)").path
    var arguments = [
      browser, "--headless=new", "--user-data-dir=\(profile)", "--no-first-run",
      "--no-default-browser-check", "--disable-gpu", "--disable-sync",
      "--disable-component-update", "--disable-default-apps", "--disable-background-networking",
      "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints",
      "--password-store=basic", "--mute-audio", "--window-size=1280,900",
      "--remote-debugging-pipe",
    ]
    // Chromium refuses to run its sandbox as root.
    if getuid() == 0 { arguments.append("--no-sandbox") }
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script, "sh", profile] + arguments + ["about:blank"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do {
      try FileManager.default.createDirectory(
        atPath: profile,
        withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700]
      )
      try process.run()
    } catch {
      try? FileManager.default.removeItem(atPath: profile)
      throw InputError("\(browser) cannot be started: \(error.localizedDescription)")
    }
    // Only the browser has these ends, so that its end is the end of the pipe.
    try? input.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
  }

  /// Ends the browser, and waits until its profile is removed.
  func close() {
    send("Browser.close")
    try? input.fileHandleForWriting.close()
    try? output.fileHandleForReading.close()
    process.waitUntilExit()
  }

  /// Sends a message without waiting for the answer.
  @discardableResult
  func send(_ method: String, _ parameters: [String: Any] = [:], session: String? = nil) -> Int {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    if var bytes = try? JSONSerialization.data(withJSONObject: message) {
      bytes.append(0)
      // If the browser is gone, the next answer is missing.
      try? input.fileHandleForWriting.write(contentsOf: bytes)
    }
    return lastID
  }

  /// Sends a message, and returns the answer.
  @discardableResult
  func call(
    _ method: String,
    _ parameters: [String: Any] = [:],
    session: String? = nil
  ) throws(InputError) -> [String: Any] {
    let id = send(method, parameters, session: session)
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    while Date() < deadline {
      guard let message = try next(within: 0.25) else { continue }
      if message["id"] as? Int == id {
        if let error = message["error"] as? [String: Any] {
          let text = Shown.line(error["message"] as? String ?? "an error")
          throw InputError("Chromium refuses \(method): \(text); give a network log instead")
        }
        return message["result"] as? [String: Any] ?? [:]
      }
      listener?(message)
    }
    throw InputError("Chromium does not answer; give a network log instead")
  }

  /// Hears messages for a time.
  func listen(for seconds: TimeInterval) throws(InputError) {
    let end = Date(timeIntervalSinceNow: seconds)
    while true {
      let rest = end.timeIntervalSinceNow
      guard rest > 0 else { return }
      if let message = try next(within: rest) { listener?(message) }
    }
  }

  /// Returns the next message; `nil` if there is none in time.
  private func next(within seconds: TimeInterval) throws(InputError) -> [String: Any]? {
    let end = Date(timeIntervalSinceNow: seconds)
    var searched = 0
    while true {
      if let zero = buffer[searched...].firstIndex(of: 0) {
        let message = Data(buffer[..<zero])
        buffer.removeFirst(zero + 1)
        return (try? JSONSerialization.jsonObject(with: message)) as? [String: Any] ?? [:]
      }
      searched = buffer.count
      guard buffer.count < Self.messageLimit else {
        throw InputError("Chromium sends a message without an end; give a network log instead")
      }
      let descriptor = output.fileHandleForReading.fileDescriptor
      var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let wait = Int32(max(0, min(1, end.timeIntervalSinceNow)) * 1000)
      if unsafe poll(&question, 1, wait) <= 0 {
        if Date() >= end { return nil }
        continue
      }
      var isEnded = false
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { bytes, count in
        let result = unsafe read(descriptor, bytes.baseAddress, 1 << 16)
        isEnded = result == 0 || (result < 0 && errno != EINTR)
        count = max(0, result)
      }
      guard !isEnded else {
        throw InputError("Chromium has ended; try it by hand, or give a network log instead")
      }
      buffer += piece
    }
  }
}
