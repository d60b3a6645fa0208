internal import Foundation

/// A browser's question: one JSON object.
///
/// Questions of the article's extension and those about notes have their kind under `request`, all
/// others under `type`; `Documentation/NativeMessaging.md` lists them. Only the kind, the number and
/// the keys of questions about lists are decoded here: questions of scripts, about links and about
/// notes are decoded by their answerers, whose errors say what is wrong with a key.
struct Question {
  /// The kind of question.
  let kind: Kind
  /// The number for the answer; nil if the question has none.
  let number: Int?

  enum Kind {
    /// Asks whether the host is there.
    case hello
    /// The active lists, compiled for a version of the format; nil if its version is no number of
    /// a version.
    case lists(OfLists?)
    /// The active lists as declarative rules.
    case declarative
    /// A part of data that was offered by its digest: a compiled list, or declarative rules.
    case part(OfPart)
    /// A question from before version 2 of the wire.
    case outdated
    /// A script's question about an installed web extension.
    case script(BrowserScripts.Kind)
    /// A question about Shared Links.
    case links(BrowserLinks.Kind)
    /// A question about subscriptions to lists.
    case subscriptions(BrowserSubscriptions.Kind)
    /// Asks where the local app is.
    case localApp(BrowserLocalApp.Kind)
    /// A question for what to write into a list.
    case advice(BrowserAdvice.Kind)
    /// A question about a gallery.
    case gallery(BrowserGallery.Kind)
    /// A question about notes, and one without a kind.
    case note
    /// A question of an unknown type, as of a later version.
    case unknown(String)
  }

  /// The words under `type` for questions that are not about notes, links or web extensions.
  enum Word: String, CaseIterable {
    case lists, declarative, part
    /// Words of version 1 of the wire.
    case list, declarativePart
  }

  /// The keys of a question for the active lists.
  struct OfLists: Decodable {
    /// The version of compiled lists that the extension opens; nil for that of this program.
    var formatVersion: UInt32?
  }

  /// The keys of a question for a part.
  struct OfPart: Decodable {
    /// What was offered by this digest is meant.
    var digest: String?
    /// The part's first byte.
    var offset: Int?
  }

  /// Decodes a question; anything that is not an object counts as a question about notes, whose
  /// answer is an error.
  init(_ json: Data) {
    func read<Value: Decodable>(_: Value.Type) -> Value? {
      try? JSONDecoder().decode(Value.self, from: json)
    }
    let envelope = read(Envelope.self)
    number = envelope?.question
    guard let type = envelope?.type else {
      kind = envelope?.request == "hello" ? .hello : .note
      return
    }
    kind =
      switch Word(rawValue: type) {
      case .lists: .lists(read(OfLists.self))
      case .declarative: .declarative
      // A key of another type is as good as none.
      case .part: .part(read(OfPart.self) ?? OfPart())
      case .list, .declarativePart: .outdated
      case nil:
        if let script = BrowserScripts.Kind(rawValue: type) {
          .script(script)
        } else if let links = BrowserLinks.Kind(rawValue: type) {
          .links(links)
        } else if let subscriptions = BrowserSubscriptions.Kind(rawValue: type) {
          .subscriptions(subscriptions)
        } else if let localApp = BrowserLocalApp.Kind(rawValue: type) {
          .localApp(localApp)
        } else if let advice = BrowserAdvice.Kind(rawValue: type) {
          .advice(advice)
        } else if let gallery = BrowserGallery.Kind(rawValue: type) {
          .gallery(gallery)
        } else if envelope?.request == nil {
          .unknown(type)
        } else {
          .note
        }
      }
  }

  /// What tells questions apart, and their number; a key of another type is absent.
  private struct Envelope: Decodable {
    let type: String?
    let request: String?
    let question: Int?

    private enum Key: String, CodingKey { case type, request, question }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      type = try? container.decodeIfPresent(String.self, forKey: .type)
      request = try? container.decodeIfPresent(String.self, forKey: .request)
      question = try? container.decodeIfPresent(Int.self, forKey: .question)
    }
  }
}
