import Foundation
import FoundationNetworking
import GRDB
import HostTestSupport
import LinkPublishing
import LoopbackServing
import Testing

@testable import SharedLinks

private let feed = "https://example.org/feed"

struct PublicationTests {
  /// A store with 250 links, some of them hard to write.
  private func scene() async throws -> LinkScene {
    var limits = LinkLimits()
    limits.itemsPerDocument = 300
    let scene = try LinkScene(limits: limits)
    var items = (1...247).map {
      Written("Item \($0)", link: "https://example.org/\($0)", guid: "\($0)", text: "t")
    }
    items.append(Written("A &amp;lt;b&amp;gt; &amp;amp; \"q\" 'a' ]]&gt; Ünï 👩‍👩‍👧", guid: "x"))
    items.append(Written("", link: "https://example.org/?a=1&amp;b=%22", guid: "y"))
    items.append(Written("Blocked", link: "https://ads.example/1", guid: "z"))
    scene.transport.on(feed, body: rss(items, title: "F &amp;amp; Co"))
    try await scene.follow(feed)
    try scene.store.addRuleList(name: "ads", json: Array(blockAds.utf8))
    return scene
  }

  @Test("what is published as Atom and JSON Feed reads as the stream it was made of")
  func roundTrip() async throws {
    let scene = try await scene()
    let base = "http://127.0.0.1:7311"
    var query = LinkQuery()
    query.limit = 1_000
    let items = try scene.store.items(query)
    #expect(items.count == 249)
    var atom: [FeedEntry] = []
    var json: [FeedEntry] = []
    for page in 1...3 {
      let publication = try StreamPublication(store: scene.store, page: page, base: base)
      #expect(publication.hasNext == (page < 3))
      let text = publication.atom()
      let document = try FeedReader.read(Array(text.utf8), address: base + "/links.atom")
      #expect(document.notes == [] && document.format == .atom)
      #expect(text.contains("rel=\"next\"") == (page < 3))
      atom += document.entries
      let other = try FeedReader.read(
        Array(publication.jsonFeed().utf8),
        address: base + "/links.json"
      )
      #expect(other.notes == [] && other.format == .jsonFeed)
      json += other.entries
    }
    for entries in [atom, json] {
      #expect(entries.map(\.identifier) == items.map(\.tag))
      #expect(entries.map(\.title) == items.map(\.title))
      #expect(entries.map(\.address) == items.map(\.address))
      #expect(entries.map(\.text) == items.map(\.text))
      #expect(
        entries.map { $0.date?.timeIntervalSince1970.rounded(.down) }
          == items.map { $0.date.timeIntervalSince1970.rounded(.down) }
      )
      #expect(entries.allSatisfy { $0.author == "F & Co" })
    }
    #expect(Set(items.map(\.tag)).count == items.count)
    #expect(items.allSatisfy { $0.tag.hasPrefix("tag:") })
  }

  @Test("an empty stream is a feed, too")
  func empty() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let publication = try StreamPublication(store: store, page: 1, base: "http://127.0.0.1:1")
    #expect(try FeedReader.read(Array(publication.atom().utf8), address: feed).entries.isEmpty)
    #expect(try FeedReader.read(Array(publication.jsonFeed().utf8), address: feed).entries.isEmpty)
  }

  @Test("the server answers this machine alone, with validators, and changes nothing")
  func server() async throws {
    let scene = try await scene()
    let icon = try #require(LinkIcon(tinyPNG))
    try scene.store.setIcon(icon, sourceID: 1, now: Date())
    let (ports, continuation) = AsyncStream<String>.makeStream()
    let secret = Secret()
    let server = LinkServer(store: scene.store, secret: secret, port: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: ServerExecutor()) {
        try await server.run { continuation.yield($0) }
      }
      var iterator = ports.makeAsyncIterator()
      let base = try #require(await iterator.next())
      let port = try #require(URL(string: base)?.port)
      #expect(base == "http://127.0.0.1:\(port)/\(secret.text)")
      // Without the secret there is nothing, whatever is asked for.
      let bare = "http://127.0.0.1:\(port)"
      for path in [
        "/", "/links.atom", "/links.json", "/icons/\(icon.digest)", "/\(Secret().text)/links.json",
        "/\(secret.text.dropLast())/links.json", "/\(secret.text)x/links.json",
        "//\(secret.text.lowercased())/links.json", "/x/../\(Secret().text)/links.atom", "/%00",
      ] {
        let answer = try await get(bare + path)
        #expect(answer.status == 404, "\(path)")
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("example"))
      }
      let atom = try await get(base + "/links.atom")
      #expect(atom.status == 200)
      #expect(atom.headers["content-type"] == "application/atom+xml; charset=utf-8")
      #expect(String(decoding: atom.body, as: UTF8.self).contains("href=\"\(base)/links.atom\""))
      #expect(try FeedReader.read(atom.body, address: base).entries.count == 100)
      let tag = try #require(atom.headers["etag"])
      #expect(try await get(base + "/links.atom", ["If-None-Match": tag]).status == 304)
      #expect(
        try await get(base + "/links.atom", ["If-None-Match": "\"x\", W/\(tag)"]).status == 304
      )
      #expect(try await get(base + "/links.atom", ["If-None-Match": "\"x\""]).status == 200)
      let json = try await get(base + "/links.json?page=3")
      #expect(json.headers["content-type"] == "application/feed+json; charset=utf-8")
      #expect(try FeedReader.read(json.body, address: base).entries.count == 49)
      let image = try await get(base + "/icons/\(icon.digest)")
      #expect(image.body == tinyPNG && image.headers["content-type"] == "image/png")
      #expect(image.headers["x-content-type-options"] == "nosniff")
      #expect(try await get(base + "/icons/none").status == 404)
      for page in ["0", "-1", "99999999999999999999", "x"] {
        #expect(try await get(base + "/links.atom?page=\(page)").status == 200)
      }
      let ports = ["", "\"/><x a=\"", "+\(port)", "0\(port)", "65536", "\(port)/", "\(port):1"]
      let hosts = ["evil.example", "evil.example:\(port)", "127.0.0.1.evil.example", "[::1]", "x"]
      for host in hosts + ports.map({ "127.0.0.1:\($0)" }) {
        #expect(try await get(base + "/links.atom", ["Host": host]).status == 421, "\(host)")
      }
      #expect(try await get(base + "/links.atom", ["Host": "localhost:\(port)"]).status == 200)
      // Marking something as read changes the stream's validator not at all, a new link does.
      try scene.store.markAll(isRead: true)
      #expect(try await get(base + "/links.atom", ["If-None-Match": tag]).status == 304)
      let second = LinkServer(store: scene.store, secret: secret, port: port)
      let taken = await #expect(throws: LinkError.self) { try await second.run { _ in } }
      #expect(taken?.message.contains("is taken") == true)
      group.cancelAll()
    }
  }

  @Test("the server's own address is escaped as everything else in the document is")
  func escapedBase() async throws {
    let scene = try await scene()
    let base = "http://127.0.0.1:\"/><x a=\"&<"
    let publication = try StreamPublication(store: scene.store, page: 2, base: base)
    let atom = publication.atom()
    #expect(atom.components(separatedBy: "127.0.0.1:&quot;/&gt;&lt;x a=&quot;&amp;&lt;").count == 5)
    #expect(!atom.contains("<x a"))
  }

  @Test("a feed's own address, which may be a secret one, is not in the stream")
  func secretFeeds() async throws {
    let secret = "https://feeds.example/private/TOKEN123/rss?key=TOKEN123"
    let scene = try LinkScene()
    scene.transport.on(
      secret,
      body: "<rss><channel><item><guid>1</guid><title>No link</title></item>"
        + "<item><guid>2</guid><description>Text</description></item></channel></rss>"
    )
    try await scene.follow(secret)
    // One that was kept by an earlier version, with the address.
    try scene.store.write { database in
      try database.execute(
        literal: "UPDATE item SET address = \(secret) WHERE identifier = '1'"
      )
    }
    let publication = try StreamPublication(store: scene.store, page: 1, base: "http://127.0.0.1:1")
    #expect(publication.items.count == 2)
    for text in [publication.atom(), try publication.jsonFeed()] {
      #expect(!text.contains("TOKEN123"))
      #expect(text.contains("https://feeds.example/"))
    }
  }

  @Test("the address stays the same, is its owner's alone, and can be made again")
  func secretFiles() throws {
    let folder = try TestFolder()
    let url = folder.url.appending(path: "links-address")
    let file = SecretFile(url)
    let first = try file.secret()
    #expect(try file.secret() == first)
    let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let second = try file.renew()
    #expect(second != first)
    #expect(try file.secret() == second)
    #expect(!second.matches(first.text) && second.matches(second.text))
    // Others may have read it, it is none, or it leads elsewhere.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
    #expect(throws: SecretFile.Failure.self) { try file.secret() }
    try file.renew()
    #expect(throws: Never.self) { try file.secret() }
    try Data("short\n".utf8).write(to: url)
    #expect(throws: SecretFile.Failure.self) { try file.secret() }
    try FileManager.default.removeItem(at: url)
    try FileManager.default.createSymbolicLink(
      at: url,
      withDestinationURL: folder.url.appending(path: "elsewhere")
    )
    #expect(throws: SecretFile.Failure.self) { try file.secret() }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["links-address"]
    )
  }

  private func get(
    _ address: String,
    _ headers: [String: String] = [:]
  ) async throws
    -> LinkResponse
  {
    // Other tests may keep the server from answering for longer than people have patience.
    try await CurlTransport(idleSeconds: 60).send(
      LinkRequest(
        address: address,
        headers: headers,
        bodyLimit: 10 << 20,
        seconds: 60,
        localHost: "127.0.0.1"
      )
    )
  }
}

/// A rule list that blocks one host.
let blockAds = #"[{"trigger": {"url-filter": "ads\\.example"}, "action": {"type": "block"}}]"#

struct LinkRulesTests {
  private func scene() async throws -> LinkScene {
    let scene = try LinkScene()
    scene.transport.on(
      feed,
      body: rss([
        Written("Ad", link: "https://ads.example/1#x", guid: "1"),
        Written("Own", link: "https://example.org/2", guid: "2"),
        Written("Else", link: "https://other.org/3", guid: "3"),
      ])
    )
    try await scene.follow(feed)
    return scene
  }

  @Test("a blocked link is hidden, can be shown, and says by which rule")
  func blocking() async throws {
    let scene = try await scene()
    let rules = #"""
      [{"trigger": {"url-filter": "nothing"}, "action": {"type": "block"}},
       {"trigger": {"url-filter": "ads\\.example"}, "action": {"type": "block"}}]
      """#
    try scene.store.addRuleList(name: "ads", json: Array(rules.utf8))
    #expect(try scene.titles().sorted() == ["Else", "Own"])
    var query = LinkQuery()
    query.blocked = .only
    let blocked = try #require(try scene.store.items(query).first)
    #expect(blocked.blocked == BlockingRule(list: "ads", rule: 1))
    #expect(scene.store.ruleText(BlockingRule(list: "ads", rule: 1))?.contains("ads") == true)
    #expect(try scene.store.ruleLists().map(\.blockedCount) == [1])
    try scene.store.setRuleList(name: "ads", isOn: false)
    #expect(try scene.titles().count == 3)
    try scene.store.setRuleList(name: "ads", isOn: true)
    #expect(try scene.titles().count == 2)
    try scene.store.change(sourceID: 1, appliesRules: false)
    #expect(try scene.titles().count == 3)
    try scene.store.change(sourceID: 1, appliesRules: true)
    try scene.store.removeRuleList(name: "ads")
    #expect(try scene.titles().count == 3)
  }

  @Test(
    "a link is a top-level document's load from the feed's page",
    arguments: [
      (#"{"url-filter": ".*", "load-type": ["third-party"]}"#, ["Own"]),
      (#"{"url-filter": ".*", "load-type": ["first-party"]}"#, ["Ad", "Else"]),
      (#"{"url-filter": ".*", "resource-type": ["document"]}"#, []),
      (#"{"url-filter": ".*", "resource-type": ["script", "image"]}"#, ["Ad", "Else", "Own"]),
      (#"{"url-filter": ".*", "load-context": ["child-frame"]}"#, ["Ad", "Else", "Own"]),
      (#"{"url-filter": "ads", "if-domain": ["example.org"]}"#, ["Else", "Own"]),
      (#"{"url-filter": "ads", "unless-domain": ["example.org"]}"#, ["Ad", "Else", "Own"]),
      (#"{"url-filter": "1$"}"#, ["Else", "Own"]),
    ]
  )
  func loads(_ trigger: String, _ shown: [String]) async throws {
    let scene = try await scene()
    let list = "[{\"trigger\": \(trigger), \"action\": {\"type\": \"block\"}}]"
    try scene.store.addRuleList(name: "list", json: Array(list.utf8))
    #expect(try scene.titles().sorted() == shown)
  }

  @Test("rules are asked about links that come later, also by a store that was open before")
  func later() async throws {
    let scene = try await scene()
    let other = try scene.folder.store()
    try other.addRuleList(name: "ads", json: Array(blockAds.utf8))
    scene.transport.on(
      feed,
      body: rss([Written("New ad", link: "https://ads.example/9", guid: "9")])
    )
    _ = try await scene.refresher.refresh(.all)
    #expect(try scene.titles().sorted() == ["Else", "Own"])
  }

  @Test("a list whose compiled file is gone or damaged keeps no links from coming, and is named")
  func unusable() async throws {
    let scene = try await scene()
    try scene.store.addRuleList(name: "ads", json: Array(blockAds.utf8))
    let folder = scene.store.rulesFolder
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.contains("ads") }
    )
    for (number, harm) in [Data("TICKBIRD".utf8), nil].enumerated() {
      let file = folder.appending(path: name)
      let before = try Data(contentsOf: file)
      if let harm {
        try harm.write(to: file)
      } else {
        try FileManager.default.removeItem(at: folder)
      }
      scene.transport.on(
        feed,
        body: rss([
          Written("New \(number)", link: "https://ads.example/\(9 + number)", guid: "n\(number)")
        ])
      )
      let store = try scene.folder.store()
      let refresher = LinkRefresher(store: store, transport: scene.transport)
      let reports = try await refresher.refresh(.all)
      #expect(reports.allSatisfy { if case .failed = $0.outcome { false } else { true } })
      #expect(try scene.titles().contains("New \(number)"))
      let fault = try #require(try store.ruleLists().first?.fault)
      #expect(fault.contains("tickbird links rules add FILE --name ads"), "\(fault)")
      // It is used again as soon as it can be.
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try before.write(to: file)
      #expect(try store.ruleLists().first?.fault == nil)
    }
  }

  @Test("a list that is refused leaves the one before active, and says why")
  func refused() async throws {
    let scene = try await scene()
    try scene.store.addRuleList(name: "ads", json: Array(blockAds.utf8))
    let error = #expect(throws: LinkError.self) {
      try scene.store.addRuleList(name: "ads", json: Array("[{}]".utf8))
    }
    #expect(error?.code == .badRules)
    #expect(try scene.titles().count == 2)
    for name in ["", "../x", "a/b", ".hidden", String(repeating: "x", count: 200)] {
      #expect(throws: LinkError.self) {
        try scene.store.addRuleList(name: name, json: Array(blockAds.utf8))
      }
    }
    #expect(throws: LinkError.self) { try scene.store.setRuleList(name: "none", isOn: true) }
    #expect(throws: LinkError.self) { try scene.store.removeRuleList(name: "none") }
  }
}
