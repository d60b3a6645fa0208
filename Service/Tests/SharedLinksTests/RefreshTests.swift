import Foundation
import Testing

@testable import SharedLinks

private let feed = "https://example.org/feed"
private let body = rss([Written("A", guid: "1")])

struct RefreshTests {
  @Test("validators are sent back, and 304 leaves everything as it was")
  func conditional() async throws {
    let scene = try LinkScene()
    scene.transport.on(
      feed,
      ["etag": "\"v1\"", "last-modified": "Sat, 21 Nov 2026 12:31:26 GMT"],
      body: body
    )
    try await scene.follow(feed)
    scene.transport.on(feed, status: 304)
    let reports = try await scene.refresher.refresh(.all)
    #expect(reports.map(\.outcome) == [.unchanged])
    let last = try #require(scene.transport.requests.last)
    #expect(last.headers["if-none-match"] == "\"v1\"")
    #expect(last.headers["if-modified-since"] == "Sat, 21 Nov 2026 12:31:26 GMT")
    #expect(last.headers["user-agent"]?.contains("Tickbird") == true)
    #expect(try scene.titles() == ["A"])
    // The validators survive an answer without them.
    _ = try await scene.refresher.refresh(.all)
    #expect(scene.transport.requests.last?.headers["if-none-match"] == "\"v1\"")
  }

  @Test("304 to a question that was not asked is a failure, and a feed that cannot be added")
  func unasked() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, body: body)
    let source = try await scene.follow(feed)
    scene.transport.on(feed, status: 304)
    let reports = try await scene.refresher.refresh(.all)
    guard case .failed(let message) = try #require(reports.first).outcome else {
      Issue.record("\(reports)")
      return
    }
    #expect(message == "the server says that nothing has changed, which it was not asked (304)")
    let state = try #require(try scene.store.source(id: source.id)).state
    #expect(state.failures == 1 && state.lastError == message)
    #expect(try scene.titles() == ["A"])
    scene.transport.on("https://example.org/other", status: 304)
    let error = await #expect(throws: LinkError.self) {
      _ = try await scene.refresher.add("https://example.org/other")
    }
    #expect(error?.code == .fetchFailed && error?.message.contains("was not asked (304)") == true)
  }

  @Test(
    "a feed that moved for good is fetched where it is, and keeps its items",
    arguments: [301, 308]
  )
  func moved(_ status: Int) async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, body: body)
    let source = try await scene.follow(feed)
    let item = try #require(try scene.store.items().first)
    scene.transport.on(feed, status: status, ["location": "/new"])
    scene.transport.on("https://example.org/new", body: body)
    _ = try await scene.refresher.refresh(.all)
    let moved = try #require(try scene.store.source(id: source.id))
    #expect(moved.key == "https://example.org/new")
    #expect(moved.state.notes.contains { $0.contains("has moved") })
    #expect(try scene.store.items().map(\.tag) == [item.tag])
  }

  @Test("a feed that is elsewhere for now, or moved to what is no feed, keeps its address")
  func movedForNow() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, status: 302, ["location": "https://cdn.org/x"])
    scene.transport.on("https://cdn.org/x", body: body)
    var source = try await scene.follow(feed)
    #expect(source.key == feed && source.itemCount == 0 && source.state.failures == 0)
    #expect(try scene.titles() == ["A"])
    scene.transport.on(feed, status: 301, ["location": "https://parked.org/"])
    scene.transport.on("https://parked.org/", body: "<html><body>For sale</body></html>")
    _ = try await scene.refresher.refresh(.all)
    source = try #require(try scene.store.source(id: source.id))
    #expect(source.key == feed)
    #expect(source.state.lastError?.contains("a web page") == true)
    #expect(try scene.titles() == ["A"])
  }

  @Test("a feed that moved to another's address stays, with a note")
  func movedOntoAnother() async throws {
    let scene = try LinkScene()
    scene.transport.on("https://b.org/feed", body: body)
    try await scene.follow("https://b.org/feed")
    scene.transport.on(feed, status: 301, ["location": "https://b.org/feed"])
    let source = try await scene.follow(feed)
    #expect(source.key == feed)
    #expect(source.state.notes.contains { $0.contains("which is feed 1") })
  }

  @Test("a feed that is gone is not asked again unless one insists")
  func gone() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, status: 410)
    let source = try await scene.follow(feed)
    #expect(source.state.isGone)
    scene.clock.advance(30 * 86_400)
    let count = scene.transport.requests.count
    let reports = try await scene.refresher.refresh(.all)
    #expect(scene.transport.requests.count == count)
    guard case .skipped(let reason) = reports.first?.outcome else {
      Issue.record("it was not skipped")
      return
    }
    #expect(reason.contains("gone"))
    scene.transport.on(feed, body: body)
    _ = try await scene.refresher.refresh(.forced)
    #expect(try scene.store.source(id: source.id)?.state.isGone == false)
  }

  @Test(
    "Retry-After holds a feed back, in seconds and as a date",
    arguments: ["7200", "Fri, 15 Jan 2027 10:00:00 GMT"]
  )
  func retryAfter(_ field: String) async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, status: 503, ["retry-after": field])
    let source = try await scene.follow(feed)
    let next = try #require(source.state.nextFetch)
    #expect(next.timeIntervalSince(scene.clock.now) == 7_200)
    let count = scene.transport.requests.count
    scene.clock.advance(7_100)
    _ = try await scene.refresher.refresh(.all)
    #expect(scene.transport.requests.count == count)
    scene.clock.advance(200)
    _ = try await scene.refresher.refresh(.all)
    #expect(scene.transport.requests.count == count + 1)
  }

  @Test("back-off doubles within its bounds, the same for a feed and different between feeds")
  func backOff() {
    let now = Date(timeIntervalSince1970: 0)
    func delay(_ failures: Int, _ retryAfter: Double? = nil, _ address: String = feed) -> Double {
      RefreshPolicy.next(
        after: now,
        failures: failures,
        retryAfter: retryAfter,
        address: address
      ).timeIntervalSince1970
    }
    for failures in 1...12 {
      let base = min(300 * pow(2, Double(failures - 1)), 86_400)
      #expect((base...base * 1.25).contains(delay(failures)))
      #expect(delay(failures) == delay(failures))
    }
    #expect(delay(1_000_000) <= 86_400 * 1.25)
    #expect(delay(Int.max) <= 86_400 * 1.25)
    #expect(Set((0..<50).map { delay(3, nil, "https://e.org/\($0)") }).count == 50)
    #expect(delay(1, 1e12) == 7 * 86_400)
    #expect(delay(1, 0) >= 300)
  }

  @Test("failures are counted and told, and one success forgets them")
  func failures() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed) { _ in throw FetchFailure("the connection broke off") }
    var source = try await scene.follow(feed)
    #expect(source.state.failures == 1)
    #expect(source.state.lastError == "the connection broke off")
    _ = try await scene.refresher.refresh(.forced)
    source = try #require(try scene.store.source(id: source.id))
    #expect(source.state.failures == 2)
    scene.transport.on(feed, body: body)
    _ = try await scene.refresher.refresh(.forced)
    source = try #require(try scene.store.source(id: source.id))
    #expect(source.state.failures == 0 && source.state.lastError == nil)
  }

  @Test("a feed is due after its interval, or what it and its server wish for, within bounds")
  func intervals() {
    let now = Date(timeIntervalSince1970: 0)
    func next(_ minutes: Int?, _ age: Double?) -> Double {
      RefreshPolicy.next(after: now, minutesToLive: minutes, maximumAge: age).timeIntervalSince1970
    }
    #expect(next(nil, nil) == 1_800)
    #expect(next(1, 5) == 1_800)
    #expect(next(90, nil) == 5_400)
    #expect(next(nil, 7_200) == 7_200)
    #expect(next(10_080, 1e15) == 86_400)
  }

  @Test("due feeds alone are fetched when a timer asks")
  func due() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, body: body)
    try await scene.follow(feed)
    #expect(try await scene.refresher.refresh(.due).isEmpty)
    scene.clock.advance(RefreshPolicy.interval + 1)
    #expect(try await scene.refresher.refresh(.due).count == 1)
  }

  @Test(
    "redirects go nowhere but the web, and from the web not into the local network",
    arguments: [
      "file:///etc/passwd", "ftp://example.org/", "javascript:1", "http://127.0.0.1/",
      "http://localhost:80/", "http://192.168.1.1/", "http://[::1]/", "http://10.0.0.1/",
      "http://169.254.169.254/latest", "http://0x7f.1/", "http://2130706433/",
    ]
  )
  func redirects(_ target: String) async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, status: 302, ["location": target])
    let source = try await scene.follow(feed)
    #expect(source.state.lastError?.contains("redirects to") == true)
    #expect(scene.transport.requests.map(\.address) == [feed])
  }

  @Test("redirects in circles end")
  func circles() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, status: 302, ["location": feed])
    let source = try await scene.follow(feed)
    #expect(source.state.lastError?.contains("more than 5 times") == true)
    #expect(scene.transport.requests.count == 6)
  }

  @Test("a document that is no feed is a failure that keeps what was there")
  func noFeed() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, body: body)
    try await scene.follow(feed)
    scene.transport.on(feed, body: "<html><body>Maintenance</body></html>")
    let reports = try await scene.refresher.refresh(.all)
    guard case .failed(let message) = reports.first?.outcome else {
      Issue.record("it did not fail")
      return
    }
    #expect(message.contains("web page"))
    #expect(try scene.titles() == ["A"])
  }

  @Test("many feeds are fetched, a bounded number at a time")
  func bounds() async throws {
    let scene = try LinkScene()
    for number in 0..<40 {
      let address = "https://h\(number % 3).org/\(number)"
      scene.transport.on(address, body: rss([Written("\(number)", guid: "1")]))
      try scene.store.subscribe(to: address)
    }
    let reports = try await scene.refresher.refresh(.all)
    #expect(reports.count == 40)
    #expect(try scene.store.count() == 40)
  }

  @Test("a feed's icon is fetched once, from what it names, and SVG is ignored")
  func icons() async throws {
    let scene = try LinkScene()
    let named = rss([Written("A", guid: "1")]).replacing(
      "<channel>",
      with: "<channel><image><url>/i.svg</url></image>"
    )
    scene.transport.on(feed, body: named)
    scene.transport.on(
      "https://example.org/i.svg",
      body: "<svg xmlns='http://www.w3.org/2000/svg'/>"
    )
    scene.transport.on("https://example.org/favicon.ico") { _ in
      LinkResponse(status: 200, body: tinyPNG)
    }
    let source = try await scene.follow(feed)
    let icon = try #require(source.icon)
    #expect(try scene.store.icon(digest: icon)?.mediaType == "image/png")
    #expect(try scene.store.items().first?.icon == icon)
    let count = scene.transport.requests.count
    _ = try await scene.refresher.refresh(.all)
    #expect(scene.transport.requests.count == count + 1)
  }
}

struct AddingTests {
  private let page = """
    <!doctype html><html><head><base href="/blog/">
    <script>var x = '<link rel="alternate" type="application/rss+xml" href="/fake">'</script>
    <!-- <link rel="alternate" type="application/rss+xml" href="/hidden"> -->
    <LINK REL='Alternate nofollow' TYPE="application/rss+xml; charset=utf-8" HREF="rss.xml"
      title="News &amp; more">
    <link rel=alternate type=application/atom+xml href=../atom.xml>
    <link rel="alternate" type="application/feed+json" href="https://other.org/feed.json">
    <link rel="alternate" type="text/html" hreflang="de" href="/de">
    <link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">
    <link rel="alternate" type="application/rss+xml" href="rss.xml">
    <link rel="shortcut icon" href="/i.png"></head><body>
    """

  @Test(
    "a page's feeds are found, relative to its base, each once, and none in scripts or comments"
  )
  func discovery() {
    let head = PageHead(page: page, address: "https://example.org/x/")
    #expect(
      head.feeds.map(\.address) == [
        "https://example.org/blog/rss.xml", "https://example.org/atom.xml",
        "https://other.org/feed.json",
      ]
    )
    #expect(head.feeds.first?.title == "News & more")
    #expect(head.icons == ["https://example.org/i.png"])
  }

  @Test("a page with several feeds is not subscribed to; they are told")
  func several() async throws {
    let scene = try LinkScene()
    scene.transport.on("https://example.org/", body: page)
    let outcome = try await scene.refresher.add("example.org")
    guard case .several(let feeds) = outcome else {
      Issue.record("it was added")
      return
    }
    #expect(feeds.count == 3)
    #expect(try scene.store.sources().isEmpty)
  }

  @Test("a page with one feed is subscribed to, with its icon")
  func single() async throws {
    let scene = try LinkScene()
    scene.transport.on(
      "https://example.org/",
      body: "<html><link rel=icon href=i.png>"
        + "<link rel=alternate type=application/rss+xml href=feed></html>"
    )
    scene.transport.on("https://example.org/feed", body: body)
    scene.transport.on("https://example.org/i.png") { _ in
      LinkResponse(status: 200, body: tinyPNG)
    }
    guard case .added(let source) = try await scene.refresher.add("https://example.org/") else {
      Issue.record("it was not added")
      return
    }
    #expect(source.key == "https://example.org/feed")
    #expect(source.title == "Feed" && source.itemCount == 1 && source.icon != nil)
    let error = await #expect(throws: LinkError.self) {
      try await scene.refresher.add("https://example.org/")
    }
    #expect(error?.code == .duplicate)
  }

  @Test("what is elsewhere for now is subscribed to where it was asked for, what moved where it is")
  func redirected() async throws {
    for (status, key) in [(302, "https://example.org/f"), (301, "https://cdn.org/f")] {
      let scene = try LinkScene()
      scene.transport.on("https://example.org/f", status: status, ["location": "https://cdn.org/f"])
      scene.transport.on("https://cdn.org/f", body: body)
      guard case .added(let source) = try await scene.refresher.add("example.org/f") else {
        Issue.record("it was not added")
        return
      }
      #expect(source.key == key)
    }
  }

  @Test("without a scheme https is tried, then http")
  func schemes() async throws {
    let scene = try LinkScene()
    scene.transport.on("https://example.org/") { _ in throw FetchFailure("no connection") }
    scene.transport.on("http://example.org/", body: body)
    guard case .added(let source) = try await scene.refresher.add("example.org") else {
      Issue.record("it was not added")
      return
    }
    #expect(source.key == "http://example.org/")
    let other = try LinkScene()
    other.transport.on("https://example.org/") { _ in throw FetchFailure("no connection") }
    let error = await #expect(throws: LinkError.self) {
      try await other.refresher.add("https://example.org/")
    }
    #expect(error?.message == "https://example.org/: no connection")
  }

  @Test(
    "what cannot be subscribed to is refused in words",
    arguments: [
      ("", "empty"), ("mailto:a@b.org", "only http and https"),
      ("file:///x", "only http and https"),
      ("nonsense", "no address"), ("https://u:p@example.org/", "user name"),
      ("https://nothing.org/", "nothing at the address"),
      ("https://page.org/", "names no feed"),
    ]
  )
  func refusals(_ address: String, _ word: String) async throws {
    let scene = try LinkScene()
    scene.transport.on("https://page.org/", body: "<html><body>x</body></html>")
    let error = await #expect(throws: LinkError.self) { try await scene.refresher.add(address) }
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    #expect(try scene.store.sources().isEmpty)
  }

  @Test(
    "feed: addresses are those of the web",
    arguments: ["feed:https://e.org/f", "feed://e.org/f"]
  )
  func feedScheme(_ text: String) throws {
    #expect(try LinkAddress.typed(text).hasSuffix("://e.org/f"))
  }
}
