internal import BlockingWork
internal import ExtensionBundles
public import ExtensionMessages
internal import Foundation

extension AppExtensionHost {
  /// How often a handler may crash within ten minutes before it is not started any more.
  private static let mostCrashes = 5
  private static let crashSpan: Int64 = 600_000
  /// How many sessions there may be: a browser has one for each of its extensions.
  private static let mostSessions = 200
  /// How many seconds a session outlives a browser that stops asking.
  private static let patience = 30.0

  /// Begins a browser's session with the handler of a Safari app extension; starts nothing.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - owner: Whose extension is meant; nil for anybody's.
  /// - Returns: The session's name.
  /// - Throws: `SFErrorDomain` 1 if there is no such extension, or it is off; ``HostError/domain``.
  public func openSession(
    of identifier: String,
    owner: ExtensionOwner? = nil
  ) throws(ErrorReport) -> String {
    try checkRunning()
    let bundle = try turnedOnHandler(identifier, owner)
    guard sessions.count < Self.mostSessions else {
      throw HostError(.overLimit, "there are \(sessions.count) sessions of browsers already").report
    }
    let session = HandlerSession(
      identifier,
      owner: owner,
      access: Self.websiteAccess(of: bundle),
      output: configuration.output,
      log: log
    )
    sessions[session.name] = session
    Task { [weak self] in
      while !session.isClosed, !session.isAbandoned(after: Self.patience) {
        try? await Task.sleep(for: .seconds(5))
      }
      session.close()
      await self?.forget(session)
    }
    deliverMessages(of: identifier)
    return session.name
  }

  private func forget(_ session: HandlerSession) { sessions[session.name] = nil }

  /// Sends an event to the handler of a session, and starts it if it does not run.
  ///
  /// - Throws: As ``openSession(of:owner:)``; ``HostError/domain`` with code `.badArgument` if the session
  ///   has ended, `.overLimit` if the handler crashes too often or takes no events.
  public func send(_ event: MessageValue, to name: String) async throws(ErrorReport) {
    guard let session = sessions[name], !session.isClosed else {
      throw HostError(.badArgument, "the session has ended; open another one").report
    }
    session.willSend(event)
    // In the order of the calls, and so that two events do not start two processes.
    let result: Result<Void, ErrorReport> = await inOrder("/session/\(name)") {
      do throws(ErrorReport) {
        return .success(try await self.sendNow(event, session))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private func sendNow(_ event: MessageValue, _ session: HandlerSession) async throws(ErrorReport) {
    // Whoever holds a session reaches the extension only as long as it is the same developer's.
    let bundle = try turnedOnHandler(session.identifier, session.owner)
    for _ in 0..<2 {
      let run: RequestRun
      if let running = session.run {
        run = running
      } else if event["event"]?.string == "result" {
        // An answer to a process that has ended.
        return
      } else {
        run = try await start(bundle, session)
      }
      do throws(ExtensionMessageError) {
        if try run.send(event) { return }
      } catch {
        throw HostError(.badArgument, "the event cannot be sent: \(error.message)").report
      }
      // It was ending, or takes nothing.
      guard session.run !== run || run.isEnding else { break }
      session.forget(run)
    }
    throw HostError(
      .overLimit,
      "the handler of \(session.identifier) takes no events; see: tickbird extensions log "
        + session.identifier
    ).report
  }

  /// Waits for what the handler of a session says to its browser.
  ///
  /// - Returns: The messages; nil if the session has ended.
  public func nextFromHandler(_ name: String) async throws(ErrorReport) -> [MessageValue]? {
    guard let session = sessions[name] else { return nil }
    return await session.next()
  }

  /// Passes the messages of an app on to the handler, in the session that was used last.
  ///
  /// Without a session they wait for the next one.
  func deliverMessages(of identifier: String) {
    let last = sessions.values.filter { $0.identifier == identifier && !$0.isClosed }
      .max { $0.lastEvent < $1.lastEvent }
    guard let last else { return }
    let events = messages(of: identifier).takeAll().map { message -> MessageValue in
      [
        "type": .string("event"), "event": .string("messageFromApp"),
        "name": .string(message.name), "userInfo": message.userInfo,
      ]
    }
    guard !events.isEmpty else { return }
    Task {
      for event in events {
        do {
          try await self.send(event, to: last.name)
        } catch {
          log.add(
            "a message of its app was not delivered: \(ErrorReport(any: error).description)",
            by: .host,
            of: identifier
          )
        }
      }
    }
  }

  // MARK: The process

  private func turnedOnHandler(
    _ identifier: String,
    _ owner: ExtensionOwner?
  ) throws(ErrorReport) -> InstalledBundle {
    let bundle = try turnedOn(identifier, owner: owner)
    guard bundle.extensionPoint == .appExtension else {
      throw .noExtensionFound("\(identifier) is no Safari app extension")
    }
    return bundle
  }

  private static func websiteAccess(of bundle: InstalledBundle) -> WebsiteAccess {
    let file = bundle.location.appending(path: "Info.plist")
    return WebsiteAccess((try? InformationPropertyList(contentsOf: file))?.values ?? [:])
  }

  /// Starts the handler's process for a session.
  private func start(
    _ bundle: InstalledBundle,
    _ session: HandlerSession
  ) async throws(ErrorReport) -> RequestRun {
    let identifier = bundle.identifier
    let run: RequestRun
    let process: any RunningExtension
    do {
      try checkRunning()
      try checkCrashes(of: identifier)
      let prepared = try await preparedContainer(of: bundle)
      try checkRunning()
      // It may have been turned off or replaced meanwhile.
      guard try turnedOnHandler(identifier, session.owner).location == bundle.location else {
        throw ErrorReport.interrupted("another version was installed")
      }
      try checkProcessorTime(of: identifier)
      let groups = prepared.groups.mapValues(\.path)
      (run, process) = try startProcess(
        of: bundle,
        .session(ExtensionSession(groupContainers: groups)),
        prepared,
        session: SessionPart(
          idle: configuration.idle,
          say: { [weak session] in session?.say($0, from: session?.run) },
          hasRoom: { [weak session] in session?.hasRoom ?? true },
          printed: { [weak session] in session?.print($0) }
        )
      )
    } catch {
      let report = ErrorReport(any: error)
      log.add("the handler cannot be started: \(report.description)", by: .host, of: identifier)
      throw report
    }
    tellWalls(process.walls, of: identifier)
    begin(run, of: identifier, isSession: true)
    session.run = run
    if session.isClosed { run.stop("the browser has gone", gently: true) }
    Task {
      let report = await blocking { run.run { _ in } }
      session.forget(run)
      self.end(run, of: identifier)
      self.countProcessorTime(process.processorSeconds, of: identifier)
      self.noteEnd(report, of: identifier, process)
    }
    return run
  }

  /// Logs how a handler's process ended, and counts crashes.
  private func noteEnd(
    _ report: RequestReport,
    of identifier: String,
    _ process: any RunningExtension
  ) {
    for refusal in process.refusals { log.add(refusal, by: .refused, of: identifier) }
    switch report.outcome {
    case .failed(.stopped(let reason)):
      log.add("the handler was ended: \(reason)", by: .host, of: identifier)
      return
    case .failed(.idle(let seconds)):
      log.add("the handler had nothing to do for \(Int(seconds)) s", by: .host, of: identifier)
      return
    case .failed(.ended(let exit)):
      log.add("the handler ended by itself: \(exit)", by: .host, of: identifier)
    case .failed(let failure): log.add(failure.description, by: .host, of: identifier)
    case .cancelled(let error):
      log.add("the handler cannot run: \(error.description)", by: .host, of: identifier)
    case .answered: log.add("the handler answered what nobody asked", by: .host, of: identifier)
    }
    crashes[identifier, default: []].append(System.milliseconds)
  }

  /// Checks that a handler has not crashed too often.
  private func checkCrashes(of identifier: String) throws(HostError) {
    let now = System.milliseconds
    let recent = (crashes[identifier] ?? []).filter { now - $0 < Self.crashSpan }
    crashes[identifier] = recent
    guard recent.count >= Self.mostCrashes, let first = recent.first else { return }
    throw HostError(
      .overLimit,
      "the handler of \(identifier) ended by itself \(recent.count) times within ten minutes; it is "
        + "started again in \((first + Self.crashSpan - now) / 60_000 + 1) min, or when the extension is "
        + "turned off and on"
    )
  }
}
