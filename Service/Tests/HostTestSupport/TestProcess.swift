internal import ChildPrograms
internal import CLibrary
public import Foundation

/// A program that a test runs, prepared and asked as Foundation's `Process` is.
///
/// That one, with many threads, may wait for another test's program: see `ChildProgram`. Where this program runs for
/// as long as the other test waits, both wait for ever.
public final class TestProcess: @unchecked Sendable {
  /// Why a program ended.
  public enum TerminationReason: Sendable { case exit, uncaughtSignal }

  /// The program's file.
  public var executableURL: URL?
  /// Its arguments, without its name.
  public var arguments: [String] = []
  /// Its environment; nil for that of the tests.
  public var environment: [String: String]?
  /// Where it starts; nil for where the tests are.
  public var currentDirectoryURL: URL?
  /// Its standard input, a `FileHandle` or a `Pipe`; nil for that of the tests.
  public var standardInput: Any?
  /// Its standard output, a `FileHandle` or a `Pipe`; nil for that of the tests.
  public var standardOutput: Any?
  /// Its standard error, a `FileHandle` or a `Pipe`; nil for that of the tests.
  public var standardError: Any?

  // Set once, before another thread gets this.
  private var program: ChildProgram?

  /// Prepares a program; its properties say which one, and they are not changed after ``run()``.
  public init() {}

  /// Starts the program, and closes here what it has of pipes.
  ///
  /// - Throws: What the system says.
  public func run() throws {
    precondition(program == nil, "the test has started its program already")
    program = try ChildProgram(
      executableURL?.path ?? "",
      arguments,
      environment: environment,
      folder: currentDirectoryURL?.path,
      input: descriptor(standardInput, \.fileHandleForReading, STDIN_FILENO),
      output: descriptor(standardOutput, \.fileHandleForWriting, STDOUT_FILENO),
      errors: descriptor(standardError, \.fileHandleForWriting, STDERR_FILENO)
    )
    try (standardInput as? Pipe)?.fileHandleForReading.close()
    let outputs = [standardOutput, standardError].compactMap { $0 as? Pipe }
    // Both may be one.
    for pipe in Set(outputs) { try pipe.fileHandleForWriting.close() }
  }

  /// The descriptor of what the test has set; nil for nothing.
  private func descriptor(
    _ what: Any?,
    _ end: KeyPath<Pipe, FileHandle>,
    _ own: Int32
  ) -> Int32? {
    switch what {
    case let handle as FileHandle where handle === FileHandle.nullDevice: nil
    case let handle as FileHandle: handle.fileDescriptor
    case let pipe as Pipe: pipe[keyPath: end].fileDescriptor
    default: own
    }
  }

  private var started: ChildProgram {
    guard let program else { preconditionFailure("the test has not started its program") }
    return program
  }

  /// The number of its process.
  public var processIdentifier: Int32 { started.identifier }

  /// Whether it has been started and has not ended.
  public var isRunning: Bool { program?.isRunning ?? false }

  /// Sends it a signal, unless it has ended.
  public func send(_ signal: Int32) { started.send(signal) }

  /// Asks it to end.
  public func terminate() { send(SIGTERM) }

  /// Waits for its end, on the thread that asks.
  public func waitUntilExit() { _ = started.wait() }

  /// Its exit status, or the number of the signal that ended it, after waiting for its end.
  public var terminationStatus: Int32 {
    switch started.wait() {
    case .exited(let status): status
    case .signalled(let signal): signal
    }
  }

  /// Why it ended, after waiting for its end.
  public var terminationReason: TerminationReason {
    if case .exited = started.wait() { .exit } else { .uncaughtSignal }
  }
}
