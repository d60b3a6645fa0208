internal import BlockingWork
internal import CLibrary
internal import ChildPrograms
internal import DurableFiles
public import Foundation
internal import ListIngestion
internal import Synchronization

/// Where lists are converted and compiled.
public struct ListPreparation: Sendable {
  /// Prepares the files of a folder; see ``PreparedFiles/prepare(_:limits:)``.
  let run: @Sendable (_ folder: URL) async throws -> ListSummary

  /// In this process, on a thread of its own.
  public static let inProcess = ListPreparation { folder in
    try await blocking { try PreparedFiles.prepare(folder) }
  }

  /// In a process of its own, which bounds what a hostile list can take of memory and time.
  ///
  /// - Parameters:
  ///   - program: The program, which calls ``PreparationProcess/run(_:)``.
  ///   - arguments: Its arguments; the folder is added.
  ///   - seconds: After how many seconds it is ended.
  /// - Returns: The preparation.
  public static func process(
    _ program: URL,
    arguments: [String],
    seconds: Double = 600
  ) -> ListPreparation {
    ListPreparation { folder in
      try await blocking {
        try Self.run(program, arguments + [folder.path], seconds: seconds)
      }
      let file = folder.appending(path: PreparedFiles.answer)
      defer { try? FileManager.default.removeItem(at: file) }
      guard let bytes = try? DurableFile.contents(of: file.path, atMost: 1 << 20),
        let answer = try? JSONDecoder().decode(PreparationProcess.Answer.self, from: Data(bytes))
      else {
        throw SubscriptionError(
          .notPrepared,
          "the list could not be converted: the process that does it gave no answer"
        )
      }
      if let summary = answer.summary { return summary }
      if let refusal = answer.refusal { throw refusal }
      throw SubscriptionError(.file, answer.failure ?? "its files cannot be written")
    }
  }

  /// Runs a program to its end.
  private static func run(_ program: URL, _ arguments: [String], seconds: Double) throws {
    let process: ChildProgram
    do throws(SystemError) {
      let environment = ProcessInfo.processInfo.environment
        .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      process = try ChildProgram(program.path, arguments, environment: environment)
    } catch {
      throw SubscriptionError(
        .notPrepared,
        "the list could not be converted: \(program.path) cannot be started: \(error)"
      )
    }
    let isLate = Mutex(false)
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler {
      isLate.withLock { $0 = true }
      process.send(SIGKILL)
    }
    timer.schedule(deadline: .now() + seconds)
    timer.resume()
    let end = process.wait()
    timer.cancel()
    guard case .signalled(let signal) = end else { return }
    let reason =
      isLate.withLock { $0 } || signal == SIGXCPU
      ? "takes too long" : "takes more memory than a list may"
    throw SubscriptionError(.notPrepared, "the list could not be converted: that \(reason)")
  }
}

/// The process in which a list is converted and compiled.
public enum PreparationProcess {
  /// What it writes into the folder.
  struct Answer: Codable {
    var summary: ListSummary?
    /// Why the list cannot be used.
    var refusal: IngestionError?
    /// Which file could not be read or written, and why.
    var failure: String?
  }

  /// The most memory that it may map, in bytes.
  private static let memory = 4 << 30
  /// The most processor time that it may use, in seconds.
  private static let processorSeconds = 300

  /// Prepares a folder within limits, and leaves the answer there.
  ///
  /// - Returns: Whether there is an answer.
  public static func run(_ folder: URL) -> Bool {
    limit(RLIMIT_AS, memory)
    limit(RLIMIT_CPU, processorSeconds)
    limit(RLIMIT_CORE, 0)
    var answer = Answer()
    do {
      answer.summary = try PreparedFiles.prepare(folder)
    } catch let error as IngestionError {
      answer.refusal = error
    } catch {
      answer.failure = "\(error)"
    }
    let file = folder.appending(path: PreparedFiles.answer)
    guard let bytes = try? JSONEncoder().encode(answer) else { return false }
    return (try? bytes.write(to: file)) != nil
  }

  private static func limit(_ resource: __rlimit_resource, _ amount: Int) {
    var limits = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(amount))
    _ = unsafe setrlimit(Int32(resource.rawValue), &limits)
  }
}
