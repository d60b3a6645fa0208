import DurableFiles
import Foundation
import ServiceFolders
import Testing

@testable import ListSubscriptions

@Suite("Subscriptions")
struct SubscriptionTests {
  @Test("A file is read again when it changes, and only then")
  func file() async throws {
    let home = try ListHome()
    let file = home.folder.url.appending(path: "My own.txt")
    try Data(filters(3).utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -100)],
      ofItemAtPath: file.path
    )
    let source = try SubscriptionSource("My own.txt", in: home.folder.url)
    #expect(try await home.updater.add(.init(source)).subscription.id == "my-own")
    home.wait(3_600)
    #expect(try await home.updater.update(.due).isEmpty)
    try Data(filters(5).utf8).write(to: file)
    #expect(try await home.updater.update(.due).map(\.outcome) == [.changed(rulesBefore: 4)])
    try FileManager.default.removeItem(at: file)
    home.wait(3_600)
    let gone = try await home.updater.update(.due).first
    #expect(gone?.isFailure == true && gone?.subscription.fault?.code == .file)
    #expect(try home.acting("my-own") != nil)
  }

  @Test("Lists are turned off and on, and removed with all that is theirs")
  func switching() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    #expect(try !home.updater.setOn(id: "ads", false).isOn)
    #expect(try home.acting("ads") == nil)
    home.wait(100 * 86_400)
    #expect(try await home.updater.update(.due).isEmpty)
    #expect(try await home.updater.update(.all).isEmpty)
    #expect(try await home.update("ads")?.outcome == .unchanged)
    home.wait(100 * 86_400)
    try await home.updater.turn(server.address + "/ads.txt", on: true)
    #expect(try home.acting("ads") != nil)
    #expect(try await home.updater.update(.due).count == 1)
    try home.updater.remove("ads")
    #expect(try home.acting("ads") == nil && home.store.subscriptions().isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home.store.listsFolder.path).isEmpty
    )
    #expect(throws: SubscriptionError.self) { try home.updater.remove("ads") }
  }

  @Test("A folder that had lists, and is empty or missing, is lost", arguments: [true, false])
  func unmounted(isThere: Bool) async throws {
    let home = try ListHome()
    let file = home.folder.url.appending(path: "list.txt")
    try Data(filters(3).utf8).write(to: file)
    _ = try await home.updater.add(.init(.file(file.path)))
    let (place, away) = (home.store.folder, home.folder.url.appending(path: "away"))
    let mark = URL(filePath: place.path + ".filled")
    // As of an earlier version, which made none.
    try FileManager.default.removeItem(at: mark)
    _ = try await home.update("list")
    try FileManager.default.moveItem(at: place, to: away)
    if isThere {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    }
    let own = OwnRules(home.updater)
    let tries: [() async throws -> Void] = [
      { _ = try home.store.subscriptions() }, { _ = try home.acting("list") },
      { _ = try await home.updater.add(.init(.file(file.path))) },
      { _ = try await home.updater.update(.all) }, { _ = try home.updater.remove("list") },
      { _ = try own.text() }, { try await own.set("||own.example^") },
    ]
    for attempt in tries {
      let error = await #expect(throws: SubscriptionError.self) { try await attempt() }
      #expect(error?.code == .stateUnusable && error?.message.contains(mark.path) == true)
    }
    let names = try? FileManager.default.contentsOfDirectory(atPath: place.path)
    #expect(names == (isThere ? [] : nil))
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.moveItem(at: away, to: place)
    // A user who has removed all has none, and who has removed the mark begins anew.
    try home.updater.remove("list")
    #expect(try home.store.subscriptions().isEmpty)
    try FileManager.default.removeItem(at: place)
    #expect(throws: SubscriptionError.self) { try home.store.subscriptions() }
    try FileManager.default.removeItem(at: mark)
    #expect(try home.store.subscriptions().isEmpty)
    _ = try await home.updater.add(.init(.file(file.path)))
    #expect(FileManager.default.fileExists(atPath: mark.path))
  }

  @Test("The same source is added once, and names that are alike are told apart")
  func names() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    let first = SubscriptionSource.address(server.address + "/ads.txt")
    #expect(try await home.updater.add(.init(first)).subscription.id == "ads")
    let error = await #expect(throws: SubscriptionError.self) {
      try await home.updater.add(.init(first))
    }
    #expect(error?.code == .duplicate)
    let second = SubscriptionSource.address(server.address + "/other/ads.txt")
    #expect(try await home.updater.add(.init(second)).subscription.id == "ads-2")
    #expect(ListUpdater.identifier(" Ünsere “Liste” No. 1 ") == "nsere-liste-no-1")
    #expect(ListUpdater.identifier("///") == "")
    #expect(ListUpdater.identifier(String(repeating: "a", count: 100)).count == 40)
  }

  @Test("Lists that are added at once are all there, also in a folder that is new")
  func addedAtOnce() async throws {
    for _ in 0..<5 {
      let home = try ListHome()
      let files = try (0..<8).map { number in
        let file = home.folder.url.appending(path: "list-\(number).txt")
        try Data(filters(2, start: "n\(number)-").utf8).write(to: file)
        return file
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for file in files {
          group.addTask { _ = try await home.updater.add(.init(.file(file.path))) }
        }
        try await group.waitForAll()
      }
      #expect(try Set(home.store.subscriptions().map(\.id)).count == files.count)
    }
  }

  @Test("Two updaters at once do not write into each other's lists")
  func together() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    home.wait(100 * 86_400)
    do {
      let lock = try await FileLock.waiting(
        for: SubscriptionStore.lockFile(in: home.store.folder(of: "ads")),
        patience: .seconds(5)
      )
      let report = try await home.updater.update(.due).first
      guard case .skipped(let reason) = report?.outcome else {
        Issue.record("\(String(describing: report))")
        return
      }
      #expect(reason.contains("is being changed by"))
      withExtendedLifetime(lock) {}
    }
    // A process that another test starts may inherit the lock for a moment.
    async let one = home.update("ads")
    async let other = home.update("ads")
    #expect(try await [one, other].compactMap(\.self).allSatisfy { !$0.isFailure })
  }

  @Test("What killed processes left behind is removed, and what is in use is not")
  func leftovers() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    let lists = home.store.listsFolder
    for path in [
      ".new-abc/x/body", "removed/x/compiled", "removed/lock",
      "removed/1a/.draft-0123456789abcdef", "ads/half/body",
    ] {
      let file = lists.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("x".utf8).write(to: file)
    }
    let busy = lists.appending(path: ".new-busy")
    try FileManager.default.createDirectory(at: busy, withIntermediateDirectories: true)
    let lock = try FileLock(SubscriptionStore.lockFile(in: busy))
    _ = try await home.update("ads")
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: lists.path)) == ["ads", ".new-busy"]
    )
    let inside = try FileManager.default.contentsOfDirectory(atPath: lists.path + "/ads")
    #expect(inside.count == 2 && !inside.contains("half"))
    withExtendedLifetime(lock) {}
  }

  @Test("What else is where the lists are is not removed", arguments: [false, true])
  func others(isLink: Bool) async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    let before = try home.acting("ads")
    let (files, lists) = (FileManager.default, home.store.listsFolder)
    if isLink {
      let disk = lists.deletingLastPathComponent().appending(path: "disk")
      try files.moveItem(at: lists, to: disk)
      try files.createSymbolicLink(at: lists, withDestinationURL: disk)
    }
    let paths = [
      "photos/one", "photos/two/body", "ads/notes/mine", "ads/none/body/x", "notes",
      "empty/x/mine/body",
      "project/src/source.txt", "mine/lock/x", "mine/1/body", ".new-/x", ".new-a b/x",
    ]
    for path in ["music/bach", "ads/UPPER"] {
      try files.createDirectory(
        at: lists.appending(path: path),
        withIntermediateDirectories: true
      )
    }
    for path in paths {
      let file = lists.appending(path: path)
      try files.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("x".utf8).write(to: file)
    }
    try files.createSymbolicLink(
      at: lists.appending(path: "linked"),
      withDestinationURL: lists.appending(path: "ads")
    )
    _ = try await home.update("ads")
    for path in paths + ["linked", "music/bach", "ads/UPPER"] {
      #expect(files.fileExists(atPath: lists.appending(path: path).path), "\(path)")
    }
    #expect(!files.fileExists(atPath: lists.appending(path: "photos/lock").path))
    #expect(try home.acting("ads") == before)
    // What is the list's goes with it, and nothing else.
    try home.updater.remove("ads")
    #expect(
      try files.contentsOfDirectory(atPath: lists.path + "/ads").sorted() == [
        "UPPER", "none", "notes",
      ]
    )
  }

  @Test("A list whose file is gone is fetched again, and takes no other with it")
  func lostFile() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    _ = try await home.updater.add(.init(.address(server.address + "/more.txt")))
    try FileManager.default.removeItem(at: home.store.listsFolder.appending(path: "ads"))
    #expect(try home.acting("ads") == nil)
    #expect(try home.acting("more") != nil)
    _ = try await home.update("ads")
    #expect(try home.acting("ads") != nil)
  }

  @Test("Where the state is lost, the lists are not")
  func lostState() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    let before = try home.acting("ads")
    let state = home.store.folder.appending(path: "State.json")
    let elsewhere = home.store.folder.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: state, to: elsewhere)
    for attempt in 0..<2 {
      let error = await #expect(throws: SubscriptionError.self) {
        if attempt == 0 { _ = try home.store.subscriptions() }
        _ = try await home.updater.add(.init(.address(server.address + "/more.txt")))
      }
      #expect(error?.code == .stateUnusable && error?.message.contains("is missing") == true)
      #expect(error?.message.contains("(ads)") == true, "\(String(describing: error))")
    }
    // A backup may have no locks, and other files beside.
    let folder = home.store.folder(of: "ads")
    try FileManager.default.removeItem(at: SubscriptionStore.lockFile(in: folder))
    try Data().write(to: folder.appending(path: ".directory"))
    #expect(throws: SubscriptionError.self) { try home.store.subscriptions() }
    // So may a file manager, beside the compiled list itself.
    let inside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let generation = try #require(
      inside.first { name in
        FileManager.default.fileExists(atPath: folder.appending(path: "\(name)/compiled").path)
      }
    )
    try Data().write(to: folder.appending(path: "\(generation)/.DS_Store"))
    #expect(throws: SubscriptionError.self) { try home.store.subscriptions() }
    try FileManager.default.moveItem(at: elsewhere, to: state)
    #expect(try home.acting("ads") == before)
  }

  @Test("Where the state names a list that is not there, the one that is there stays")
  func otherGeneration() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    let there = try #require(try home.store.subscription("ads").generation)
    _ = try home.store.change("ads") { $0.generation = "elsewhere" }
    server.answer { _ in .status(503) }
    _ = try? await home.update("ads")
    try home.store.removeLeftovers(now: .distantFuture)
    let inside = try FileManager.default.contentsOfDirectory(
      atPath: home.store.listsFolder.path + "/ads"
    )
    #expect(inside.contains(there))
  }

  @Test(
    "A list compiled by another version is compiled again from what is kept, without its server",
    arguments: [0, 3]
  )
  func otherVersion(failures: Int) async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    let before = try home.acting("ads")
    let old = try home.store.change("ads") {
      $0.builtBy = "0.0.1 1"
      $0.failures = failures
    }
    // Nobody may be asked before the time has come.
    server.answer { _ in .status(503) }
    let asked = server.requests.count
    #expect(try await home.updater.update(.due).map(\.outcome) == [.unchanged])
    #expect(server.requests.count == asked)
    let new = try home.store.subscription("ads")
    #expect(new.builtBy == ListUpdater.builder && new.generation != old?.generation)
    #expect(new.changed == old?.changed && new.failures == failures && new.next == old?.next)
    #expect(try home.acting("ads") == before)
    #expect(try await home.updater.update(.due).isEmpty)
  }

  @Test("What was kept of another version's list may be lost: then the whole list is asked for")
  func otherVersionWithoutBody() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    let before = try home.acting("ads")
    let old = try #require(
      try home.store.change("ads") {
        $0.builtBy = "0.0.1 1"
        $0.validators = .init(address: server.address + "/ads.txt", entityTag: "\"a\"")
      }
    )
    let kept = try #require(home.store.files(of: old)?.source)
    try FileManager.default.removeItem(at: kept)
    // Not due yet: it is tried once, and nobody is asked.
    let asked = server.requests.count
    let updater = home.updater
    #expect(try await updater.update(.due).map(\.outcome) == [.unchanged])
    #expect(try await updater.update(.due).isEmpty)
    #expect(server.requests.count == asked)
    server.answer { request in
      request.field("if-none-match") == nil ? .text(filters(3)) : .status(304)
    }
    _ = try await home.updater.update(.all)
    #expect(try home.store.subscription("ads").builtBy == ListUpdater.builder)
    #expect(try home.acting("ads") == before)
  }

  @Test("A state that cannot be read is told, and stays as it is")
  func damaged() async throws {
    let home = try ListHome()
    let server = try ListServer { _ in .text(filters(3)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    let file = home.store.folder.appending(path: "State.json")
    for (text, words) in [
      ("{", "is damaged"), (#"{"version":2,"subscriptions":[]}"#, "later version"),
      (#"{"version":2,"lists":{}}"#, "later version"),
    ] {
      try Data(text.utf8).write(to: file)
      let error = await #expect(throws: SubscriptionError.self) {
        try await home.updater.update(.all)
      }
      #expect(error?.code == .stateUnusable && error?.message.contains(words) == true)
      #expect(throws: SubscriptionError.self) { try home.updater.remove("ads") }
      // Not "none": a browser would give up what it has.
      #expect(throws: SubscriptionError.self) { try home.acting("ads") }
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
  }

  @Test("Sources are what a person writes, and what is none is told why")
  func sources() throws {
    let home = try ListHome()
    #expect(
      try SubscriptionSource("HTTPS://Lists.Example/a b#c")
        == .address("https://lists.example/a%20b")
    )
    for (text, words) in [
      ("ftp://a.example/x", "no address of a list"), ("https://u:p@a.example/x", "password"),
      ("http://", "no address of a list"), ("none.txt", "there is no file none.txt"),
      ("a.example/x.txt", "write https://a.example/x.txt"), (".", "is a folder"), ("", "no file"),
    ] {
      let error = #expect(throws: SubscriptionError.self) {
        try SubscriptionSource(text, in: home.folder.url)
      }
      #expect(error?.code == .badSource)
      #expect(error?.message.contains(words) == true, "\(text): \(error?.message ?? "")")
    }
  }
}
