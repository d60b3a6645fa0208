internal import Foundation

/// What a browser asks: one JSON object, read once.
///
/// Questions of the article's extension and those about notes are told apart by `request`, all others
/// by `type`; `Documentation/NativeMessaging.md` lists them.
struct Question {
  /// What is asked.
  let kind: Kind
  /// The number that the answer is to have; nil where none is asked for.
  let number: Int?

  enum Kind {
    /// Whether the host is there.
    case hello
    /// The active lists, compiled for a version of the format; nil is that of this program.
    case lists(OfLists)
    /// The active lists as declarative rules.
    case declarative
    /// A part of what was offered by its digest: a compiled list, or declarative rules.
    case part(OfPart)
    /// What extensions asked before version 2 of the wire.
    case outdated
    /// What a script asks of an installed web extension.
    case script(BrowserScripts.Kind)
    /// What is asked about Shared Links.
    case links(BrowserLinks.Kind)
    /// What is asked about notes, and everything that is not known.
    case note
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

  /// Reads a question; what is no object is one about notes, which says what is wrong.
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
      // A key of another type is as good as none.
      case .lists: .lists(read(OfLists.self) ?? OfLists())
      case .declarative: .declarative
      case .part: .part(read(OfPart.self) ?? OfPart())
      case .list, .declarativePart: .outdated
      case nil:
        if let script = BrowserScripts.Kind(rawValue: type) {
          .script(script)
        } else if let links = BrowserLinks.Kind(rawValue: type) {
          .links(links)
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
