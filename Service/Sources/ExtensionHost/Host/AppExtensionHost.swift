public import ContentBlocking
internal import DurableFiles
internal import ExtensionBundles
internal import ExtensionMessages
public import Foundation
internal import ServiceFolders

/// The host of a user's app extensions.
///
/// It manages the installed bundles and the user's decisions about them, runs an extension's
/// process for each request, and holds the active lists of content blockers.
///
///     let host = try AppExtensionHost(data: folders.data, launcher: launcher, holder: "the service")
///     _ = await host.start()
///     let bundle = try await host.install(URL(filePath: "My Blocker.appex"))
///     try await host.turnOn(bundle.identifier)
///
/// Only one process at a time can have the host of a data folder. Changes of one extension are made
/// in the order of the calls; different extensions do not wait for each other. Methods throw an
/// `ErrorReport` with the domains and codes that apps expect.
public actor AppExtensionHost {
  /// The installed bundles; other processes may read them, but only the host changes them.
  public nonisolated let bundles: BundleStore
  /// The limits in effect.
  public nonisolated let configuration: HostConfiguration
  /// How many lists were compiled since the host was created.
  public private(set) var compileCount = 0
  /// The extensions with running processes, sorted; one with several processes occurs several
  /// times.
  public var runningExtensions: [String] {
    runs.values.flatMap { run in run.map(\.identifier) }.sorted()
  }

  let lists: RuleListStore
  let states: StateStore
  let log: ExtensionLog
  let containers: ExtensionContainers
  let groupOwners: GroupOwners
  /// What happened to the groups of an older version, for the log of whoever starts the host.
  public internal(set) var adoptions: [String] = []
  /// Extensions that still cannot be read, with the error; the empty identifier stands for the
  /// folder of all.
  public internal(set) var unread: [String: HostError] = [:]
  private let olderSigner: SignerLookUp
  let observer: InstallationObserver
  let launcher: any ProcessLauncher
  /// The walls last logged for each extension.
  var toldWalls: [String: String] = [:]
  private let lock: FileLock

  private var listsInForce: [String: ContentRuleList] = [:]
  private var tails: [String: (number: Int, task: Task<Void, Never>)] = [:]
  private var lastTail = 0
  var waitingReloads: [String: Task<Result<Void, ErrorReport>, Never>] = [:]
  private var runs: [String: [ActiveRun]] = [:]
  private var waitingForEnds: [CheckedContinuation<Void, Never>] = []
  private var slots: [String: (used: Int, waiting: [CheckedContinuation<Void, Never>])] = [:]
  /// Ends the host of a process that is the service on behalf of a browser; nil for others.
  var makeWay: (@Sendable () -> Void)?
  var sessions: [String: HandlerSession] = [:]
  /// When the handlers of sessions crashed, in milliseconds of the monotonic clock.
  var crashes: [String: [Int64]] = [:]
  private var scriptMessages: [String: ScriptMessages] = [:]
  private var processorUse: [String: ProcessorUse] = [:]
  private var isStopped = false

  private struct ActiveRun {
    let identifier: String
    let run: RequestRun
    var isSession = false
  }

  /// Opens the host of a data folder, creating the folder if needed.
  ///
  /// - Parameters:
  ///   - data: The folder.
  ///   - launcher: Starts the processes.
  ///   - holder: The name of this process, for the message to others that find the folder locked.
  ///   - waiting: For how many seconds to wait if another process has the lock.
  ///   - configuration: The limits; by default those in the folder's `Host.json`.
  ///   - olderSigner: Returns who signed what an older version installed; nil if nobody knows.
  ///   - observer: Follows what is installed, one change after the other.
  /// - Throws: ``HostError`` with code `.locked` if another process has it, `.file`, or
  ///   `.badArgument` for an invalid configuration.
  public init(
    data: URL,
    launcher: any ProcessLauncher,
    holder: String,
    waiting: Int = 0,
    configuration: HostConfiguration? = nil,
    olderSigner: @escaping SignerLookUp = { _, _ in .unsigned },
    observer: InstallationObserver = InstallationObserver()
  ) throws(HostError) {
    _ = try Folder(making: data.path)
    let file = data.appending(path: "host.lock")
    do throws(FileLock.Failure) {
      lock = try FileLock.waiting(for: file, holder: holder, patience: .seconds(waiting))
    } catch {
      switch error {
      case .held(let other):
        let who = other ?? "another process"
        throw HostError(.locked, "\(file.path) is held by \(who); wait for it or end it")
      case .unusable(let sentence): throw HostError(.file, sentence)
      }
    }
    let bounds: HostConfiguration
    if let configuration {
      bounds = configuration
    } else {
      bounds = try HostConfiguration(in: data)
    }
    self.configuration = bounds
    self.launcher = launcher
    bundles = try BundleStore(directory: data.appending(path: "Extensions"))
    states = try StateStore(directory: data.appending(path: "States"))
    log = try ExtensionLog(directory: data.appending(path: "Logs"), limit: bounds.log)
    containers = try ExtensionContainers(data: data)
    groupOwners = try GroupOwners(data: data)
    self.olderSigner = olderSigner
    self.observer = observer
    do throws(RuleListStoreError) {
      lists = try RuleListStore(directory: data.appending(path: "Lists"))
    } catch {
      throw HostError(.file, error.message)
    }
  }

  /// Removes what an earlier process left unfinished, and activates the stored lists without
  /// compiling them.
  ///
  /// - Returns: The content blockers that are turned on and have no usable list; the caller should
  ///   reload them.
  public func start() -> [String] {
    try? bundles.removeLeftovers()
    if let folder = try? Folder(path: lists.directory.path) {
      for name in (try? folder.names()) ?? [] where DurableFile.isDraftName(name) {
        try? folder.removeFile(name)
      }
    }
    do throws(HostError) {
      try adoptOlder(olderSigner)
    } catch {
      adoptions.append(error.message)
    }
    return takeUpAll()
  }

  /// Ends all requests; calls made afterwards fail.
  ///
  /// - Parameter patience: The timeout for work in progress. Anything longer, such as an
  ///   installation from a disk that does not answer, is interrupted by the end of the process,
  ///   which it survives like any crash.
  public func stop(patience: Duration = .seconds(20)) async {
    isStopped = true
    for session in sessions.values { session.close() }
    sessions = [:]
    for run in runs.values.flatMap({ $0 }) { run.run.stop("the host is ending") }
    let end = ContinuousClock.now + patience
    while !tails.isEmpty, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits until no extension's process runs.
  func waitForProcesses() async {
    while !runs.isEmpty || !tails.isEmpty {
      for tail in tails.values { await tail.task.value }
      if !runs.isEmpty { await nextEndOfRun() }
    }
  }

  /// Waits until no process of one extension runs.
  func waitForProcesses(of identifier: String) async {
    while runs[identifier] != nil { await nextEndOfRun() }
  }

  private func nextEndOfRun() async {
    await withCheckedContinuation { waitingForEnds.append($0) }
  }

  /// Lets a service that starts end this host.
  public func makeWay(by body: @escaping @Sendable () -> Void) { makeWay = body }

  // MARK: Active lists

  /// The compiled lists of all extensions that are turned on, sorted by identifier.
  public var contentRuleLists: [ContentRuleList] {
    listsInForce.sorted { $0.key < $1.key }.map(\.value)
  }

  func setListInForce(_ list: ContentRuleList?, of identifier: String) {
    listsInForce[identifier] = list
  }

  func isListInForce(_ identifier: String) -> Bool { listsInForce[identifier] != nil }

  func countCompile() { compileCount += 1 }

  // MARK: Order

  /// Runs an operation after all earlier ones on the same extension.
  func inOrder<Value: Sendable>(
    _ identifier: String,
    _ body: @escaping @Sendable () async -> Value
  ) async -> Value {
    await enqueue(identifier, body).value
  }

  func enqueue<Value: Sendable>(
    _ identifier: String,
    _ body: @escaping @Sendable () async -> Value
  ) -> Task<Value, Never> {
    let previous = tails[identifier]?.task
    let task = Task {
      await previous?.value
      return await body()
    }
    lastTail += 1
    let number = lastTail
    let tail = Task {
      _ = await task.value
      if self.tails[identifier]?.number == number { self.tails[identifier] = nil }
    }
    tails[identifier] = (number, tail)
    return task
  }

  /// Waits for a free slot for a message to an extension.
  func takeSlot(_ identifier: String) async {
    var slot = slots[identifier] ?? (0, [])
    if slot.used < configuration.messagesAtOnce {
      slot.used += 1
      slots[identifier] = slot
      return
    }
    await withCheckedContinuation { continuation in
      slots[identifier, default: (0, [])].waiting.append(continuation)
    }
  }

  func freeSlot(_ identifier: String) {
    guard var slot = slots[identifier] else { return }
    if slot.waiting.isEmpty {
      slot.used -= 1
      slots[identifier] = slot.used == 0 ? nil : slot
    } else {
      slot.waiting.removeFirst().resume()
      slots[identifier] = slot
    }
  }

  // MARK: Processes

  func begin(_ run: RequestRun, of identifier: String, isSession: Bool = false) {
    let active = ActiveRun(identifier: identifier, run: run, isSession: isSession)
    runs[identifier, default: []].append(active)
    if isStopped { run.stop("the host is ending") }
  }

  func end(_ run: RequestRun, of identifier: String) {
    runs[identifier]?.removeAll { $0.run === run }
    if runs[identifier]?.isEmpty ?? true { runs[identifier] = nil }
    let waiting = waitingForEnds
    waitingForEnds = []
    for continuation in waiting { continuation.resume() }
  }

  /// Cancels an extension's requests.
  func stopRuns(of identifier: String, _ reason: String) {
    for run in runs[identifier] ?? [] { run.run.stop(reason) }
  }

  /// Ends the processes that serve browsers, which the next event starts again.
  func stopHandlers(of identifier: String, _ reason: String) {
    crashes[identifier] = nil
    for run in runs[identifier] ?? [] where run.isSession { run.run.stop(reason, gently: true) }
  }

  /// Records the processor time of a process that has ended.
  func countProcessorTime(_ seconds: Double, of identifier: String) {
    processorUse[identifier, default: ProcessorUse()].add(seconds, at: System.milliseconds)
  }

  /// Checks that an extension has processor time left.
  ///
  /// - Throws: ``HostError`` with code `.overLimit`, which says when it can be started again.
  func checkProcessorTime(of identifier: String) throws(HostError) {
    let most = Double(configuration.processorTimePerHour)
    let now = System.milliseconds
    guard let wait = processorUse[identifier]?.wait(until: most, at: now) else { return }
    throw HostError(
      .overLimit,
      "\(identifier) is not started: its processes have taken \(configuration.processorTimePerHour) s"
        + " of processor time within an hour; it can be started again in \(wait / 60_000 + 1) min"
    )
  }

  func checkRunning() throws(ErrorReport) {
    if isStopped { throw .interrupted("the host is ending") }
  }

  // MARK: Messages to scripts

  func messages(of identifier: String) -> ScriptMessages {
    if let messages = scriptMessages[identifier] { return messages }
    let messages = ScriptMessages()
    scriptMessages[identifier] = messages
    return messages
  }

  func forgetMessages(of identifier: String) {
    scriptMessages.removeValue(forKey: identifier)?.close()
  }
}
