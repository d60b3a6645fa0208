internal import ContentBlocking
internal import ExtensionHost
internal import Foundation
internal import LoadAdvice
internal import NativeMessaging
internal import ResourceLoads
internal import WebURL

/// Answers which exception would let a blocked load through, tried on all loads that a tab has made;
/// Documentation/NativeMessaging.md has the messages.
struct BrowserAdvice: Sendable {
  /// The kinds of questions.
  enum Kind: String, CaseIterable {
    case exception
  }

  /// The most loads that an exception is tried on.
  static let loadLimit = 2000
  /// The longest address of one, in bytes.
  static let addressLimit = 8 << 10
  /// How many of the other loads that would change are named.
  static let changeLimit = 20

  private let lists: ListsInForce
  private let turns = Turns()

  /// Reads the lists in the host's data folder.
  init(data: URL) { lists = ListsInForce(data: data) }

  /// Answers a question.
  func reply(_ kind: Kind, _ json: Data) -> BrowserAnswers.Reply {
    switch kind {
    case .exception:
      .later {
        do throws(WireError) {
          return .exception(try await turns.take { () throws(WireError) in try answer(json) })
        } catch {
          return .error(error)
        }
      }
    }
  }

  private func answer(_ json: Data) throws(WireError) -> Advice {
    guard let question = try? JSONDecoder().decode(Asking.self, from: json),
      !question.loads.isEmpty, question.loads.count <= Self.loadLimit,
      question.loads.indices.contains(question.load)
    else {
      throw WireError(
        "bad-argument",
        "the request exception cannot be read; load the extension that came with this program"
      )
    }
    var loads: [ResourceLoad] = []
    /// The place of each load in the question.
    var places: [Int] = []
    for (place, load) in question.loads.enumerated() {
      guard let load = load.load else { continue }
      loads.append(load)
      places.append(place)
    }
    guard let wanted = places.firstIndex(of: question.load) else {
      throw WireError("value", "the load that the exception is for has no address of the web")
    }
    let files = lists.files()
    let opened = files.compactMap { file -> (name: String, list: ContentRuleList)? in
      // A file that cannot be read is being replaced.
      guard let opened = ActiveListFile(file.location),
        let bytes = opened.bytes(at: 0, count: opened.stamp.size),
        let list = try? ContentRuleList(identifier: file.identifier, compiledFile: Array(bytes))
      else { return nil }
      return (file.name, list)
    }
    do throws(ExceptionAdvice.Refusal) {
      let advice = try ExceptionAdvice(for: wanted, of: loads, by: opened.map(\.list))
      return Advice(
        rule: advice.rule,
        lists: advice.lists.map { opened[$0].name },
        tried: loads.count,
        isHarmless: advice.objection == nil,
        reason: advice.objection,
        changes: advice.changes.prefix(Self.changeLimit).map { places[$0] }
      )
    } catch {
      switch error {
      case .notBlocked: throw WireError("value", "no list blocks this load now")
      case .notSayable:
        throw WireError("value", "the load's address and page cannot be said by host and path")
      }
    }
  }

  // MARK: Questions and answers

  /// The keys of `exception`.
  struct Asking: Decodable {
    /// All loads that it is tried on.
    var loads: [Load]
    /// The index of the load that it is for.
    var load: Int

    struct Load: Decodable {
      var url: String
      /// The rule language's word.
      var type: String
      /// The page's address.
      var page: String
      /// The address of the frame that makes it; the page's where it is absent.
      var frame: String?

      /// The load; nil if it is none of the web.
      fileprivate var load: ResourceLoad? {
        guard url.utf8.count <= BrowserAdvice.addressLimit,
          page.utf8.count <= BrowserAdvice.addressLimit, let address = WebURL(url),
          let page = WebURL(page),
          let type = ResourceType.words.first(where: { "\($0.word)" == type })?.type,
          (frame?.utf8.count ?? 0) <= BrowserAdvice.addressLimit
        else { return nil }
        let frame = frame.flatMap { WebURL($0) }
        return ResourceLoad(url: address, topURL: page, frameURL: frame, resourceType: type)
      }
    }
  }

  /// The answer to `exception`.
  struct Advice: Encodable {
    var rule: String
    /// The names of the lists that it has to be the last rule of.
    var lists: [String]
    /// On how many loads it was tried.
    var tried: Int
    var isHarmless: Bool
    /// Why it is not harmless.
    var reason: String?
    /// Other loads of the question that it would change, by their indexes.
    var changes: [Int]
  }
}

/// Lets one at a time work: each opens all lists.
private actor Turns {
  func take<Value: Sendable>(
    _ body: @Sendable () throws(WireError) -> Value
  ) async throws(WireError) -> Value { try body() }
}
