import CSandbox
import Dispatch
import Foundation
import Glibc
import Synchronization

/// Starts one process and stays with it until it has ended, on a thread of its own.
///
/// The kernel kills the process when the thread that started it ends, so this thread outlives it.
final class Supervisor {
  private let process: Int32
  private let processDescriptor: Int32
  /// The helpers of its namespace, if it has one.
  private var others: NamespaceProcesses?
  private let supervision: Supervision
  private let plan: LaunchPlan
  /// The process's folder in `/proc`.
  ///
  /// Held open, so that the kernel keeps the object that the process's Landlock rule names, and so
  /// that a reused number cannot be mistaken for it.
  private let folder: Int32
  private var listener: Int32 = -1
  private var questions: Questions
  private let watch: LimitWatch
  private let group: ControlGroup?

  private static let startDeadline: Int32 = 30_000

  /// Starts the thread, and the process on it.
  static func start(_ plan: LaunchPlan) throws -> SandboxedProcess {
    let started = DispatchSemaphore(value: 0)
    let result = StartResult()
    let thread = Thread {
      do {
        let supervisor = try whenNotBusy { try withOrWithoutNamespaces(plan) }
        result.set(
          .success(
            SandboxedProcess(
              processIdentifier: supervisor.process,
              walls: supervisor.plan.availability.walls(network: plan.profile.network),
              supervision: supervisor.supervision
            )
          )
        )
        started.signal()
        supervisor.supervise()
      } catch {
        result.set(.failure(error))
        started.signal()
      }
    }
    thread.name = "sandbox"
    thread.start()
    started.wait()
    return try result.get()
  }

  /// Starts the process with namespaces, or without them if a step fails, which is then reported:
  /// they are only the second wall.
  private static func withOrWithoutNamespaces(_ plan: LaunchPlan) throws -> Supervisor {
    do {
      return try Supervisor(plan)
    } catch let failure as NamespaceFailure {
      var plan = plan
      plan.availability.namespaces = .none(reason: failure.reason)
      return try Supervisor(plan)
    }
  }

  /// The program is open for writing somewhere; the message is used if it stays so.
  private struct ProgramIsBusy: Error {
    var error: SandboxError
  }

  /// Retries while the program is busy.
  ///
  /// A process being started elsewhere has, until its `execve`, a copy of the descriptor with which
  /// the bundle was just written.
  private static func whenNotBusy(_ start: () throws -> Supervisor) throws -> Supervisor {
    let (attempts, pause) = (100, UInt32(10_000))
    for _ in 1..<attempts {
      do {
        return try start()
      } catch is ProgramIsBusy {
        usleep(pause)
      }
    }
    do {
      return try start()
    } catch let busy as ProgramIsBusy {
      throw busy.error
    }
  }

  private final class StartResult: Sendable {
    private let value = Mutex<Result<SandboxedProcess, any Error>?>(nil)

    func set(_ result: Result<SandboxedProcess, any Error>) { value.withLock { $0 = result } }

    func get() throws -> SandboxedProcess {
      guard let result = value.withLock({ $0 }) else {
        throw SandboxError(.system, "The thread of a process did not start it")
      }
      return try result.get()
    }
  }

  private init(_ plan: LaunchPlan) throws {
    self.plan = plan
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw SandboxError(.system, "No socket pair can be made: \(describeError(Int(errno)))")
    }
    let (report, childReport) = (ends[0], ends[1])
    defer { close(report) }
    let launched: (process: Int32, descriptor: Int32)
    let root = plan.privateRoot
    do {
      defer { close(childReport) }
      launched = try Self.launch(plan, root, report: childReport)
    }
    if plan.availability.namespaces == .all {
      let others = try Self.awaitProcesses(report, starter: launched.descriptor, plan, root)
      process = others.program
      processDescriptor = others.programDescriptor
      self.others = others
    } else {
      process = launched.process
      processDescriptor = launched.descriptor
    }
    folder = unsafe open("/proc/\(process)", pathOnly | O_DIRECTORY | O_CLOEXEC)
    supervision = Supervision(processDescriptor: processDescriptor)
    watch = LimitWatch(
      limits: plan.limits,
      folders: plan.grants.filter { $0.access == .readAndWrite }.map(\.path),
      process: folder
    )
    questions = Questions(
      supervision: supervision,
      network: plan.profile.network,
      files: ChildFiles(
        process: process,
        ownNumber: others?.ownNumber,
        grants: plan.grants
      ),
      watch: watch
    )
    // Before the program runs: its `execve` still waits for an answer.
    group = plan.groups?.group(for: process, limits: plan.limits)
    do {
      try awaitStart(report, root)
      others?.programRuns()
    } catch {
      supervision.signal(SIGKILL)
      reap()
      throw error
    }
  }

  deinit {
    if listener >= 0 { close(listener) }
    if folder >= 0 { close(folder) }
  }

  /// Waits until the child reports which processes it has created.
  private static func awaitProcesses(
    _ report: Int32,
    starter: Int32,
    _ plan: LaunchPlan,
    _ root: PrivateRoot?
  ) throws -> NamespaceProcesses {
    var starter = starter
    do {
      var asked = [pollfd(fd: report, events: Int16(POLLIN), revents: 0)]
      guard try pollDescriptors(&asked, milliseconds: startDeadline) else {
        throw SandboxError(.system, "\(plan.executable) did not start within 30 seconds")
      }
      var message = csandbox_report()
      var descriptor: Int32 = -1
      guard unsafe csandbox_receive(report, &message, &descriptor) > 0 else {
        throw SandboxError(.system, "\(plan.executable) ended before it started")
      }
      guard UInt32(message.stage) == csandbox_stage_started.rawValue else {
        throw startError(message, plan, root)
      }
      defer { starter = -1 }
      return try NamespaceProcesses(message, starter: starter)
    } catch {
      NamespaceProcesses.end(&starter)
      throw error
    }
  }

  private static func launch(
    _ plan: LaunchPlan,
    _ root: PrivateRoot?,
    report: Int32
  ) throws -> (process: Int32, descriptor: Int32) {
    let input = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0 else {
      throw SandboxError(.system, "/dev/null cannot be opened: \(describeError(Int(errno)))")
    }
    defer { close(input) }
    let filter: FilterProgram? =
      plan.availability.filter
      ? plan.processor.map {
        FilterProgram(
          rules: SystemCallRules(network: plan.profile.network),
          processor: $0,
          asks: plan.availability.asking
        )
      } : nil
    var instructions = (filter?.instructions ?? []).map {
      csandbox_instruction(
        code: $0.code,
        if_true: $0.ifTrue,
        if_false: $0.ifFalse,
        value: $0.value
      )
    }
    let limits = plan.limits.resourceLimits.map {
      csandbox_limit(resource: $0.resource, soft: $0.soft, hard: $0.hard)
    }
    let ruleSet: LandlockRuleSet? =
      plan.availability.landlockVersion > 0
      ? try LandlockRuleSet(
        grants: plan.grants,
        network: plan.profile.network,
        version: plan.availability.landlockVersion
      ) : nil
    let namespaces = root.map {
      NamespaceRequest(
        root: $0,
        ownProcesses: plan.availability.namespaces == .all,
        network: plan.profile.network
      )
    }
    let ruleSetDescriptor = ruleSet?.descriptor ?? -1
    var descriptor: Int32 = -1
    let ownProcess = filter?.ownProcess ?? []
    let process = unsafe withStrings(plan.arguments) { arguments in
      unsafe withStrings(plan.environment) { environment in
        unsafe plan.executable.withCString { executable in
          unsafe plan.folder.withCString { folder in
            unsafe instructions.withUnsafeMutableBufferPointer { instructions in
              unsafe ownProcess.withUnsafeBufferPointer { ownProcess in
                unsafe limits.withUnsafeBufferPointer { limits in
                  var request = unsafe csandbox_plan()
                  unsafe request.executable = executable
                  unsafe request.arguments = arguments
                  unsafe request.environment = environment
                  unsafe request.directory = folder
                  unsafe request.channel = plan.channel
                  unsafe request.output = plan.output
                  unsafe request.input = input
                  unsafe request.report = report
                  unsafe request.rule_set = ruleSetDescriptor
                  unsafe request.limits = limits.baseAddress
                  unsafe request.limit_count = limits.count
                  unsafe request.filter = instructions.baseAddress
                  unsafe request.filter_length = UInt16(instructions.count)
                  unsafe request.own_process = ownProcess.baseAddress
                  unsafe request.own_process_count = ownProcess.count
                  unsafe request.listens = filter != nil && plan.availability.asking ? 1 : 0
                  unsafe request.namespaces = namespaces?.pointer
                  return unsafe csandbox_start(&request, &descriptor)
                }
              }
            }
          }
        }
      }
    }
    // From here on the child has its own copy.
    withExtendedLifetime((ruleSet, namespaces)) {}
    guard process > 0 else {
      throw SandboxError(.system, "No process can be made: \(describeError(-Int(process)))")
    }
    return (process, descriptor)
  }

  /// Calls a body with a null-terminated array of C strings.
  private static func withStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
  }

  /// Follows the child to its `execve`, where the kernel closes its end of the report.
  private func awaitStart(_ report: Int32, _ root: PrivateRoot?) throws {
    while true {
      let ready = try wait(for: [report, listener], milliseconds: Self.startDeadline)
      guard ready.contains(true) else {
        throw SandboxError(.system, "\(plan.executable) did not start within 30 seconds")
      }
      if ready[1] { answerQuestion() }
      guard ready[0] else { continue }
      var message = csandbox_report()
      var descriptor: Int32 = -1
      let count = unsafe csandbox_receive(report, &message, &descriptor)
      if descriptor >= 0 {
        if listener >= 0 { close(listener) }
        listener = descriptor
        let takeTurns = 1
        // An optimization, on kernels that know it.
        _ = csandbox_call(
          SystemCall.ioctl,
          Int(listener),
          Int(bitPattern: csandbox_notification_set_flags),
          takeTurns,
          0,
          0
        )
      }
      guard count > 0 else {
        guard count == 0, listener >= 0 || !plan.availability.asking, isAlive || hasExecuted else {
          throw SandboxError(.system, "\(plan.executable) ended before it started")
        }
        return
      }
      guard message.error != 0 else { continue }
      let error = Self.startError(message, plan, root)
      guard message.error == ETXTBSY, let busy = error as? SandboxError else { throw error }
      throw ProgramIsBusy(error: busy)
    }
  }

  private var hasExecuted: Bool { questions.hasExecuted || !plan.availability.asking }

  private var isAlive: Bool {
    (try? wait(for: [processDescriptor], milliseconds: 0))?[0] != true
  }

  private static func startError(
    _ report: csandbox_report,
    _ plan: LaunchPlan,
    _ root: PrivateRoot?
  ) -> any Error {
    let reason = describeError(Int(report.error))
    switch UInt32(report.stage) {
    case csandbox_stage_namespaces.rawValue, csandbox_stage_root.rawValue:
      return NamespaceFailure(report, root: root ?? PrivateRoot(grants: [], links: []))
    case csandbox_stage_execute.rawValue:
      return SandboxError.program("\(plan.executable) cannot be executed", report.error)
    case csandbox_stage_directory.rawValue:
      return SandboxError(.folder, "\(plan.folder) cannot be entered: \(reason)")
    case csandbox_stage_landlock.rawValue:
      return SandboxError(.missingProtection, "Landlock cannot be turned on: \(reason)")
    case csandbox_stage_seccomp.rawValue:
      return SandboxError(
        .missingProtection,
        "The filter of system calls cannot be turned on: \(reason)"
      )
    case csandbox_stage_limits.rawValue:
      return SandboxError(.system, "The limits of \(plan.executable) cannot be set: \(reason)")
    default:
      return SandboxError(
        .system,
        "\(plan.executable) cannot be prepared (step \(report.stage)): \(reason)"
      )
    }
  }

  /// Answers notifications and watches limits until the process has ended; then reaps it.
  private func supervise() {
    while true {
      let waited = try? wait(for: [processDescriptor, listener], milliseconds: watch.milliseconds)
      let ready = waited ?? [false, false]
      if ready[0] { break }
      if ready[1] { answerQuestion() }
      if watch.look() { supervision.signal(SIGKILL) }
    }
    reap()
  }

  private func answerQuestion() {
    guard let question = Notification(listener: listener) else { return }
    question.answer(questions.answer(question, listener: listener), listener: listener)
  }

  /// Waits for the process to end, and records how it did.
  private func reap() {
    defer { others?.end() }
    let byDescriptor = 3
    let exited = 4
    let allChildren = 0x4000_0000
    // A siginfo_t and a rusage.
    var information = [UInt8](repeating: 0, count: 128)
    var usage = [UInt8](repeating: 0, count: 144)
    var result = 0
    repeat {
      result = unsafe information.withUnsafeMutableBytes { information in
        unsafe usage.withUnsafeMutableBytes { usage in
          csandbox_call(
            SystemCall.waitid,
            byDescriptor,
            Int(processDescriptor),
            Int(bitPattern: information.baseAddress),
            exited | allChildren,
            Int(bitPattern: usage.baseAddress)
          )
        }
      }
    } while result == -Int(EINTR)
    let groupExceeded = group?.exceeded
    group?.remove()
    guard result == 0 else {
      supervision.end(.unknown)
      return
    }
    let seconds =
      Double(usage.number(at: 0, as: Int.self) + usage.number(at: 16, as: Int.self))
      + Double(usage.number(at: 8, as: Int.self) + usage.number(at: 24, as: Int.self)) / 1e6
    let code = information.number(at: 8, as: Int32.self)
    let status = information.number(at: 24, as: Int32.self)
    let exitedByItself: Int32 = 1
    if code == exitedByItself {
      supervision.end(.exited(status), processorSeconds: seconds)
      return
    }
    var exceeded = status == SIGKILL ? watch.exceeded ?? groupExceeded : nil
    if status == SIGXCPU {
      exceeded = .processorTime
    } else if status == SIGXFSZ {
      exceeded = .fileSize
    } else if exceeded == nil, status == SIGKILL, let limit = plan.limits.processorSeconds,
      seconds >= Double(limit)
    {
      exceeded = .processorTime
    }
    supervision.end(.signalled(status, exceeded: exceeded), processorSeconds: seconds)
  }

  /// Polls descriptors for input or closing; negative ones are skipped.
  private func wait(
    for descriptors: [Int32],
    milliseconds: Int32
  ) throws(SandboxError) -> [Bool] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let isReady = try pollDescriptors(&polled, milliseconds: milliseconds)
    return polled.map { isReady && $0.revents != 0 }
  }
}
