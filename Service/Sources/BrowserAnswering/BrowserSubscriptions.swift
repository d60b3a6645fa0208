internal import Foundation
internal import ListIngestion
internal import ListSubscriptions
internal import NativeMessaging

/// Answers questions about subscriptions to lists; Documentation/NativeMessaging.md has the messages,
/// and Documentation/Lists.md what they do.
///
/// All answers are asynchronous: fetching and compiling take time.
struct BrowserSubscriptions: Sendable {
  /// The kinds of questions.
  enum Kind: String, CaseIterable {
    case subscriptions, catalogue, addList, removeList, switchList, updateLists, ownRules
    case setOwnRules
  }

  let store: SubscriptionStore
  let updater: ListUpdater

  /// Answers a question of one of these kinds.
  func reply(_ kind: Kind, _ json: Data) -> BrowserAnswers.Reply {
    .later {
      do {
        return try await answer(kind, json)
      } catch let error as SubscriptionError {
        return .error(WireError(reporting: error))
      } catch is DecodingError {
        return .error(
          WireError(
            SubscriptionError.Code.badSource.rawValue,
            "the request \(kind.rawValue) cannot be read; load the extension that came with this program"
          )
        )
      } catch {
        return .error(WireError("failed", error.localizedDescription))
      }
    }
  }

  private func answer(_ kind: Kind, _ json: Data) async throws -> Answer {
    func read<Value: Decodable>(_: Value.Type) throws -> Value {
      try JSONDecoder().decode(Value.self, from: json)
    }
    switch kind {
    case .subscriptions:
      return .subscriptions(Lists(lists: try store.subscriptions().map(list)))
    case .catalogue: return .catalogue(Catalogue())
    case .addList:
      let report = try await updater.add(read(Adding.self).request())
      return .subscription(Single(list: list(report.subscription), notes: report.notes))
    case .removeList:
      try updater.remove(id: read(Named.self).list)
      return .listRemoved
    case .switchList:
      let question = try read(Switching.self)
      let list = try await updater.turn(id: question.list, on: question.isOn)
      return .subscription(Single(list: self.list(list), notes: []))
    case .updateLists:
      let question = try read(Updating.self)
      var ids: Set<String>?
      if let lists = question.lists {
        ids = []
        for list in lists { ids?.insert(try store.subscription(id: list).id) }
      }
      let reports = try await updater.update(
        question.isDue ?? false ? .due : .all,
        ids: ids,
        acceptsShort: question.acceptsShort ?? false
      )
      return .listUpdates(Updates(updates: reports.map(Update.init)))
    case .ownRules:
      // What cannot be finished now can be read all the same.
      try? await own.finish()
      return try ownRules(notes: [])
    case .setOwnRules:
      let question = try read(OwnSetting.self)
      return try ownRules(notes: await own.set(question.text, before: question.before))
    }
  }

  private func list(_ subscription: Subscription) -> List {
    List(subscription, isOwn: store.isOwn(subscription.source))
  }

  private var own: OwnRules { OwnRules(updater) }

  private func ownRules(notes: [String]) throws -> Answer {
    let acting = try own.subscription().flatMap { $0.isOn ? $0.summary?.rules : nil }
    return .ownRules(Own(text: try own.text(), rules: acting ?? 0, notes: notes))
  }

  // MARK: Questions

  /// The keys of `setOwnRules`.
  struct OwnSetting: Decodable {
    var text: String
    /// The text that it was made of; nil if that does not matter.
    var before: String?
  }

  /// The keys of a question about one list.
  struct Named: Decodable {
    /// The list's id.
    var list: String
  }

  /// The keys of `switchList`.
  struct Switching: Decodable {
    var list: String
    var isOn: Bool
  }

  /// The keys of `updateLists`.
  struct Updating: Decodable {
    /// Only these lists; nil for all.
    var lists: [String]?
    var isDue: Bool?
    var acceptsShort: Bool?
  }

  /// The keys of `addList`.
  ///
  /// There is no file among them: what a page of the browser says must not make the host read one.
  struct Adding: Decodable {
    /// An address, or a name of the catalogue.
    var source: String
    var mirrors: [String]?
    var name: String?
    /// Those of the addresses that may be on this machine or in its network; nil for all, which the
    /// user typed.
    var localAddresses: [String]?

    func request() throws(SubscriptionError) -> ListUpdater.Request {
      var checked: [String] = []
      for mirror in mirrors ?? [] { checked.append(try SubscriptionSource.address(mirror)) }
      var request: ListUpdater.Request
      if let entry = ListCatalogue.entry(source) {
        request = try ListUpdater.Request(entry)
      } else {
        request = ListUpdater.Request(.address(try SubscriptionSource.address(source)))
      }
      request.mirrors += checked
      if let localAddresses {
        // As the others are kept.
        var local: [String] = []
        for address in localAddresses { local.append(try SubscriptionSource.address(address)) }
        request.localAddresses = local
      }
      request.name = name.flatMap { $0.isEmpty ? nil : String($0.prefix(200)) }
      return request
    }
  }

  // MARK: Answers

  /// The answer to `subscriptions`.
  struct Lists: Encodable {
    var lists: [List]
  }

  /// The answer about the user's own rules.
  struct Own: Encodable {
    var text: String
    var rules: Int
    /// What else the user may want to know, in clauses.
    var notes: [String]
  }

  /// The answer about one list.
  struct Single: Encodable {
    var list: List
    /// What else the user may want to know, in clauses.
    var notes: [String]
  }

  /// A subscription; times are seconds since 1970.
  struct List: Encodable {
    /// What became of a list's lines.
    struct Lines: Encodable {
      var converted: Int
      var approximated: Int
      var impossible: Int
    }

    let id: String
    let identifier: String
    let name: String
    let isOn: Bool
    let source: String
    let isFile: Bool
    /// Whether it is the list of the rules that the user writes.
    let isOwn: Bool
    let mirrors: [String]
    let homepage: String?
    let licence: String?
    let format: String?
    let rules: Int?
    let lines: Lines?
    let changed: Double?
    let succeeded: Double?
    let next: Double?
    let fault: String?

    init(_ subscription: Subscription, isOwn: Bool) {
      self.isOwn = isOwn
      let described = SubscriptionDescription(subscription)
      id = described.id
      identifier = described.identifier
      name = described.name
      isOn = described.isOn
      source = subscription.source.text
      isFile = described.file != nil
      mirrors = described.mirrors
      homepage = described.homepage
      licence = described.licence
      format = described.format?.rawValue
      rules = described.rules
      lines = described.lines.map {
        Lines(
          converted: $0.converted,
          approximated: $0.approximated,
          impossible: $0.impossible
        )
      }
      changed = described.changed?.timeIntervalSince1970
      succeeded = described.succeeded?.timeIntervalSince1970
      next = described.next?.timeIntervalSince1970
      fault = described.fault?.message
    }
  }

  /// The answer to `updateLists`.
  struct Updates: Encodable {
    var updates: [Update]
  }

  /// How the update of one list went.
  struct Update: Encodable {
    let id: String
    let outcome: String
    let message: String?
    let notes: [String]

    init(_ report: ListUpdateReport) {
      id = report.subscription.id
      notes = report.notes
      switch report.outcome {
      case .changed: (outcome, message) = ("changed", nil)
      case .unchanged: (outcome, message) = ("unchanged", nil)
      case .failed(let error): (outcome, message) = ("failed", error.message)
      case .skipped(let reason): (outcome, message) = ("skipped", reason)
      }
    }
  }

  /// The answer to `catalogue`.
  struct Catalogue: Encodable {
    var entries = ListCatalogue.entries
  }
}
