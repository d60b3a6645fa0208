internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import NativeMessaging
internal import PageNotes

/// An answer to a browser, or a notice without a question: one JSON object, identified by its
/// `type`.
///
/// Everything sent to a browser is one of these, except the errors for questions that are too long.
/// `Documentation/NativeMessaging.md` lists the keys of each.
enum Answer {
  /// The host is there.
  case hello(Hello)
  /// The active lists.
  case lists(BrowserLists.Offers)
  /// The active lists as declarative rules.
  case declarative(BrowserRules.Offer)
  /// A part of data that is too long for one message.
  case part(Part)
  /// The list was set.
  case setContentBlocker
  /// A handler's answer.
  case sendMessage(SentMessage)
  /// A message that an app dispatched to the script.
  case nextMessage(Dispatched)
  /// Links of the stream.
  case links(BrowserLinkAnswers.Links)
  /// Icons of links.
  case linkIcons(BrowserLinkAnswers.Icons)
  /// The sources of links.
  case linkSources(BrowserLinkAnswers.Sources)
  /// Links were marked.
  case marked
  /// A feed was subscribed to.
  case subscribed(BrowserLinkAnswers.Subscribed)
  /// One of several feeds has to be chosen.
  case feeds(BrowserLinkAnswers.Choice)
  /// A feed was unsubscribed from.
  case unsubscribed(BrowserLinkAnswers.Unsubscribed)
  /// The subscriptions to lists.
  case subscriptions(BrowserSubscriptions.Lists)
  /// A subscription was made or changed.
  case subscription(BrowserSubscriptions.Single)
  /// A subscription was removed.
  case listRemoved
  /// Lists were updated.
  case listUpdates(BrowserSubscriptions.Updates)
  /// The user's own rules.
  case ownRules(BrowserSubscriptions.Own)
  /// Well-known lists.
  case catalogue(BrowserSubscriptions.Catalogue)
  /// Where the local app is.
  case localApp(BrowserLocalApp.Address)
  /// An exception for a load.
  case exception(ExceptionQuestion.Advice)
  /// A gallery.
  case gallery(BrowserGallery.Gallery)
  /// What would be installed.
  case galleryOffer(BrowserGallery.Offer)
  /// It is installed.
  case installed(BrowserGallery.Installed)
  /// Sources were refreshed.
  case refreshed(BrowserLinkAnswers.Refreshed)
  /// An answer about notes, which has types of its own.
  case note(NoteAnswer)
  /// An error.
  case error(WireError)
  /// Notice: the active lists have changed.
  case changed
  /// Notice: links or sources may have changed.
  case linksChanged
  /// Notice: the index of notes has changed.
  case notesChanged

  /// The answer to `hello`.
  struct Hello: Encodable {
    let version = BrowserAnswers.version
    let host = "tickbird-host"
    let process = ProcessInfo.processInfo.processIdentifier
  }

  /// A handler's answer, which may be any value.
  struct SentMessage: Encodable {
    var message: MessageValue
  }

  /// A message to a script, as its port's listeners get it.
  struct Dispatched: Encodable {
    var message: Content

    struct Content: Encodable {
      var name: String
      var userInfo: MessageValue
    }

    init(_ message: ScriptMessage) {
      self.message = Content(name: message.name, userInfo: message.userInfo)
    }
  }

  /// The `type` of answers that are not about notes.
  enum Kind: String, CaseIterable {
    case hello, lists, declarative, part, setContentBlocker, sendMessage, nextMessage, links,
      linkIcons, linkSources, marked, subscribed, feeds, unsubscribed, refreshed, subscriptions,
      subscription, listRemoved, listUpdates, ownRules, catalogue, localApp, exception,
      gallery, galleryOffer, installed, error, changed, linksChanged, notesChanged
  }

  /// The answer's `type`; nil for answers about notes.
  var kind: Kind? { content.kind }

  /// Encodes the `type` and the answer's own keys.
  var content: (kind: Kind?, members: (any Encodable)?) {
    switch self {
    case .hello(let hello): (.hello, hello)
    case .lists(let lists): (.lists, lists)
    case .declarative(let offer): (.declarative, offer)
    case .part(let part): (.part, part)
    case .setContentBlocker: (.setContentBlocker, nil)
    case .sendMessage(let sent): (.sendMessage, sent)
    case .nextMessage(let dispatched): (.nextMessage, dispatched)
    case .links(let links): (.links, links)
    case .linkIcons(let icons): (.linkIcons, icons)
    case .linkSources(let sources): (.linkSources, sources)
    case .marked: (.marked, nil)
    case .subscribed(let source): (.subscribed, source)
    case .feeds(let choice): (.feeds, choice)
    case .unsubscribed(let links): (.unsubscribed, links)
    case .refreshed(let outcome): (.refreshed, outcome)
    case .subscriptions(let lists): (.subscriptions, lists)
    case .subscription(let list): (.subscription, list)
    case .listRemoved: (.listRemoved, nil)
    case .listUpdates(let updates): (.listUpdates, updates)
    case .ownRules(let rules): (.ownRules, rules)
    case .catalogue(let entries): (.catalogue, entries)
    case .localApp(let address): (.localApp, address)
    case .exception(let advice): (.exception, advice)
    case .gallery(let gallery): (.gallery, gallery)
    case .galleryOffer(let offer): (.galleryOffer, offer)
    case .installed(let installed): (.installed, installed)
    case .note(let answer): (nil, answer)
    case .error(let error): (.error, error)
    case .changed: (.changed, nil)
    case .linksChanged: (.linksChanged, nil)
    case .notesChanged: (.notesChanged, nil)
    }
  }

  /// Encodes the answer as JSON in UTF-8.
  ///
  /// - Parameter question: The number of the question; nil if it has none, or for a notice.
  /// - Returns: The JSON; that of an error with the same number if the answer is longer than a
  ///   browser takes, or cannot be encoded.
  func json(question: Int? = nil) -> Data {
    do {
      let json = try encoded(question)
      guard json.count > MessageLimits.outgoing else { return json }
      return try Answer.error(.answerTooLarge(size: json.count)).encoded(question)
    } catch {
      let error = WireError("failed", "the answer cannot be written: \(error)")
      // The error has only strings, which can always be encoded.
      return (try? Answer.error(error).encoded(question)) ?? error.json
    }
  }

  private func encoded(_ question: Int?) throws -> Data {
    let object = Object(answer: self, question: question)
    // Messages can contain values that JSON lacks; they know how to convert them.
    switch self {
    case .sendMessage, .nextMessage: return Data(try MessageValue(encoding: object).json.utf8)
    default: break
    }
    return try object.json()
  }

  /// Adds the question's number to the answer.
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
  /// Returns the answer of a body, or the error that it throws.
  init(_ body: () throws(WireError) -> Answer) {
    do throws(WireError) {
      self = try body()
    } catch {
      self = .error(error)
    }
  }
}

extension Encodable {
  /// Encodes a value as JSON: the same value as the same bytes, with its keys in order.
  ///
  /// Slashes are not escaped, since addresses contain many.
  ///
  /// - Throws: The value's encoding error.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
