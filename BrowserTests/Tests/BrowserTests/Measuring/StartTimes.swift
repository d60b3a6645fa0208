import BrowserDriving
import Foundation
import Synchronization
import Testing

/// How soon after a browser's start the page that it opens is there, and decisions are exact, and what memory
/// the browser has then.
///
/// The page asks for twenty advertisers' scripts and images, and then, until it gets no answer, for an address
/// that is to be blocked. All times are those at which requests arrive at the server, so that nothing but the
/// page asks the browser for anything; the browser's driver connects beside it.
struct StartTimes {
  private static let rounds = 7
  private static let warmUps = 2
  /// How long after its first page a browser's memory is looked at, which grows a little further.
  private static let settlingSeconds = 5.0

  /// Those in which the extension is there from the start on.
  static let browsers = everyBrowser.filter { !$0.mayBlock || Permanent.browsers.contains($0) }

  private let wanted: TestBrowser

  init(_ browser: TestBrowser) { wanted = browser }

  /// One way to browse, with what was measured.
  private struct Way {
    let title: String
    let session: Session
    /// An address that it is to block; `nil` if it blocks nothing.
    var blocked: String?
    /// Whether it is an extension of others.
    var isPeer = false
    /// How many starts were left out because a request of the first page got no answer.
    var unanswered = 0
    var requests: [Double] = []
    var loads: [Double] = []
    var decisions: [Double] = []
    /// How many advertisers were asked in each first page, and how often the address was.
    var advertisers: [Int] = []
    var passed: [Int] = []
    /// The memory after each start, in MiB, by the processes' role.
    var memory: [[String: Double]] = []
  }

  func measure() throws {
    Session.closeAll()
    var ways = [Way(title: "no extension", session: try Session(wanted, hasExtension: false))]
    defer { for way in ways { way.session.close() } }
    if let peer = Peer.used(in: wanted.kind) {
      let session = try Session(
        wanted,
        hasExtension: false,
        peer: peer,
        isPeerPermanent: wanted.kind == .firefox
      )
      let blocked = "http://cdn.krxd.net/poll.gif"
      ways.append(Way(title: peer.title, session: session, blocked: blocked, isPeer: true))
    }
    // The product's own host where it is built, whose memory is not that of the host for tests.
    let session = try Session(
      wanted,
      hasService: Service.program != nil,
      isPermanent: wanted.mayBlock
    )
    // Where extensions may block, only the engine decides this; elsewhere the browser's own rules do.
    let address = wanted.mayBlock ? "http://exact.test/poll.gif" : "http://cdn.krxd.net/poll.gif"
    ways.append(Way(title: "Tickbird, \(LargeList.title)", session: session, blocked: address))
    try session.use(["large": Self.list()])
    // What reads its lists at its first start is done with it by then.
    Thread.sleep(forTimeInterval: 15)
    for round in 0..<Self.rounds + Self.warmUps {
      for turn in ways.indices {
        let place = (turn + round) % ways.count
        guard let seen = try start(round, ways[place]) else {
          ways[place].unanswered += 1
          continue
        }
        guard round >= Self.warmUps else { continue }
        ways[place].requests.append(seen.requested)
        ways[place].loads.append(seen.loaded)
        if let decided = seen.decided { ways[place].decisions.append(decided) }
        ways[place].advertisers.append(seen.advertisers)
        ways[place].passed.append(seen.passed)
        Thread.sleep(forTimeInterval: Self.settlingSeconds)
        ways[place].memory.append(try BrowserProcesses(below: ways[place].session.folder).memory)
      }
    }
    try Report.add(
      "\(wanted.rawValue.capitalized): memory \(Int(Self.settlingSeconds)) s after the first page of a start, "
        + "median (quartiles) of \(Self.rounds) starts in turn",
      ways.map { way in
        let all = way.memory.map { $0.values.reduce(0, +) }
        var shares: [String: Double] = [:]
        for role in Set(way.memory.flatMap(\.keys)) {
          shares[role] = Report.median(of: way.memory.map { $0[role, default: 0] })
        }
        let words = "\(Report.median(all, unit: "MiB")): \(BrowserProcesses.shares(shares))"
        return (way.title, words)
      }
    )
    try Report.add(
      "\(wanted.rawValue.capitalized): from the browser's start, median (quartiles) of "
        + "\(Self.rounds) starts in turn",
      ways.map { way in
        let decided =
          way.decisions.isEmpty
          ? "" : ", what is to be blocked is \(Report.median(way.decisions, unit: "ms"))"
        let unanswered =
          way.unanswered == 0
          ? "" : "; left out: \(way.unanswered) starts in which a request got no answer"
        return (
          way.title,
          "page asked for \(Report.median(way.requests, unit: "ms")), loaded "
            + "\(Report.median(way.loads, unit: "ms"))\(decided); advertisers asked "
            + "\(way.advertisers.map(String.init).joined(separator: " ")), passed "
            + "\(way.passed.map(String.init).joined(separator: " "))\(unanswered)"
        )
      }
    )
  }

  /// The large list with a rule that the browsers' own rules cannot express.
  private static func list() throws -> [UInt8] {
    let rule = #"""
      [{"trigger": {"url-filter": "exact\\.test/poll", "if-top-url": ["start[0-9]+\\.example/"]},
        "action": {"type": "block"}},
      """#
    let list = try LargeList.json()
    let start = try #require(list.firstIndex(of: UInt8(ascii: "[")))
    return Array(rule.utf8) + list[(start + 1)...]
  }

  /// What was seen of a start; times are in milliseconds from the start of the browser's process.
  private struct Seen {
    var requested = 0.0
    var loaded = 0.0
    var decided: Double?
    var advertisers = 0
    var passed = 0
  }

  /// Starts a browser again; `nil` where an extension of others holds a request for ever.
  ///
  /// uBlock Origin does so now and then, in some runs at each start.
  private func start(_ round: Int, _ way: Way) throws -> Seen? {
    let page = "http://start\(round).example/"
    let arrivals = Mutex<[(url: String, time: Date)]>([])
    let poll = way.blocked.map { "const address = \"\($0)\"" } ?? "const address = null"
    let html =
      NewsPages.html
        + """
        <script>\(poll);
        addEventListener("load", async () => {
          fetch("/loaded");
          for (let count = 0; address && count < 1000; count++) {
            const isAnswered = await fetch(`${address}?${count}`, { mode: "no-cors" }).then(() => true, () => false);
            if (!isAnswered) { fetch(`/decided?${count}`); break; }
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        });</script>
        """
    way.session.server.answer { request in
      arrivals.withLock { $0.append((request.url, .now)) }
      if request.url == page { return .page(html) }
      return request.url.hasSuffix(".css")
        ? .init("text/css", "article { margin: 1em }")
        : request.url.contains(".js")
          ? .init("text/javascript", "var n = 0;") : .init("image/png", "")
    }
    var started = Date.now
    try way.session.restart(loading: page) { started = .now }
    func time(of path: String) -> Double? {
      arrivals.withLock { $0.first { $0.url.hasPrefix(page + path) } }
        .map { $0.time.timeIntervalSince(started) * 1000 }
    }
    let last = way.blocked == nil ? "loaded" : "decided"
    do {
      _ = try eventually("the first page with \(way.title) is \(last)") { time(of: last) }
    } catch let error as DrivingError where way.isPeer {
      print(error)
      return nil
    }
    let urls = arrivals.withLock { $0.map(\.url) }
    let hosts = Set(urls.filter { !$0.contains("/poll") }.compactMap { URL(string: $0)?.host() })
    return Seen(
      requested: try #require(time(of: "")),
      loaded: try #require(time(of: "loaded")),
      decided: way.blocked == nil ? nil : time(of: "decided"),
      advertisers: hosts.intersection(NewsPages.advertisers).count,
      passed: urls.count { $0.contains("/poll") }
    )
  }
}
