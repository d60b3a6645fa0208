internal import BlockingWork
internal import ArgumentParser
internal import Foundation
internal import NativeMessaging
internal import PageNotes
internal import ServiceFolders
internal import TextOutput

/// `tickbird-host browser host`: what a browser starts, and speaks to by native messaging.
///
/// Browsers cannot give a subcommand; ``arguments(_:)`` knows them by the arguments that they give.
struct BrowserHost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "host",
    abstract: "Answers a browser; started by browsers alone.",
    shouldDisplay: false
  )
  @Argument(parsing: .captureForPassthrough) var caller: [String] = []

  /// The arguments of this program, with the subcommand that a browser means.
  static func arguments(_ arguments: [String]) -> [String] {
    NativeCaller(arguments: arguments) == nil ? arguments : ["browser", "host"] + arguments
  }

  func run() async throws {
    guard let caller = NativeCaller(arguments: caller) else {
      throw ValidationError(
        """
        Browsers start this with their extension's id. “tickbird browser install” lets them.
        """
      )
    }
    let wire = try StandardStreams.takeWire()
    StandardError.dropWhereFull()
    let port = MessagePort(input: wire.input, output: wire.output)
    let gate = BrowserGate(caller, ServiceFolders())
    let requests = HostRequests(gate)
    // Only the own extension gets anything that it did not ask for.
    let work: [@Sendable () async -> Void] = [
      { await requests.synchronizeNotes() }, { await requests.tellOfChanges(on: port) },
      { await requests.tellOfNotes(on: port) },
    ]
    let tasks = gate.isOwn ? work.map { body in Task.detached { await body() } } : []
    let end = await blocking { MessageLoop(port).run { requests.reply($0) } }
    for task in tasks { task.cancel() }
    if case .failed(let error) = end {
      Report.complain("\(error)")
      throw ExitStatus.refused
    }
  }
}

/// What a browser may ask, and the answers.
struct HostRequests: Sendable {
  private let gate: BrowserGate
  private let notes: Result<NoteStore, NoteError>
  private let noteWatch: NoteWatch?
  private let lists = BrowserLists(data: ServiceFolders().data)
  private let rules = BrowserRules(data: ServiceFolders().data)
  private let links = BrowserLinks(ServiceFolders())
  private let scripts = BrowserScripts()

  /// Takes what decides, and opens the user's notes; what is wrong with them is said to who asks for
  /// them.
  init(_ gate: BrowserGate) {
    self.gate = gate
    do {
      let store = try NoteStore(folders: ServiceFolders())
      notes = .success(store)
      noteWatch = NoteWatch(store)
    } catch {
      noteWatch = nil
      notes = .failure(error as? NoteError ?? NoteError(.database, "\(error)"))
    }
  }

  private struct Request: Decodable {
    let request: String
  }

  private struct Numbered: Decodable {
    let question: Int
  }

  private struct Hello: Encodable {
    let type = "hello"
    let version = 1
    let host = "tickbird-host"
    let process = ProcessInfo.processInfo.processIdentifier
  }

  /// Answers one request: `hello`, those of ``BrowserLists``, ``BrowserRules``, ``BrowserLinks``,
  /// ``BrowserScripts`` or ``NoteRequest``.
  ///
  /// A request with a number, as `"question": 7`, has an answer with the same number.
  func reply(_ json: Data) -> MessageLoop.Reply {
    let reply = unnumbered(json)
    guard let number = try? JSONDecoder().decode(Numbered.self, from: json).question else {
      return reply
    }
    return reply.map { answer in
      // All answers are objects with at least a type.
      let message = Data("{\"question\":\(number),".utf8) + answer.message.dropFirst()
      return MessageLoop.Answer(message, splitting: answer.splitting)
    }
  }

  private func unnumbered(_ request: Data) -> MessageLoop.Reply {
    let json: Data
    switch gate.verdict(request) {
    case .allowed(let checked): json = checked
    case .refused(let reason):
      return .now(MessageLoop.Answer(WireError("refused", reason).json))
    }
    return links.reply(json) ?? scripts.reply(json) ?? .now(answer(json))
  }

  private func answer(_ json: Data) -> MessageLoop.Answer {
    if let answer = lists.answer(json) { return MessageLoop.Answer(answer) }
    if let answer = rules.answer(json) { return MessageLoop.Answer(answer) }
    let word = try? JSONDecoder().decode(Request.self, from: json).request
    if word == "hello", let hello = try? JSONEncoder().encode(Hello()) {
      return MessageLoop.Answer(hello)
    }
    switch notes {
    case .success(let store):
      noteWatch?.willAnswer(json)
      return MessageLoop.Answer(store.answer(json: json))
    case .failure(let error): return MessageLoop.Answer(NoteAnswer.error(error).json())
    }
  }

  /// Tells the browser when active lists or links are no longer those that it asked for.
  func tellOfChanges(on port: MessagePort) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      do {
        if lists.haveChanged() { try port.send(Data(#"{"type":"changed"}"#.utf8)) }
        if links.haveChanged() { try port.send(Data(#"{"type":"linksChanged"}"#.utf8)) }
      } catch {
        return
      }
    }
  }

  /// Tells the browser when the index of notes is no longer the one that it asked for.
  func tellOfNotes(on port: MessagePort) async {
    guard let noteWatch else { return }
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(500))
      guard noteWatch.hasChanged() else { continue }
      do { try port.send(NoteWatch.notice) } catch { return }
    }
  }

  /// Exchanges notes with other devices.
  ///
  /// Not at once: most processes live for one message.
  func synchronizeNotes() async {
    guard case .success(let store) = notes else { return }
    do { try await Task.sleep(for: .seconds(5)) } catch { return }
    await BackgroundWork.synchronize(store)
  }
}
