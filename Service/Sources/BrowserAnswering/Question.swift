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
    case lists(formatVersion: UInt32?)
    /// The active lists as declarative rules.
    case declarative
    /// A part of what was offered by its digest: a compiled list, or declarative rules.
    case part(digest: String?, offset: Int?)
    /// What extensions asked before version 2 of the wire.
    case outdated
    /// What a script asks of an installed web extension.
    case script(BrowserScripts.Kind)
    /// What is asked about Shared Links.
    case links(BrowserLinks.Kind)
    /// What is asked about notes, and everything that is not known.
    case note
  }

  /// Reads a question; what is no object is one about notes, which says what is wrong.
  init(_ json: Data) {
    guard let object = try? JSONDecoder().decode(Envelope.self, from: json) else {
      kind = .note
      number = nil
      return
    }
    number = object.question
    kind =
      switch object.type {
      case "lists": .lists(formatVersion: object.formatVersion)
      case "declarative": .declarative
      case "part": .part(digest: object.digest, offset: object.offset)
      case "list", "declarativePart": .outdated
      case let type?:
        if let script = BrowserScripts.Kind(rawValue: type) {
          .script(script)
        } else if let links = BrowserLinks.Kind(rawValue: type) {
          .links(links)
        } else {
          .note
        }
      case nil: object.request == "hello" ? .hello : .note
      }
  }

  /// The keys of questions that are answered without reading them again; one of another type is absent.
  private struct Envelope: Decodable {
    let type: String?
    let request: String?
    let question: Int?
    let formatVersion: UInt32?
    let digest: String?
    let offset: Int?

    private enum Key: String, CodingKey {
      case type, request, question, formatVersion, digest, offset
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      func value<Value: Decodable>(_ key: Key) -> Value? {
        try? container.decodeIfPresent(Value.self, forKey: key)
      }
      type = value(.type)
      request = value(.request)
      question = value(.question)
      formatVersion = value(.formatVersion)
      digest = value(.digest)
      offset = value(.offset)
    }
  }
}
