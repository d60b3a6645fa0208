import Foundation
import HostTestSupport
import Testing

@testable import ListSubscriptions

@Suite("Several lists of one name or one source")
struct SeveralListsTests {
  /// A home with two lists that their authors call the same.
  private func twins() async throws -> ListHome {
    let home = try ListHome()
    for name in ["first", "second"] {
      let file = home.folder.url.appending(path: "\(name).txt")
      try Data(filters(2, start: name, header: "! Title: Fine list\n").utf8).write(to: file)
      _ = try await home.updater.add(.init(.file(file.path)))
    }
    return home
  }

  @Test("A name that several lists have is refused, with their ids, and changes nothing")
  func names() async throws {
    let home = try await twins()
    let before = try home.store.subscriptions()
    let tries: [() async throws -> Void] = [
      { try home.updater.remove("Fine list") },
      { try await home.updater.turn("fine LIST", on: false) },
      { _ = try home.store.subscription("Fine list") },
    ]
    for attempt in tries {
      let error = await #expect(throws: SubscriptionError.self) { try await attempt() }
      #expect(error?.code == .ambiguous)
      #expect(error?.message.hasSuffix("name one by its id: first, second") == true, "\(error)")
    }
    #expect(try home.store.subscriptions() == before)
    // An id is exact, whatever other lists are called.
    _ = try home.store.change("second") { $0.givenName = "first" }
    try home.updater.remove("first")
    #expect(try home.store.subscriptions().map(\.id) == ["second"])
    // A program, which has an id, means no list of that name.
    let gone = #expect(throws: SubscriptionError.self) { try home.updater.remove(id: "first") }
    #expect(gone?.code == .notFound)
    #expect(try home.updater.remove("first").id == "second")
  }

  @Test("A source that two lists have, as an earlier version left them, is refused too")
  func sources() async throws {
    let home = try await twins()
    let source = try home.store.subscription("first").source
    _ = try home.store.change("second") { $0.source = source }
    let error = #expect(throws: SubscriptionError.self) { try home.updater.remove(source.text) }
    #expect(error?.code == .ambiguous)
    #expect(error?.message.contains("name one by its id: first, second") == true)
    #expect(try home.store.subscriptions().count == 2)
  }

  @Test("The commands that name a list refuse a name of several")
  func commands() throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    for name in ["first", "second"] {
      let file = folder.url.appending(path: "\(name).txt")
      try Data(filters(2, start: name, header: "! Title: adds\n").utf8).write(to: file)
      #expect(try command.run("lists", "add", file.path).status == 0)
    }
    for name in ["remove", "off", "on", "update", "show"] {
      let result = try command.run("lists", name, "Adds")
      #expect(result.status == 1, "\(name): \(result)")
      #expect(result.errors.contains("name one by its id: first, second"), "\(name): \(result)")
    }
    let lists = try command.run("lists").output
    #expect(lists.contains("first: ") && lists.contains("second: ") && !lists.contains("(off)"))
  }

  @Test("A list that moves to another list's address stays where it is, and says so")
  func moves() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    for path in ["old", "new"] {
      _ = try await home.updater.add(.init(.address("\(server.address)/\(path).txt")))
    }
    let (old, new) = (server.address + "/old.txt", server.address + "/new.txt")
    server.answer { request in
      request.path == "/old.txt" ? .status(301, ["Location": "/new.txt"]) : .text(filters(5))
    }
    let report = try #require(try await home.update("old"))
    #expect(
      report.notes == ["it has moved for good to \(new), which is the list new; remove one of them"]
    )
    #expect(report.outcome == .changed(rulesBefore: 4))
    #expect(report.subscription.source == .address(old))
    #expect(report.subscription.formerAddress == nil)
    #expect(try home.store.subscription(new).id == "new")
    // Where the other is removed, the address is free.
    try home.updater.remove("new")
    server.answer { request in
      request.path == "/old.txt" ? .status(301, ["Location": "/new.txt"]) : .text(filters(6))
    }
    #expect(try await home.update("old")?.subscription.source == .address(new))
    // A list that is added there is the same one.
    let error = await #expect(throws: SubscriptionError.self) {
      try await home.updater.add(.init(.address(old)))
    }
    #expect(error?.code == .duplicate)
  }
}
