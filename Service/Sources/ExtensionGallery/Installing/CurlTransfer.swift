internal import Foundation
internal import Synchronization

/// One request, made by the program `curl`, whose output is counted as it comes.
final class CurlTransfer: Sendable {
  /// What the server answered.
  struct Answer: Sendable {
    let status: Int
    /// Where it leads on to; empty where it does not.
    let next: String
  }

  private enum Stage {
    case new
    case running(Process)
    case cancelled
    case done
  }

  private let url: URL
  private let limit: UInt64
  private let arguments: [String]
  private let stage = Mutex(Stage.new)

  init(url: URL, limit: UInt64, arguments: [String]) {
    self.url = url
    self.limit = limit
    self.arguments = arguments
  }

  /// Makes the request.
  ///
  /// - Throws: ``GalleryError`` with code `.download`, `.tooLarge` or `.file`, or cancellation.
  func run(to output: sending OutputFile) async throws -> Answer {
    let box = Mutex<OutputFile?>(output)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let output = box.withLock { output in
          defer { output = nil }
          return output
        }
        nonisolated(unsafe) let file = output
        // Reading a pipe blocks, which the threads of tasks must not.
        Thread.detachNewThread {
          continuation.resume(with: Result { try self.transfer(to: unsafe file) })
        }
      }
    } onCancel: {
      cancel()
    }
  }

  private func cancel() {
    stage.withLock { stage in
      if case .running(let process) = stage { process.terminate() }
      if case .done = stage { return }
      stage = .cancelled
    }
  }

  private func transfer(to output: OutputFile?) throws -> Answer {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["curl"] + arguments
    let body = Pipe()
    let words = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = body
    process.standardError = words
    try stage.withLock { stage in
      if case .cancelled = stage { throw CancellationError() }
      do {
        try process.run()
      } catch {
        throw GalleryError(.download, "curl cannot be run: \(error.localizedDescription)")
      }
      stage = .running(process)
    }
    var failure: (any Error)?
    do {
      try copy(body.fileHandleForReading, to: output)
    } catch {
      failure = error
      process.terminate()
      try? body.fileHandleForReading.close()
    }
    let said = try? words.fileHandleForReading.read(upToCount: 1 << 16)
    process.waitUntilExit()
    let isCancelled = stage.withLock { stage in
      if case .cancelled = stage { return true }
      stage = .done
      return false
    }
    if isCancelled { throw CancellationError() }
    if let failure { throw failure }
    return try answer(
      String(decoding: said ?? Data(), as: UTF8.self),
      exit: process.terminationReason == .exit ? process.terminationStatus : -1
    )
  }

  private func copy(_ pipe: FileHandle, to output: OutputFile?) throws {
    var left = limit
    while true {
      let part = try pipe.read(upToCount: 1 << 16) ?? Data()
      if part.isEmpty { break }
      guard UInt64(part.count) <= left else { throw Downloader.tooLarge(url, limit) }
      left -= UInt64(part.count)
      try output?.write(part)
    }
    try output?.finish()
  }

  /// Understands the exit status, and the line that curl was told to write last.
  private func answer(_ said: String, exit: Int32) throws -> Answer {
    let lines = said.split(separator: "\n", omittingEmptySubsequences: true)
    switch exit {
    case 0:
      let parts = (lines.last ?? "").split(separator: " ", maxSplits: 1)
      guard let status = parts.first.flatMap({ Int($0) }) else { break }
      return Answer(status: status, next: parts.count > 1 ? String(parts[1]) : "")
    case 63: throw Downloader.tooLarge(url, limit)
    case 127:
      throw GalleryError(
        .download,
        "The program curl is needed to download; install it (apt: curl)"
      )
    default: break
    }
    let reason = lines.first { $0.hasPrefix("curl: ") }.map { String($0.dropFirst(6).prefix(300)) }
    throw GalleryError(
      .download,
      "\(url.absoluteString) cannot be fetched: \(Self.shown(reason ?? "curl failed (\(exit))"))"
    )
  }

  private static func shown(_ text: String) -> String {
    PackagePath.isPlain(text) ? text : "curl failed"
  }
}
