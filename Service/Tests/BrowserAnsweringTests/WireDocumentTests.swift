import ExtensionMessages
import Foundation
import HostTestSupport
import NativeMessaging
import Testing

@testable import BrowserAnswering
@testable import PageNotes
@testable import SharedLinks

/// Documentation/NativeMessaging.md, held against the types that it describes.
@Suite("The document of the wire")
struct WireDocumentTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  /// The rows of the tables whose heads have a word in the first column: the words in code of the
  /// first three columns.
  private static func rows(_ head: String) throws -> [[[String]]] {
    var rows: [[[String]]] = []
    var isIn = false
    for line in try text("Documentation/NativeMessaging.md").split(
      separator: "\n",
      omittingEmptySubsequences: false
    ) {
      if !line.hasPrefix("|") { isIn = false }
      if isIn, !line.hasPrefix("| ---") {
        rows.append(
          line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().prefix(3).map {
            $0.matches(of: /`([^`]+)`/).map { String($0.1) }
          }
        )
      }
      if line.hasPrefix("| \(head) |") { isIn = true }
    }
    return rows
  }

  /// The keys by each word of the first column.
  private static func keys(_ head: String) throws -> [String: Set<String>] {
    var keys: [String: Set<String>] = [:]
    for row in try rows(head) {
      for word in row[0] {
        #expect(keys[word] == nil, "\(word) twice")
        keys[word] = Set(row[1])
      }
    }
    return keys
  }

  private func expectEqual(_ documented: [String: Set<String>], _ typed: [String: Set<String>]) {
    #expect(typed.count > 5)
    for word in Set(documented.keys).union(typed.keys).sorted() {
      #expect(
        documented[word].map { $0.sorted() } == typed[word].map { $0.sorted() },
        "\(word): the document has the left, the types have the right"
      )
    }
  }

  // MARK: Questions

  private func record<Value: Decodable>(
    _ type: Value.Type,
    _ word: String,
    _ recorded: RecordedKeys
  ) throws {
    _ = try KeyRecordingDecoder(recorded: recorded, place: word).value(type)
  }

  @Test("Every question has a row with its keys, and no row is without a question")
  func questions() throws {
    let recorded = RecordedKeys()
    var words: [String] = []
    for word in Question.Word.allCases {
      words.append(word.rawValue)
      switch word {
      case .lists: try record(Question.OfLists.self, "lists", recorded)
      case .part: try record(Question.OfPart.self, "part", recorded)
      case .declarative, .list, .declarativePart: break
      }
    }
    for word in BrowserScripts.Kind.allCases {
      words.append(word.rawValue)
      switch word {
      case .setContentBlocker: try record(BrowserScripts.Setting.self, word.rawValue, recorded)
      case .sendMessage: try record(BrowserScripts.Asking.self, word.rawValue, recorded)
      case .nextMessage: try record(BrowserScripts.Awaiting.self, word.rawValue, recorded)
      case .event: try record(HandlerPort.Event.self, word.rawValue, recorded)
      case .handlerPart: try record(BrowserScripts.OfPart.self, word.rawValue, recorded)
      }
    }
    for word in BrowserLinks.Kind.allCases {
      words.append(word.rawValue)
      let place = word.rawValue
      switch word {
      case .links: try record(BrowserLinkAnswers.LinksQuestion.self, place, recorded)
      case .linkIcons: try record(BrowserLinkAnswers.IconsQuestion.self, place, recorded)
      case .linkSources: try record(BrowserLinkAnswers.SourcesQuestion.self, place, recorded)
      case .markLinks: try record(BrowserLinkAnswers.Marking.self, place, recorded)
      case .refreshLinks: try record(BrowserLinkAnswers.Refreshing.self, place, recorded)
      case .subscribe: try record(BrowserLinkAnswers.Subscription.self, place, recorded)
      case .unsubscribe: try record(BrowserLinkAnswers.Unsubscription.self, place, recorded)
      }
    }
    words += BrowserLocalApp.Kind.allCases.map(\.rawValue)
    for word in BrowserSubscriptions.Kind.allCases {
      words.append(word.rawValue)
      let place = word.rawValue
      switch word {
      case .subscriptions, .catalogue, .ownRules: break
      case .setOwnRules: try record(BrowserSubscriptions.OwnSetting.self, place, recorded)
      case .addList: try record(BrowserSubscriptions.Adding.self, place, recorded)
      case .removeList: try record(BrowserSubscriptions.Named.self, place, recorded)
      case .switchList: try record(BrowserSubscriptions.Switching.self, place, recorded)
      case .updateLists: try record(BrowserSubscriptions.Updating.self, place, recorded)
      }
    }
    for word in BrowserAdvice.Kind.allCases {
      words.append(word.rawValue)
      switch word {
      case .exception:
        try record(ExceptionQuestion.Asking.self, word.rawValue, recorded)
        try record(ExceptionQuestion.Asking.Load.self, "\(word.rawValue).loads", recorded)
      }
    }
    for word in BrowserGallery.Kind.allCases {
      words.append(word.rawValue)
      let place = word.rawValue
      switch word {
      case .gallery: try record(BrowserGallery.Looking.self, place, recorded)
      case .addGallery: try record(BrowserGallery.Adding.self, place, recorded)
      case .offerOfGallery: try record(BrowserGallery.Asking.self, place, recorded)
      case .installOffer: try record(BrowserGallery.Answering.self, place, recorded)
      }
    }
    var typed = recorded.keys
    for word in words where typed[word] == nil { typed[word] = [] }
    expectEqual(try Self.keys("`type` | keys | answers"), typed)
  }

  @Test("Every request about notes has a row with its keys, and no row is without a request")
  func requests() throws {
    let possible = [
      "id", "url", "text", "emoji", "snoozeMinutes", "plan", "kind", "search", "offset", "limit",
      "visits", "seconds", "minutes",
    ]
    var typed: [String: Set<String>] = ["hello": []]
    for word in NoteRequest.Word.allCases {
      typed[word.rawValue] = Set(try possible.filter { try isRead($0, by: word) })
    }
    expectEqual(try Self.keys("`request` | keys | answers"), typed)
  }

  /// Whether a request reads a key: whether it minds one that is neither text nor a number.
  private func isRead(_ key: String, by word: NoteRequest.Word) throws -> Bool {
    // All that a request may need; an id comes before a url, so each is tried without the other.
    var request: [String: Any] = ["request": word.rawValue, "text": "t"]
    if word == .settle || word == .use {
      request["id"] = "n"
    } else if key != "url" {
      request["url"] = "https://a.test/"
    }
    request[key] = [true]
    do {
      _ = try NoteRequest(json: JSONSerialization.data(withJSONObject: request))
      return false
    } catch let error as NoteError {
      return error.message.contains("“\(key)”")
    }
  }

  @Test("Every answer that a row names is one")
  func namedAnswers() throws {
    let known = Set(Answer.Kind.allCases.map(\.rawValue) + NoteAnswer.Kind.allCases.map(\.rawValue))
    for head in ["`type` | keys | answers", "`request` | keys | answers"] {
      let rows = try Self.rows(head)
      #expect(rows.count > 5)
      for row in rows {
        #expect(Set(row[2]).isSubset(of: known), "\(row)")
        #expect(row[2].isEmpty == row[0].allSatisfy { $0.contains(".") }, "\(row)")
      }
    }
  }

  // MARK: Answers

  @Test("Every answer has a row with its keys, and no row is without an answer")
  func answers() throws {
    let recorded = RecordedKeys()
    let answers = try WireSamples.answers()
    #expect(Set(answers.compactMap(\.kind)) == Set(Answer.Kind.allCases))
    var typed: [String: Set<String>] = [:]
    for answer in answers {
      guard let kind = answer.kind else { continue }
      typed[kind.rawValue] = []
      try answer.content.members?.encode(
        to: KeyRecordingEncoder(recorded: recorded, place: kind.rawValue)
      )
    }
    let notes = try WireSamples.noteAnswers()
    #expect(Set(notes.map(\.kind)) == Set(NoteAnswer.Kind.allCases))
    for answer in notes {
      typed[answer.kind.rawValue] = []
      try answer.encode(
        to: KeyRecordingEncoder(recorded: recorded, place: answer.kind.rawValue)
      )
    }
    for (place, keys) in recorded.keys {
      // Wherever a note is, its counts, plan and days are the same.
      let ofNotes = place.wholeMatch(of: /.+?(\.(?:counts|plan|days|today)(?:\..+)?)/)
      let place = ofNotes.map { String($0.1) } ?? place
      // What every answer has is said once.
      typed[place, default: []].formUnion(keys.subtracting(["type", "question"]))
    }
    expectEqual(try Self.keys("`type`, or where | keys"), typed)
  }

  // MARK: Errors, versions, limits

  @Test("Every error code has its place in the table, and none is without a source")
  func errorCodes() throws {
    var typed: Set<String> = []
    for path in [
      "PageNotes/NoteError.swift", "SharedLinks/LinkError.swift", "ExtensionHost/HostError.swift",
      "ListSubscriptions/SubscriptionError.swift",
    ] {
      let codes = try Self.text("Service/Sources/\(path)")
        .matches(of: /static let \w+ =\s+Code\((?:rawValue|name): "([^"]*)"/)
      #expect(codes.count > 5, "\(path)")
      typed.formUnion(codes.map { String($0.1) })
    }
    var own: Set<String> = []
    for folder in ["BrowserAnswering", "NativeMessaging"] {
      for file in try Self.files("Service/Sources/\(folder)", ending: ".swift") {
        let text = try String(contentsOf: file, encoding: .utf8)
        let codes = text.matches(of: /(?:WireError|otherVersion|self\.init)\(\s*"([^"]*)"/)
        own.formUnion(codes.map { String($0.1) })
      }
    }
    #expect(own.isSuperset(of: ["refused", "too-large", "unknown-part", "version", "reported"]))
    let documented = Set(try Self.keys("`code`").keys)
    #expect(documented.sorted() == typed.union(own).sorted())
  }

  @Test("Host, extension and document speak of one version and one size of parts")
  func versions() throws {
    let document = try Self.text("Documentation/NativeMessaging.md")
    #expect(document.contains("The wire has version \(BrowserAnswers.version), which"))
    #expect(document.contains("up to \(MessageLimits.part / 1000),000"))
    #expect(MessageLimits.part % 1000 == 0)
    let scripts = try Self.files("BrowserExtension/WebExtension", ending: ".js")
      .map { try String(contentsOf: $0, encoding: .utf8) }
    let versions = scripts.flatMap { $0.matches(of: /const wireVersion = ([0-9]+);/) }.map { $0.1 }
    #expect(versions == ["\(BrowserAnswers.version)"])
  }

  @Test("A part as base64 has room in a message")
  func parts() throws {
    let bytes = Data(repeating: 0xFF, count: MessageLimits.part + 1)
    let first = try #require(Part(of: bytes, at: 0))
    #expect(Data(base64Encoded: first.bytes)?.count == MessageLimits.part)
    #expect(Answer.part(first).json(question: .max).count < MessageLimits.outgoing)
    let last = try #require(Part(of: bytes.dropFirst(1), at: MessageLimits.part - 1))
    #expect(last.bytes == Data([0xFF]).base64EncodedString())
    #expect(Part(of: bytes, at: bytes.count) == nil)
    #expect(Part(of: bytes, at: -1) == nil)
    #expect(Part(of: Data(), at: 0) == nil)
  }

  private static func files(_ folder: String, ending: String) throws -> [URL] {
    let place = repository.appending(path: folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: place.path)
    return names.filter { $0.hasSuffix(ending) }.map { place.appending(path: $0) }
  }
}
