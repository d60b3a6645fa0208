internal import ContentBlocking
internal import ContentRules
public import Foundation
internal import GRDB
internal import UserDatabase

/// One of the user's rule lists that block links.
public struct LinkRuleList: Equatable, Sendable {
  /// The name of the list, which is its key.
  public var name: String
  /// Whether it is enabled.
  public var isOn: Bool
  /// When it was added.
  public var added: Date
  /// How many links it blocks now.
  public var blockedCount: Int
  /// Why it hides no new links though it is on, with the way out, in a clause; `nil` if it does.
  public var fault: String?
}

extension LinkStore {
  /// Returns the user's rule lists, sorted by name.
  public func ruleLists() throws -> [LinkRuleList] {
    var lists = try recordedLists()
    for place in lists.indices where lists[place].isOn {
      do throws(LinkError) { _ = try opened(lists[place].name) } catch {
        lists[place].fault = error.message
      }
    }
    return lists
  }

  private func recordedLists() throws -> [LinkRuleList] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT *, (SELECT count(*) FROM item WHERE blockedList = name) AS count
          FROM ruleList ORDER BY name
          """
      ).map { row in
        LinkRuleList(
          name: row.value("name", or: ""),
          isOn: row.value("isOn", or: false),
          added: row.date("added") ?? Date(timeIntervalSince1970: 0),
          blockedCount: row.value("count", or: 0)
        )
      }
    }
  }

  /// Compiles and stores a Safari rule list, enables it, and decides all links again.
  ///
  /// - Parameters:
  ///   - name: The list's name; a list of this name is replaced.
  ///   - json: The list as a content blocker's JSON.
  ///   - now: The current time.
  /// - Throws: ``LinkError`` with code `.badRules` and the compiler's message; a list that had the
  ///   name stays active.
  public func addRuleList(name: String, json: [UInt8], now: Date = Date()) throws {
    guard !name.isEmpty, name.utf8.count <= 100, !name.contains("/"), !name.hasPrefix(".") else {
      throw LinkError(.badArgument, "\(name): a list's name has 1 to 100 bytes and no slash")
    }
    do {
      try RuleListStore(directory: rulesFolder)
        .compileContentRuleList(forIdentifier: name, encodedContentRuleList: json)
    } catch {
      throw LinkError(.badRules, "the list \(name) is refused: \(error.message)")
    }
    try write { database in
      try database.execute(
        literal: """
          INSERT INTO ruleList (name, isOn, added) VALUES (\(name), 1, \(now.timeIntervalSince1970))
          ON CONFLICT (name) DO UPDATE SET isOn = 1
          """
      )
      try applyChangedRules(database)
    }
  }

  /// Enables or disables a list, and decides all links again.
  ///
  /// - Throws: ``LinkError`` with code `.notFound`.
  public func setRuleList(name: String, isOn: Bool) throws {
    func change(_ database: Database) throws {
      try database.execute(literal: "UPDATE ruleList SET isOn = \(isOn) WHERE name = \(name)")
      guard database.changesCount == 1 else { throw Self.noList(name) }
      try applyChangedRules(database)
    }
    try isOn ? write(change) : takeAway(change)
  }

  /// Removes a list and decides all links again.
  ///
  /// - Throws: ``LinkError`` with code `.notFound`.
  public func removeRuleList(name: String) throws {
    try takeAway { database in
      try database.execute(literal: "DELETE FROM ruleList WHERE name = \(name)")
      guard database.changesCount == 1 else { throw Self.noList(name) }
      try applyChangedRules(database)
    }
    // Best effort: a file that cannot be removed is unused and does no harm.
    _ = try? RuleListStore(directory: rulesFolder)
      .removeContentRuleListIfPresent(forIdentifier: name)
  }

  /// Returns the text of a rule on one line.
  public func ruleText(_ rule: BlockingRule) -> String? {
    guard let store = try? RuleListStore(directory: rulesFolder),
      let list = try? store.lookUpContentRuleList(forIdentifier: rule.list),
      let rules = try? JSONSerialization.jsonObject(with: Data(list.source)) as? [Any],
      rules.indices.contains(rule.rule),
      let text = try? JSONSerialization.data(
        withJSONObject: rules[rule.rule],
        options: [.sortedKeys, .withoutEscapingSlashes]
      )
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private static func noList(_ name: String) -> LinkError {
    LinkError(
      .notFound,
      "there is no rule list \(name); `tickbird links rules` shows what there is"
    )
  }

  // MARK: Deciding

  private func applyChangedRules(_ database: Database) throws {
    try database.execute(sql: "UPDATE ruleState SET generation = generation + 1")
    for id in try Int64.fetchAll(database, sql: "SELECT id FROM source") {
      try applyRules(toSource: id, database)
    }
  }

  /// Decides the links of one source again.
  func applyRules(toSource sourceID: Int64, _ database: Database) throws {
    guard let source = try Self.source(id: sourceID, database) else { return }
    let decider = source.appliesRules ? try blockDecider(database, source: source) : nil
    let rows = try Row.fetchAll(
      database,
      literal: "SELECT id, address, blockedList, blockedRule FROM item WHERE source = \(sourceID)"
    )
    for row in rows {
      let rule = decider?.rule(for: row.value("address", or: ""))
      guard
        rule?.list != row.value("blockedList", or: String?.none)
          || rule?.rule != row.value("blockedRule", or: Int?.none)
      else { continue }
      let id: Int64 = try row.decode(forColumn: "id")
      try database.execute(
        literal: """
          UPDATE item SET blockedList = \(rule?.list), blockedRule = \(rule?.rule) WHERE id = \(id)
          """
      )
    }
  }

  /// Returns what decides a source's links, by the lists enabled in the database's current state.
  ///
  /// Returns nil for extensions: a user who turned one on asked for its links.
  func blockDecider(_ database: Database, source: LinkSource) throws -> LinkDecider? {
    guard source.kind == .feed else { return nil }
    let generation = try Int64.fetchOne(database, sql: "SELECT generation FROM ruleState") ?? 0
    let lists = try blocking.lists(generation: generation) {
      let names = try String.fetchAll(
        database,
        sql: "SELECT name FROM ruleList WHERE isOn = 1 ORDER BY name"
      )
      // One that cannot be used must not keep links from coming; `ruleLists` says why.
      let lists = names.compactMap { try? opened($0) }
      return (lists, areAll: lists.count == names.count)
    }
    return LinkDecider(lists: lists, page: source.pageAddress ?? source.key)
  }

  /// Opens a compiled list.
  ///
  /// - Throws: ``LinkError`` with code `.badRules`.
  private func opened(_ name: String) throws(LinkError) -> ContentRuleList {
    do throws(RuleListStoreError) {
      return try RuleListStore(directory: rulesFolder).lookUpContentRuleList(forIdentifier: name)
    } catch {
      throw LinkError(
        .badRules,
        "\(error.message.prefix { $0 != ";" }); add it again by: tickbird links rules add FILE --name \(name)"
      )
    }
  }
}
