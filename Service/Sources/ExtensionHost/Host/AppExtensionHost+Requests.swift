internal import CLibrary
internal import BlockingWork
internal import ExtensionBundles
internal import ExtensionMessages
internal import ExtensionSandbox
internal import Foundation

extension AppExtensionHost {
  /// Starts an extension's process, sends it one item, and returns the items of its answer.
  ///
  /// Returns as soon as the answer arrives; the process may end later.
  ///
  /// - Parameters:
  ///   - bundle: The extension.
  ///   - item: The item.
  ///   - ended: Called when the process has ended.
  /// - Returns: The items; nil if the handler answered with nil.
  /// - Throws: The error that the extension cancelled with, or that of its failure, which is also
  ///   logged.
  func ask(
    _ bundle: InstalledBundle,
    _ item: ExtensionItem,
    ended: @escaping @Sendable () async -> Void = {}
  ) async throws(ErrorReport) -> [ExtensionItem]? {
    let identifier = bundle.identifier
    let run: RequestRun
    let process: any RunningExtension
    do {
      try checkRunning()
      let prepared = try await preparedContainer(of: bundle)
      // It may have been turned off meanwhile.
      try checkRunning()
      _ = try turnedOn(identifier)
      try checkProcessorTime(of: identifier)
      let groups = prepared.groups.mapValues(\.path)
      (run, process) = try startProcess(
        of: bundle,
        .request(ExtensionRequest(item: item, groupContainers: groups)),
        prepared
      )
    } catch {
      let report = ErrorReport(any: error)
      log.add("the extension cannot be started: \(report.description)", by: .host, of: identifier)
      await ended()
      throw report
    }
    tellWalls(process.walls, of: identifier)
    begin(run, of: identifier)
    let outcome: RequestOutcome = await withCheckedContinuation { continuation in
      Task {
        let report = await blocking { () -> RequestReport in
          run.run { continuation.resume(returning: $0) }
        }
        self.end(run, of: identifier)
        self.countProcessorTime(process.processorSeconds, of: identifier)
        self.note(report, of: identifier, process)
        await ended()
        if report.outcome.isFailure { continuation.resume(returning: report.outcome) }
      }
    }
    switch outcome {
    case .answered(let answer): return answer.items
    case .cancelled(let error):
      // A failure of the runtime counts as the extension's; and an extension cannot blame the host
      // by using its error domain.
      guard error.isOfHost else { throw error }
      throw .loadingInterrupted(error.description)
    case .failed(.stopped(let reason)): throw .interrupted("the request was given up: \(reason)")
    case .failed(.ended(.exceeded(.notCounted))):
      throw HostError(
        .file,
        "\(identifier) was ended, since \(ProcessLimit.notCounted.reason); it is not to blame"
      ).report
    case .failed(let failure):
      throw .loadingInterrupted(failure.description + failure.wayOut(of: identifier))
    }
  }

  /// Prepares an extension's folders, and checks that they are within their limits.
  func preparedContainer(
    of bundle: InstalledBundle
  ) async throws(HostError) -> ExtensionContainers.Prepared {
    let containers = containers
    let limits = configuration.processLimits.disk
    let groups = try groups(of: bundle)
    return try await blocking { () throws(HostError) in
      let prepared = try containers.prepare(bundle.identifier, groups: groups)
      if let limits { try containers.check(prepared, of: bundle.identifier, limits) }
      return prepared
    }
  }

  /// Starts an extension's process for a request, or for a browser's session.
  func startProcess(
    of bundle: InstalledBundle,
    _ first: MessageToExtension,
    _ prepared: ExtensionContainers.Prepared,
    session: SessionPart? = nil
  ) throws -> (RequestRun, any RunningExtension) {
    guard let executable = bundle.executable else {
      throw HostError(.badBundle, "\(bundle.identifier) has no executable")
    }
    let (hostEnd, theirEnd) = try Descriptor.pair()
    let (output, theirOutput) = try Descriptor.pair()
    let process = try launcher.start(
      ProcessPlan(
        executable: executable,
        environment: environment(prepared),
        bundle: bundle.location,
        readWrite: [prepared.home] + prepared.groups.sorted { $0.key < $1.key }.map(\.value),
        writableRoots: prepared.roots,
        network: allowsNetwork(bundle),
        limits: configuration.processLimits(ofSession: session != nil),
        channel: theirEnd.number,
        output: theirOutput.number
      )
    )
    do {
      let run = try RequestRun(
        first,
        to: process,
        channel: hostEnd,
        output: output,
        limits: RequestRun.Limits(
          deadline: configuration.deadline,
          grace: configuration.grace,
          output: configuration.output,
          messages: configuration.messageLimits
        ),
        session: session,
        call: { [weak self] call in
          await self?.reply(to: call, from: bundle) ?? .failure(.interrupted("the host is ending"))
        }
      )
      return (run, process)
    } catch {
      process.kill()
      Task.detached { _ = await process.wait() }
      throw error
    }
  }

  /// Logs which walls confine an extension: the first time, and whenever they change.
  func tellWalls(_ walls: String?, of identifier: String) {
    guard let walls, walls != toldWalls[identifier] else { return }
    toldWalls[identifier] = walls
    log.add("sandbox: \(walls)", by: .host, of: identifier)
    // Stored for commands that run without a service; failing to store it must not prevent the
    // start.
    guard var state = try? states.state(of: identifier), state.walls != walls else { return }
    state.walls = walls
    try? states.set(state, of: identifier)
  }

  private func environment(_ prepared: ExtensionContainers.Prepared) -> [String: String] {
    var environment = prepared.environment
    environment["PATH"] = "/usr/bin:/bin"
    // A crash is reported on standard error anyway; the backtracer would be another process.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    let own = ProcessInfo.processInfo.environment
    environment["LANG"] = own["LANG"] ?? "C.UTF-8"
    for name in ["LD_LIBRARY_PATH", "TZ"] { environment[name] = own[name] }
    return environment
  }

  /// Returns whether an extension may make connections: by its entitlements, or, if it has none, by
  /// the user's grant.
  func allowsNetwork(_ bundle: InstalledBundle) -> Bool {
    if let entitlements = bundle.entitlements { return entitlements.allowsNetwork }
    return (try? state(of: bundle).isNetworkGranted) ?? false
  }

  /// Logs what a developer wants to know about a request.
  private func note(
    _ report: RequestReport,
    of identifier: String,
    _ process: any RunningExtension
  ) {
    if !report.printed.isEmpty {
      log.add(String(decoding: report.printed, as: UTF8.self), by: .printed, of: identifier)
    }
    if report.unkeptOutput > 0 {
      log.add("\(report.unkeptOutput) more bytes were printed", by: .host, of: identifier)
    }
    for refusal in process.refusals { log.add(refusal, by: .refused, of: identifier) }
    switch report.outcome {
    case .answered(let answer):
      for note in answer.notes.prefix(100) { log.add(note, by: .note, of: identifier) }
    case .cancelled(let error):
      log.add(
        "the request was cancelled: \(error.domain) \(error.code): \(error.description)",
        by: .host,
        of: identifier
      )
    case .failed(let failure):
      log.add(failure.description + failure.wayOut(of: identifier), by: .host, of: identifier)
    }
    guard !report.outcome.isFailure else { return }
    if report.hadToBeEnded {
      log.add(
        "the process did not end within \(configuration.grace) s of its answer, and was ended",
        by: .host,
        of: identifier
      )
    } else if let exit = report.exit, exit != .exited(0) {
      log.add("after the answer \(exit)", by: .host, of: identifier)
    }
  }
}

extension RequestOutcome.Failure: CustomStringConvertible {
  var description: String {
    switch self {
    case .ended(.exited(let status)): "the process ended with status \(status), without an answer"
    case .ended(let exit): "\(exit), without an answer"
    case .deadline(let seconds):
      "there was no answer within \(seconds.formatted(.number.locale(Locale(identifier: "C")))) s"
    case .rubbish(let reason): "what the process sent is not an answer: \(reason)"
    case .stopped(let reason): "the request was given up: \(reason)"
    case .idle(let seconds): "the process had nothing to do for \(Int(seconds)) s, and was ended"
    }
  }

  /// Returns what the user can do about it, as the end of a sentence; empty if it is not the user's
  /// concern.
  func wayOut(of identifier: String) -> String {
    guard case .ended(.exceeded(let limit)) = self, limit.isAboutDisk else { return "" }
    return "; " + ExtensionContainers.wayOut(limit, identifier)
  }
}

extension ProcessExit: CustomStringConvertible {
  /// How the process ended, as part of a sentence.
  public var description: String {
    switch self {
    case .exited(let status): return "the process ended with status \(status)"
    case .exceeded(let limit):
      return "the process was ended because \(limit.reason)"
    case .signalled(let signal):
      let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
      return "the process crashed by signal \(signal) (\(name.lowercased()))"
    }
  }
}
