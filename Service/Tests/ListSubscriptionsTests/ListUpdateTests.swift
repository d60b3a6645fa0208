import Foundation
import ListIngestion
import Synchronization
import Testing

@testable import ListSubscriptions

@Suite("Lists of servers")
struct ListUpdateTests {
  private func added(
    _ text: String,
    fields: [String: String] = [:],
    path: String = "/ads.txt"
  ) async throws -> (home: ListHome, server: ListServer) {
    let home = try ListHome()
    let server = try ListServer { _ in .text(text, fields) }
    let report = try await home.updater.add(.init(.address(server.address + path)))
    #expect(report.subscription.id == "ads" && report.subscription.acts)
    #expect(try home.acting("ads") != nil)
    return (home, server)
  }

  private func expectFailure(
    _ report: ListUpdateReport?,
    _ code: SubscriptionError.Code,
    _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard case .failed(let error) = report?.outcome else {
      Issue.record("\(String(describing: report?.outcome))", sourceLocation: sourceLocation)
      return
    }
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    #expect(error.message.contains(words), "\(error)", sourceLocation: sourceLocation)
  }

  @Test("What the list and its server say is kept, and asked by: nothing new costs nothing")
  func validators() async throws {
    let header = "! Title: Ads of the world\n! Expires: 2 days\n! Licence: https://l.example/\n"
    let date = "Mon, 23 Nov 2026 10:00:00 GMT"
    let (home, server) = try await added(
      filters(3, header: header),
      fields: ["ETag": "\"one\"", "Last-Modified": date]
    )
    let list = try home.store.subscription("ads")
    #expect(list.name == "Ads of the world" && list.summary?.rules == 4)
    #expect(list.summary?.header.licence == "https://l.example/")
    let next = try #require(list.next).timeIntervalSince(home.now)
    #expect(next >= 2 * 86_400 && next <= 2.2 * 86_400)
    server.answer { request in
      request.field("if-none-match") == "\"one\"" ? .status(304) : .text("||other.example^\n")
    }
    #expect(try await home.updater.update(.due).isEmpty)
    home.wait(3 * 86_400)
    let before = try home.acting("ads")
    let reports = try await home.updater.update(.due)
    #expect(reports.map(\.outcome) == [.unchanged])
    #expect(server.requests.last?.field("if-modified-since") == date)
    #expect(try home.acting("ads") == before)
    #expect(try home.store.subscription("ads").succeeded == home.now)
    // The same bytes without validators are nothing new either.
    server.answer { _ in .text(filters(3, header: header)) }
    #expect(try await home.update("ads")?.outcome == .unchanged)
  }

  @Test("A new list takes the old one's place, and nothing of the old one stays")
  func change() async throws {
    let (home, server) = try await added(filters(3))
    let old = try home.store.subscription("ads")
    let oldFile = try #require(home.store.files(of: old)?.compiled)
    server.answer { _ in .text(filters(30)) }
    home.wait(60)
    #expect(try await home.update("ads")?.outcome == .changed(rulesBefore: 4))
    let new = try home.store.subscription("ads")
    #expect(new.summary?.rules == 31 && new.changed == home.now)
    // Who has read the state before the switch still finds the list that it names.
    #expect(FileManager.default.fileExists(atPath: oldFile.path))
    home.wait(61)
    _ = try await home.update("ads")
    #expect(!FileManager.default.fileExists(atPath: oldFile.path))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: home.store.folder(of: "ads").path
    )
    #expect(Set(names) == ["lock", new.generation])
    // Tenfold growth is nothing unusual.
    server.answer { _ in .text(filters(300)) }
    #expect(try await home.update("ads")?.outcome == .changed(rulesBefore: 31))
  }

  @Test("Whoever reads while lists are switched always finds a whole one")
  func noGap() async throws {
    let (home, server) = try await added(filters(3))
    let state = Mutex((isDone: false, count: 0))
    let reading = Task.detached {
      while !state.withLock({ $0.isDone }) {
        let list = try home.acting("ads")
        #expect(list?.starts(with: Data("TICKBIRD".utf8)) == true)
        state.withLock { $0.count += 1 }
        // Other tests wait for the thread.
        await Task.yield()
      }
    }
    for round in 0..<20 {
      server.answer { _ in .text(filters(3 + round % 2, start: "round\(round)x")) }
      #expect(try await home.update("ads")?.isFailure == false)
      // Nobody reads so slowly that the list is switched twice meanwhile.
      let count = state.withLock { $0.count }
      for _ in 0..<10_000 where state.withLock({ $0.count }) < count + 2 {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    state.withLock { $0.isDone = true }
    try await reading.value
  }

  @Test(
    "What is no list leaves the old one acting, and says so",
    arguments: [
      (.text("<!DOCTYPE html><title>Sign in</title>"), .listRefused, "web page"),
      (.text(""), .listRefused, "nothing in it"),
      (.text("! Title: Ads\n"), .listRefused, "no line of it is a filter"),
      (.text("[{\"trigger\":{\"url-filter\":\"ads\"},"), .listRefused, "WebKit refuses it"),
      (.text("too many requests\n"), .listRefused, "no line"),
      (.status(500), .fetchFailed, "the server has a fault (500)"),
      (.status(404), .fetchFailed, "nothing at the address (404)"),
      (.status(302, ["Location": "ftp://a/"]), .fetchFailed, "no address that can be fetched"),
      (.status(302, ["Location": "/ads.txt"]), .fetchFailed, "redirects more than 5 times"),
      (.status(304), .fetchFailed, "was not asked (304)"),
      (
        ListServer.Answer(body: Array(filters(50).utf8), length: 5_000), .fetchFailed,
        "the connection broke off"
      ),
    ] as [(ListServer.Answer, SubscriptionError.Code, String)]
  )
  func failures(
    _ answer: ListServer.Answer,
    _ code: SubscriptionError.Code,
    _ words: String
  ) async throws {
    let (home, server) = try await added(filters(60))
    let before = try home.acting("ads")
    server.answer { _ in answer }
    home.wait(60)
    expectFailure(try await home.update("ads"), code, words)
    #expect(try home.acting("ads") == before)
    let list = try home.store.subscription("ads")
    #expect(list.failures == 1 && list.fault?.code == code && list.fault?.date == home.now)
    #expect(try #require(list.next) > home.now + 800)
    #expect(try await home.updater.update(.due).isEmpty)
    server.answer { _ in .text(filters(61)) }
    home.wait(3_600)
    let reports = try await home.updater.update(.due)
    #expect(reports.map(\.outcome) == [.changed(rulesBefore: 61)], "\(reports)")
    #expect(try home.store.subscription("ads").fault == nil)
  }

  @Test("A server that asks to wait is not asked before")
  func retryAfter() async throws {
    let (home, server) = try await added(filters(3))
    server.answer { _ in .status(503, ["Retry-After": "200000"]) }
    _ = try await home.update("ads")
    #expect(try home.store.subscription("ads").next == home.now + 200_000)
  }

  @Test("A list that has lost most of its rules has to come three times, or be asked for")
  func short() async throws {
    let (home, server) = try await added(filters(100))
    let before = try home.acting("ads")
    server.answer { _ in .text(filters(40)) }
    home.wait(5 * 86_400)
    for _ in 0..<2 {
      expectFailure(
        try await home.updater.update(.due).first,
        .suspiciouslyShort,
        "only 41 rules came, and there were 101"
      )
      #expect(try home.acting("ads") == before)
      home.wait(86_400)
    }
    #expect(try await home.updater.update(.due).map(\.outcome) == [.changed(rulesBefore: 101)])
    server.answer { _ in .text(filters(2)) }
    // Few rules may become fewer.
    #expect(try await home.update("ads")?.outcome == .changed(rulesBefore: 41))
    server.answer { _ in .text(filters(100)) }
    _ = try await home.update("ads")
    server.answer { _ in .text(filters(1)) }
    let accepted = try await home.update("ads", acceptsShort: true)
    #expect(accepted?.outcome == .changed(rulesBefore: 101))
  }

  @Test("A list that has moved for good is asked at its new address; otherwise at the old one")
  func redirects() async throws {
    let (home, server) = try await added(filters(3))
    server.answer { request in
      request.path == "/new.txt" ? .text(filters(4)) : .status(302, ["Location": "/new.txt"])
    }
    #expect(try await home.update("ads")?.outcome == .changed(rulesBefore: 4))
    #expect(try home.store.subscription("ads").source == .address(server.address + "/ads.txt"))
    server.answer { request in
      request.path == "/new.txt" ? .text(filters(5)) : .status(301, ["Location": "/new.txt"])
    }
    let report = try await home.update("ads")
    #expect(report?.notes.first?.contains("moved for good") == true)
    let list = try home.store.subscription("ads")
    #expect(list.source == .address(server.address + "/new.txt"))
    #expect(list.formerAddress == server.address + "/ads.txt")
    // What is no list does not become its address.
    server.answer { request in
      request.path == "/login" ? .text("<html>") : .status(301, ["Location": "/login"])
    }
    expectFailure(try await home.update("ads"), .listRefused, "web page")
    #expect(try home.store.subscription("ads").source == .address(server.address + "/new.txt"))
  }

  @Test("Mirrors are asked when the source fails or has no list, and told of")
  func mirrors() async throws {
    let home = try ListHome()
    let mirror = try ListServer { _ in .text(filters(5)) }
    let server = try ListServer { _ in .text(filters(3)) }
    let request = ListUpdater.Request(
      .address(server.address + "/ads.txt"),
      mirrors: [mirror.address + "/mirror.txt"],
      name: "My ads"
    )
    let list = try await home.updater.add(request).subscription
    #expect(list.id == "my-ads" && list.summary?.rules == 4 && mirror.requests.isEmpty)
    server.answer { _ in .text("<html>") }
    let report = try await home.update("my-ads")
    #expect(report?.outcome == .changed(rulesBefore: 4))
    #expect(report?.notes.first?.contains("from the mirror") == true)
    #expect(report?.subscription.fetchedFrom == mirror.address + "/mirror.txt")
    mirror.answer { _ in .status(500) }
    expectFailure(try await home.update("my-ads"), .listRefused, "/mirror.txt: the server has a")
  }

  @Test("A list of another syntax, compressed or not, may take the place")
  func formats() async throws {
    let (home, server) = try await added(filters(3))
    let rule = #"{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}"#
    server.answer { _ in .text("[\(rule)]") }
    #expect(try await home.update("ads")?.subscription.summary?.format == .webkit)
    let list = try home.store.subscription("ads")
    #expect(home.store.files(of: list)?.map == nil)
    let json = try #require(home.store.files(of: list)?.source)
    #expect(try String(contentsOf: json, encoding: .utf8) == "[\(rule)]")
    server.answer { _ in .text("127.0.0.1 localhost\n127.0.0.1 ads.example\n") }
    #expect(try await home.update("ads")?.subscription.summary?.format == .hosts)
  }

  @Test("What a server compresses is opened, and what is cut off is not taken for a whole list")
  func compressed() async throws {
    let packed = try #require(
      Data(
        base64Encoded: "H4sIAAAAAAACA6upyTPQS61IzC3ISY3jqqnJM0ThGSF4ABexUvAqAAAA"
      )
    )
    let (home, server) = try await added(filters(8))
    func answer(_ bytes: Data, _ encoding: String) async throws -> ListUpdateReport? {
      server.answer { _ in .init(fields: ["Content-Encoding": encoding], body: Array(bytes)) }
      return try await home.update("ads")
    }
    for count in [packed.count - 1, packed.count - 8, packed.count / 2, 3, 0] {
      expectFailure(
        try await answer(packed.prefix(count), "gzip"),
        .fetchFailed,
        "compressed, and cut off"
      )
    }
    for other in ["br", "gzip, br", "gzip, gzip, gzip"] {
      expectFailure(try await answer(packed, other), .fetchFailed, "not asked for")
    }
    #expect(server.requests.last?.field("accept-encoding") == "gzip")
    #expect(try await answer(packed, "gzip, identity")?.outcome == .changed(rulesBefore: 9))
    #expect(try await answer(packed, "GZIP")?.outcome == .unchanged)
    let list = try home.store.subscription("ads")
    let source = try #require(home.store.files(of: list)?.source)
    #expect(try String(contentsOf: source, encoding: .utf8).hasPrefix("||n0.example^\n"))
  }

  @Test("What another answer said of itself does not hold a list back")
  func otherValidators() async throws {
    let (home, server) = try await added(filters(3), fields: ["ETag": "\"one\""])
    server.answer { _ in .text(filters(4)) }
    #expect(try await home.update("ads")?.outcome == .changed(rulesBefore: 4))
    // The first one comes back; who asks by its tag is told that there is nothing new.
    server.answer { request in
      request.field("if-none-match") == "\"one\""
        ? .status(304) : .text(filters(3), ["ETag": "\"one\""])
    }
    #expect(try await home.update("ads")?.outcome == .changed(rulesBefore: 5))
    #expect(try await home.update("ads")?.outcome == .unchanged)
    #expect(server.requests.last?.field("if-none-match") == "\"one\"")
  }

  @Test("Where a list has moved to is kept only if it would be when it is typed")
  func movedWithPassword() async throws {
    let (home, server) = try await added(filters(3))
    let host = server.address.dropFirst("http://".count)
    server.answer { request in
      request.path == "/ads.txt"
        ? .status(301, ["Location": "http://user:word@\(host)/new.txt"]) : .text(filters(4))
    }
    let report = try await home.update("ads")
    #expect(report?.outcome == .changed(rulesBefore: 4))
    #expect(report?.subscription.source.text == server.address + "/ads.txt")
  }

  @Test("A clock that was ahead once does not end the updates", arguments: [false, true])
  func clockSetBack(fails: Bool) async throws {
    let (home, server) = try await added(filters(3))
    let now = home.now
    home.wait(12 * 365 * 86_400)
    server.answer { _ in fails ? .status(503) : .text(filters(3)) }
    _ = try await home.updater.update(.due)
    home.wait(now.timeIntervalSince(home.now))
    server.answer { _ in .text(filters(4)) }
    #expect(try await home.updater.update(.due).map(\.outcome) == [.changed(rulesBefore: 4)])
    #expect(try await home.updater.update(.due).isEmpty)
  }

  @Test("Nothing larger than the limits is taken, and nothing is left of it")
  func limits() async throws {
    var limits = SubscriptionLimits()
    limits.bytes = 10_000
    limits.lists = 1
    let home = try ListHome(limits: limits)
    let server = try ListServer { _ in .text(filters(1_000)) }
    let large = await #expect(throws: SubscriptionError.self) {
      try await home.updater.add(.init(.address(server.address + "/large.txt")))
    }
    #expect(large?.message.contains("limit of 10000 bytes") == true, "\(String(describing: large))")
    server.answer { _ in .text(filters(2)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
    let second = await #expect(throws: SubscriptionError.self) {
      try await home.updater.add(.init(.address(server.address + "/more.txt")))
    }
    #expect(second?.code == .tooMany)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.store.listsFolder.path)
    #expect(names == ["ads"])
  }
}
