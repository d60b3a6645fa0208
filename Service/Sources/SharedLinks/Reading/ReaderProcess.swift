internal import ExtensionMessages
internal import ExtensionSandbox
internal import Foundation
internal import CLibrary
internal import ServiceFolders

/// Why a process gave no answer.
struct ReaderFailure: Error {
  /// What happened, as the end of a sentence.
  var reason: String
}

/// One process that reads documents, as seen by the host; for one thread at a time.
///
/// The process can reach the system's libraries and its own program, and nothing else: it has no
/// writable folder and no network.
final class ReaderProcess: Sendable {
  private let process: SandboxedProcess
  private let channel: Int32
  private let deadline: Double

  /// What the largest legitimate document needs, with room to spare.
  static let limits = ProcessLimits(
    memory: 512 << 20,
    processorSeconds: 120,
    fileSize: 1,
    openFiles: 32,
    threads: 8,
    // The process has no folder by the time it gets a document.
    disk: nil
  )

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - program: The program; a copy of it is run.
  ///   - deadline: The timeout of one document, in seconds.
  /// - Throws: ``LinkError`` with code `.readerMissing`.
  init(program: URL, deadline: Double) throws {
    self.deadline = deadline
    func missing(_ reason: String) -> LinkError {
      LinkError(
        .readerMissing,
        "documents from the web are read only in a sandbox, and \(program.path) \(reason)"
      )
    }
    // The temporary folder may be mounted noexec; fall back to the cache.
    let places = [FileManager.default.temporaryDirectory, ServiceFolders().cache]
    var started: (process: SandboxedProcess, channel: Int32, folder: URL)?
    var reason = ""
    for place in places where started == nil {
      let folder = place.appending(
        path: "tickbird-reader-\(UUID().uuidString)",
        directoryHint: .isDirectory
      )
      do {
        let (process, channel) = try Self.start(program, in: folder)
        started = (process, channel, folder)
      } catch {
        try? FileManager.default.removeItem(at: folder)
        if reason.isEmpty {
          reason = (error as? SandboxError)?.message ?? error.localizedDescription
        }
        guard (error as? SandboxError)?.code == .executable else { break }
      }
    }
    guard let started else { throw missing("cannot be started in one: \(reason)") }
    (process, channel) = (started.process, started.channel)
    // The loader still needs the program; the first bytes show that it is done.
    defer { try? FileManager.default.removeItem(at: started.folder) }
    do throws(ReaderFailure) {
      guard try receive().isEmpty else {
        throw ReaderFailure(reason: "does not answer as it should")
      }
    } catch {
      throw missing(error.reason)
    }
  }

  /// Copies a program into a new folder, starts it, and returns its channel.
  ///
  /// The sandbox grants the whole folder of a program, so the folder must contain nothing else.
  private static func start(
    _ program: URL,
    in folder: URL
  ) throws -> (SandboxedProcess, channel: Int32) {
    let own = folder.appending(path: "program", directoryHint: .isDirectory)
    let empty = folder.appending(path: "empty", directoryHint: .isDirectory)
    for new in [own, empty] {
      try FileManager.default.createDirectory(
        at: new,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }
    let copy = own.appending(path: program.lastPathComponent)
    do {
      try FileManager.default.copyItem(at: program, to: copy)
    } catch {
      // Foundation has a number in the place of a reason.
      throw SandboxError(
        .executable,
        "no copy of it can be written to \(copy.path); make room there, or let files be larger (ulimit -f)"
      )
    }
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw SandboxError(.system, "no pair of sockets could be made")
    }
    defer { close(ends[1]) }
    let output = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { if output >= 0 { close(output) } }
    let variables = ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }
    do {
      let process = try SandboxedProcess.start(
        executable: copy,
        arguments: [],
        environment: ["LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
          .merging(variables) { $1 },
        channel: ends[1],
        output: output,
        profile: SandboxProfile(bundle: own, readWrite: [empty]),
        limits: limits
      )
      return (process, ends[0])
    } catch {
      close(ends[0])
      throw error
    }
  }

  deinit {
    process.kill()
    close(channel)
  }

  /// Sends one request and waits for the answer.
  ///
  /// - Throws: ``ReaderFailure``; the process must not be used again.
  func exchange(_ body: [UInt8]) throws(ReaderFailure) -> [UInt8] {
    let end = Self.now + deadline
    let frame = ExtensionFrames.frame(body)
    var start = 0
    while start < frame.count {
      try wait(for: POLLOUT, until: end)
      let count = unsafe frame[start...].withUnsafeBytes {
        unsafe send(channel, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { throw ReaderFailure(reason: "ended") }
      start += count
    }
    return try receive(until: end)
  }

  private func receive(until end: Double? = nil) throws(ReaderFailure) -> [UInt8] {
    let end = end ?? Self.now + deadline
    var frames = ExtensionFrames(limits: DocumentProcess.answers)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      do throws(ExtensionMessageError) {
        if let body = try frames.next() {
          guard frames.isEmpty else {
            throw ExtensionMessageError(.limitExceeded, "more than one answer")
          }
          return body
        }
      } catch {
        throw ReaderFailure(reason: "sent an invalid answer (\(error.message))")
      }
      try wait(for: POLLIN, until: end)
      let count = unsafe recv(channel, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { throw ReaderFailure(reason: "ended") }
      frames.append(buffer[..<count])
    }
  }

  private func wait(for events: Int32, until end: Double) throws(ReaderFailure) {
    while true {
      let left = end - Self.now
      guard left > 0 else {
        throw ReaderFailure(reason: "did not answer within \(Int(deadline.rounded(.up))) s")
      }
      var polled = pollfd(fd: channel, events: Int16(events), revents: 0)
      let count = unsafe poll(&polled, 1, Int32(min(left * 1000 + 1, 60_000)))
      if count > 0 { return }
    }
  }

  /// Ends the process.
  ///
  /// - Returns: The limit that it exceeded, as the end of a sentence; empty if none.
  func end() async -> String {
    process.kill()
    switch await process.wait() {
    case .signalled(_, let limit?): return ", because \(limit.reason)"
    case .signalled(let signal, nil) where signal != SIGKILL: return " by signal \(signal)"
    default: return ""
    }
  }

  private static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
