internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import NativeMessaging
internal import PageNotes

/// What a browser is answered, or told without a question: one JSON object, known by its `type`.
///
/// Everything that leaves for a browser is one of these, but for the refusals of messages that are too
/// long. `Documentation/NativeMessaging.md` lists the keys of each.
enum Answer {
  /// The host is there.
  case hello(Hello)
  /// The active lists.
  case lists(BrowserLists.Offers)
  /// The active lists as declarative rules.
  case declarative(BrowserRules.Offer)
  /// A part of what is too long for one message.
  case part(Part)
  /// The list was set.
  case setContentBlocker
  /// What a handler answered.
  case sendMessage(SentMessage)
  /// Links of the stream.
  case links(BrowserLinkAnswers.Links)
  /// Icons of links.
  case linkIcons(BrowserLinkAnswers.Icons)
  /// What links come from.
  case linkSources(BrowserLinkAnswers.Sources)
  /// Links were marked.
  case marked
  /// A feed was subscribed to.
  case subscribed(BrowserLinkAnswers.Subscribed)
  /// One of several feeds has to be chosen.
  case feeds(BrowserLinkAnswers.Choice)
  /// A feed was unsubscribed from.
  case unsubscribed(BrowserLinkAnswers.Unsubscribed)
  /// Sources were fetched.
  case refreshed(BrowserLinkAnswers.Refreshed)
  /// What is answered about notes, which has types of its own.
  case note(NoteAnswer)
  /// What is wrong.
  case error(WireError)
  /// The active lists are others; answers nothing.
  case changed
  /// There may be other links or sources; answers nothing.
  case linksChanged
  /// The index of notes is another; answers nothing.
  case notesChanged

  /// That the host is there.
  struct Hello: Encodable {
    let version = BrowserAnswers.version
    let host = "tickbird-host"
    let process = ProcessInfo.processInfo.processIdentifier
  }

  /// What a handler answered, which may be any value.
  struct SentMessage: Encodable {
    var message: MessageValue
  }

  /// The words for answers that are not about notes.
  enum Kind: String, CaseIterable {
    case hello, lists, declarative, part, setContentBlocker, sendMessage, links, linkIcons,
      linkSources, marked, subscribed, feeds, unsubscribed, refreshed, error, changed, linksChanged,
      notesChanged
  }

  /// The word for the answer; nil for what is answered about notes.
  var kind: Kind? { content.kind }

  /// The word, and what else is said.
  var content: (kind: Kind?, members: (any Encodable)?) {
    switch self {
    case .hello(let hello): (.hello, hello)
    case .lists(let lists): (.lists, lists)
    case .declarative(let offer): (.declarative, offer)
    case .part(let part): (.part, part)
    case .setContentBlocker: (.setContentBlocker, nil)
    case .sendMessage(let sent): (.sendMessage, sent)
    case .links(let links): (.links, links)
    case .linkIcons(let icons): (.linkIcons, icons)
    case .linkSources(let sources): (.linkSources, sources)
    case .marked: (.marked, nil)
    case .subscribed(let source): (.subscribed, source)
    case .feeds(let choice): (.feeds, choice)
    case .unsubscribed(let links): (.unsubscribed, links)
    case .refreshed(let outcome): (.refreshed, outcome)
    case .note(let answer): (nil, answer)
    case .error(let error): (.error, error)
    case .changed: (.changed, nil)
    case .linksChanged: (.linksChanged, nil)
    case .notesChanged: (.notesChanged, nil)
    }
  }

  /// The object as JSON in UTF-8.
  ///
  /// - Parameter question: The number of the question; nil where it has none, or nothing is answered.
  /// - Returns: An error as JSON for what cannot be written, which no answer is.
  func json(question: Int? = nil) -> Data {
    let object = Object(answer: self, question: question)
    do {
      // Messages know values that JSON does not have, and how they become some that it has.
      if case .sendMessage = self { return Data(try MessageValue(encoding: object).json.utf8) }
      return try object.json()
    } catch {
      return WireError("failed", "the answer cannot be written: \(error)").json
    }
  }

  /// The answer with its question's number.
  private struct Object: Encodable {
    let answer: Answer
    let question: Int?

    private enum Key: String, CodingKey { case type, question }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encodeIfPresent(answer.kind?.rawValue, forKey: .type)
      try container.encodeIfPresent(question, forKey: .question)
      try answer.content.members?.encode(to: encoder)
    }
  }
}

extension Answer {
  /// What comes of a body, or the error that it throws.
  init(_ body: () throws(WireError) -> Answer) {
    do throws(WireError) {
      self = try body()
    } catch {
      self = .error(error)
    }
  }
}

extension Encodable {
  /// The value as JSON; slashes stay as they are, for addresses have many.
  ///
  /// - Throws: What its own encoding throws.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return try encoder.encode(self)
  }
}
