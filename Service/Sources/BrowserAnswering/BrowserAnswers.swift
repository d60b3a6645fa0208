internal import BlockingWork
public import ExtensionGallery
public import ExtensionHost
public import Foundation
public import ListSubscriptions
public import NativeMessaging
public import PageNotes
public import ServiceFolders
public import SharedLinks

/// Dispatches every question of a browser to its answer.
///
///     let answers = BrowserAnswers(gate, folders, host: host, extensions: extensions, gallery: installer)
///     MessageLoop(port).run { answers.reply($0) }
public struct BrowserAnswers: Sendable {
  /// The wire's version, part of the answer to `hello`; an extension of another version has to be
  /// replaced.
  ///
  /// Version 2 has one question for parts of anything long.
  public static let version = 2
  /// The user's notes, which a question about them opens.
  public let notes: NoteStore
  private let gate: BrowserGate
  private let noteWatch: NoteWatch
  private let lists: BrowserLists
  private let rules: BrowserRules
  private let links: BrowserLinks
  private let scripts: BrowserScripts
  private let subscriptions: BrowserSubscriptions
  private let localApp: BrowserLocalApp
  private let advice: BrowserAdvice
  private let gallery: BrowserGallery

  /// Creates the dispatcher.
  ///
  /// - Parameters:
  ///   - gate: Decides who may ask what.
  ///   - folders: The user's folders.
  ///   - host: The host of extensions, which is connected to on demand.
  ///   - extensions: The Shared Links extensions.
  ///   - gallery: Installs extensions from galleries.
  ///   - updater: Adds lists and keeps them up to date; nil for one that compiles in this process.
  ///   - localApp: Starts the local app unless it runs, and returns the address that lets a browser in;
  ///     nil where there is none.
  ///   - handler: The port to the handler of a Safari app extension; nil where there can be none.
  public init(
    _ gate: BrowserGate,
    _ folders: ServiceFolders,
    host: any HostCalling,
    extensions: any ExtensionLinkSource,
    gallery: ExtensionInstaller,
    updater: ListUpdater? = nil,
    localApp: (@Sendable () async throws -> URL)? = nil,
    handler: HandlerPort? = nil
  ) {
    self.localApp = BrowserLocalApp(start: localApp)
    self.gate = gate
    lists = BrowserLists(data: folders.data)
    rules = BrowserRules(folders)
    advice = BrowserAdvice(data: folders.data)
    links = BrowserLinks(folders, extensions: extensions)
    scripts = BrowserScripts(host, handler: handler)
    self.gallery = BrowserGallery(gallery)
    let store = SubscriptionStore(data: folders.data)
    subscriptions = BrowserSubscriptions(
      store: store,
      updater: updater ?? ListUpdater(store: store, preparation: .inProcess)
    )
    notes = NoteStore(openedWhenUsed: folders)
    noteWatch = NoteWatch(notes)
  }

  /// Answers a question.
  ///
  /// A question with a number, such as `"question": 7`, has an answer with the same number.
  ///
  /// - Parameter json: The message, not yet validated.
  /// - Returns: The answer, or what will produce it.
  public func reply(_ json: Data) -> MessageLoop.Reply {
    let question: Question
    let reply: Reply
    switch gate.verdict(json) {
    case .allowed(let checked):
      // The gate may have re-encoded the question; what it has checked is what is answered.
      question = Question(checked)
      reply = answer(question.kind, checked)
    case .refused(let reason):
      question = Question(json)
      reply = .now(.error(WireError("refused", reason)))
    }
    let number = question.number
    switch reply {
    case .none: return .none
    case .now(let answer): return .now(answer.json(question: number))
    case .later(let body):
      return .later { [gate] in
        let answer = await body()
        // Who was taken out of browsers while this took its time gets nothing of it.
        if case .refused(let reason) = gate.verdict(json) {
          return Answer.error(WireError("refused", reason)).json(question: number)
        }
        return answer.json(question: number)
      }
    }
  }

  /// Creates a reply from nothing, from an immediate answer, or from work that does not delay other questions.
  enum Reply {
    case none
    case now(Answer)
    case later(@Sendable () async -> Answer)
  }

  private func answer(_ kind: Question.Kind, _ json: Data) -> Reply {
    switch kind {
    case .hello: .now(.hello(Answer.Hello()))
    case .lists(let question):
      .now(Answer { () throws(WireError) in .lists(try lists.offered(question)) })
    case .declarative:
      .later { [rules] in
        do throws(WireError) { return .declarative(try await rules.offer()) } catch {
          return .error(error)
        }
      }
    case .part(let question):
      .now(Answer { () throws(WireError) in .part(try part(question)) })
    case .outdated: .now(.error(.otherVersion("version")))
    case .script(let kind): scripts.reply(kind, json)
    case .links(let kind): links.reply(kind, json)
    case .subscriptions(let kind): subscriptions.reply(kind, json)
    case .localApp(let kind): localApp.reply(kind)
    case .advice(let kind): advice.reply(kind, json)
    case .gallery(let kind): gallery.reply(kind, json)
    case .note: .now(.note(note(json)))
    case .unknown(let type): .now(.error(.unknownType(type)))
    }
  }

  private func part(_ question: Question.OfPart) throws(WireError) -> Part {
    guard let digest = question.digest, let offset = question.offset,
      let part = rules.part(digest, at: offset)
        ?? lists.part(digest, at: offset)
    else {
      throw WireError("unknown-part", "this is not there any more; ask again for what there is")
    }
    return part
  }

  private func note(_ json: Data) -> NoteAnswer {
    noteWatch.willAnswer(json)
    return notes.reply(to: json)
  }

  // MARK: Notices

  /// Notifies the browser when active lists or links are no longer those that it asked for, until
  /// the task is cancelled.
  ///
  /// Lists are looked at when the kernel gives notice of a change; it gives none on some file systems and of
  /// links, so all are looked at once a second as well.
  public func tellOfChanges(on port: MessagePort) async {
    let watch = lists.watch()
    await withTaskCancellationHandler {
      await blocking {
        while watch.wait(for: .seconds(1)) != .end {
          do {
            if lists.haveChanged() {
              rules.willBeAsked()
              try port.send(Answer.changed.json())
            }
            if links.haveChanged() { try port.send(Answer.linksChanged.json()) }
          } catch {
            return
          }
        }
      }
    } onCancel: {
      watch.end()
    }
  }

  /// Notifies the browser when the index of notes is no longer the one that it asked for, until the
  /// task is cancelled.
  public func tellOfNotes(on port: MessagePort) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(500))
      guard noteWatch.hasChanged() else { continue }
      do { try port.send(Answer.notesChanged.json()) } catch { return }
    }
  }
}

extension WireError {
  /// Returns the error for a question of a type that this version does not know.
  fileprivate static func unknownType(_ type: String) -> WireError {
    WireError(
      "unknown-type",
      "the type “\(type.prefix(50))” is not known here; if the extension is of another version of "
        + "Tickbird, load the one that came with this program"
    )
  }

  /// Returns the error for an extension that did not come with this program.
  static func otherVersion(_ code: String) -> WireError {
    WireError(
      code,
      "the extension is of another version of Tickbird; load the one that came with this program"
    )
  }
}
