import Foundation
import ListIngestion
import Synchronization
import Testing

@testable import ListSubscriptions

@Suite("The rules that a user writes")
struct OwnRulesTests {
  private static let rule = #"[{"trigger": {"url-filter": "ads"}, "action": {"type": "block"}}]"#

  @Test("They act when they are written, in both syntaxes, and end when they are empty")
  func life() async throws {
    let home = try ListHome()
    let own = OwnRules(home.updater)
    #expect(try own.text().isEmpty && own.subscription() == nil)
    try await own.set("||ads.example^\n")
    let first = try #require(try home.acting("own-rules"))
    #expect(try own.subscription()?.name == "Own rules")
    try await own.set(Self.rule, before: "||ads.example^\n")
    #expect(try own.text() == Self.rule)
    #expect(try own.subscription().map { SubscriptionDescription($0) }?.rules == 1)
    #expect(try home.acting("own-rules") != first)
    // Far fewer rules than before are what the user wants.
    try await own.set(filters(50))
    try await own.set("||one.example^\n")
    for empty in ["", " \n", "[ ]\n"] {
      try await own.set("||one.example^\n")
      #expect(try home.acting("own-rules") != nil)
      try await own.set(empty)
      #expect(try home.acting("own-rules") == nil && own.subscription() == nil)
      #expect(try own.text() == empty)
    }
  }

  @Test(
    "A text with a fault, or one that is too long, changes nothing, and the place is named",
    arguments: [
      ("[\n  {\"trigger\": {}}\n]", "own rules:2:"),
      ("<!doctype html><title>Log in</title>", "web page"),
      ("! only a comment\n", "no"), (String(repeating: "||a.example^\n", count: 30_000), "262144"),
    ]
  )
  func faults(_ text: String, _ words: String) async throws {
    let home = try ListHome()
    let own = OwnRules(home.updater)
    try await own.set(Self.rule)
    let acting = try home.acting("own-rules")
    let error = await #expect(throws: SubscriptionError.self) { try await own.set(text) }
    #expect(error?.code == .listRefused)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(try own.text() == Self.rule && home.acting("own-rules") == acting)
  }

  @Test("No other list gets their id, and one that has it from before is none of them")
  func id() async throws {
    let home = try ListHome()
    let file = home.folder.url.appending(path: "other.txt")
    try Data("||other.example^\n".utf8).write(to: file)
    let other = try await home.updater.add(.init(.file(file.path), name: "Own rules")).subscription
    #expect(other.id == "own-rules-2" && !home.store.isOwn(other.source))
    let own = OwnRules(home.updater)
    try await own.set(Self.rule)
    let list = try #require(try own.subscription())
    #expect(list.id == "own-rules" && home.store.isOwn(list.source))
  }

  @Test("What was changed elsewhere is not written over")
  func stale() async throws {
    let home = try ListHome()
    let (one, other) = (OwnRules(home.updater), OwnRules(home.updater))
    try await one.set(Self.rule, before: "")
    let error = await #expect(throws: SubscriptionError.self) {
      try await other.set("||mine.example^\n", before: "")
    }
    #expect(error?.code == .stale)
    #expect(try other.text() == Self.rule)
  }

  @Test("The text is written when the list is made, and a change that was cut short is finished")
  func killed() async throws {
    let home = try ListHome()
    let file = home.store.ownFile
    let texts = Mutex<[String]>([])
    let updater = ListUpdater(
      store: home.store,
      preparation: ListPreparation { folder in
        texts.withLock { $0.append((try? String(contentsOf: file, encoding: .utf8)) ?? "none") }
        return try PreparedFiles.prepare(folder)
      }
    )
    let own = OwnRules(updater)
    try await own.set("||one.example^\n")
    try await own.set("||two.example^\n")
    #expect(texts.withLock { $0 } == ["none", "||one.example^\n"])
    let second = try home.acting("own-rules")
    // As it is between the two steps.
    try Data("||three.example^\n".utf8).write(to: file)
    try await own.finish()
    let third = try home.acting("own-rules")
    #expect(try third != second && own.text() == "||three.example^\n")
    try await own.finish()
    #expect(try home.acting("own-rules") == third && texts.withLock { $0.count } == 3)
    // What was off stays so, and what cannot act leaves what acts.
    try home.updater.setOn(id: "own-rules", false)
    try Data("||four.example^\n".utf8).write(to: file)
    try await own.finish()
    #expect(try own.subscription()?.isOn == false)
    try home.updater.setOn(id: "own-rules", true)
    let fourth = try home.acting("own-rules")
    try Data("<!doctype html><title>x</title>".utf8).write(to: file)
    await #expect(throws: SubscriptionError.self) { try await own.finish() }
    #expect(try home.acting("own-rules") == fourth)
    // A file that is not there may be elsewhere; an empty one ends the list.
    try FileManager.default.removeItem(at: file)
    try await own.finish()
    #expect(try home.acting("own-rules") == fourth)
    try Data().write(to: file)
    try await own.finish()
    #expect(try own.subscription() == nil)
  }

  @Test("What cannot be prepared changes neither the text nor what acts")
  func notPrepared() async throws {
    let home = try ListHome()
    let own = OwnRules(home.updater)
    try await own.set(Self.rule)
    let acting = try home.acting("own-rules")
    let failing = ListUpdater(
      store: home.store,
      preparation: ListPreparation { _ in throw SubscriptionError(.notPrepared, "no memory") }
    )
    await #expect(throws: SubscriptionError.self) {
      try await OwnRules(failing).set("||two.example^\n")
    }
    #expect(try own.text() == Self.rule && home.acting("own-rules") == acting)
    #expect(try home.store.subscription("own-rules").fault == nil)
  }

  @Test("They are one list wherever the data folder is", arguments: [false, true])
  func moved(isOldState: Bool) async throws {
    let home = try ListHome()
    try await OwnRules(home.updater).set("||one.example^\n")
    let state = home.store.folder.appending(path: "State.json")
    let text = try String(contentsOf: state, encoding: .utf8)
    #expect(text.contains(#""isOwn" : true,"#))
    if isOldState {
      try Data(text.replacing(#""isOwn" : true,"#, with: "").utf8).write(to: state)
    }
    let data = home.folder.url.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: home.folder.url.appending(path: "data"), to: data)
    let store = SubscriptionStore(data: data)
    let own = OwnRules(ListUpdater(store: store, preparation: .inProcess))
    let list = try #require(try own.subscription())
    #expect(list.source == .file(store.ownFile.path) && list.fetchedFrom == list.source.text)
    try await own.set("||two.example^\n")
    #expect(try store.subscriptions().map(\.id) == ["own-rules"])
    try await own.set("")
    #expect(try store.subscriptions().isEmpty)
  }

  @Test("Rules whose subscription was switched off or removed act again when they are saved")
  func removed() async throws {
    let home = try ListHome()
    let own = OwnRules(home.updater)
    try await own.set(Self.rule)
    try home.updater.setOn(id: "own-rules", false)
    try await own.set(Self.rule + "\n")
    #expect(try home.acting("own-rules") != nil)
    try await own.set(Self.rule)
    try home.updater.remove("own-rules")
    #expect(try own.subscription() == nil && own.text() == Self.rule)
    try await own.set(Self.rule, before: Self.rule)
    #expect(try home.acting("own-rules") != nil)
  }

  @Test("Rules and a state that the user has linked to elsewhere are written there")
  func linked() async throws {
    let home = try ListHome()
    let own = OwnRules(home.updater)
    try await own.set("||ads.example^\n")
    let kept = home.folder.url.appending(path: "kept", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    let subscriptions = home.folder.url.appending(path: "data/Subscriptions")
    let files = ["State.json", "Own/rules.txt"].map { subscriptions.appending(path: $0) }
    for file in files {
      let target = kept.appending(path: file.lastPathComponent)
      try FileManager.default.moveItem(at: file, to: target)
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    }
    let before = try Data(contentsOf: kept.appending(path: "State.json"))
    try await own.set(Self.rule)
    #expect(try own.text() == Self.rule)
    #expect(
      try String(contentsOf: kept.appending(path: "rules.txt"), encoding: .utf8) == Self.rule
    )
    #expect(try Data(contentsOf: kept.appending(path: "State.json")) != before)
    for file in files {
      let values = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(values[.type] as? FileAttributeType == .typeSymbolicLink, "\(file.path)")
    }
    // Where anybody may write, nothing is written.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: kept.path)
    let error = await #expect(throws: SubscriptionError.self) { try await own.set(filters(2)) }
    #expect(error?.message.contains("chmod go-w") == true, "\(error?.message ?? "")")
    #expect(try own.text() == Self.rule)
  }
}
