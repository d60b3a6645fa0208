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
    /// A part of a compiled list.
    case list(Part)
    /// The active lists as declarative rules.
    case declarative
    /// A part of these rules.
    case declarativePart(Part)
    /// What a script asks of an installed web extension.
    case script(BrowserScripts.Kind)
    /// What is asked about Shared Links.
    case links(BrowserLinks.Kind)
    /// What is asked about notes, and everything that is not known.
    case note
  }

  /// A part of something that is too long for one message.
  struct Part {
    /// The extension whose list it is; declarative rules are all extensions' together.
    var identifier: String?
    /// Which version of it: what was offered before.
    var digest: String?
    /// The part's first byte.
    var offset: Int?
  }

  /// Reads a question; what is no object is one about notes, which says what is wrong.
  init(_ json: Data) {
    guard let object = try? JSONDecoder().decode(Envelope.self, from: json) else {
      kind = .note
      number = nil
      return
    }
    number = object.question
    let part = Part(identifier: object.identifier, digest: object.digest, offset: object.offset)
    kind =
      switch object.type {
      case "lists": .lists(formatVersion: object.formatVersion)
      case "list": .list(part)
      case "declarative": .declarative
      case "declarativePart": .declarativePart(part)
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
    let identifier: String?
    let digest: String?
    let offset: Int?

    private enum Key: String, CodingKey {
      case type, request, question, formatVersion, identifier, digest, offset
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
      identifier = value(.identifier)
      digest = value(.digest)
      offset = value(.offset)
    }
  }
}
