import BrowserDriving
import Foundation
import Testing

/// What a news page costs with advertisers, with Tickbird, and with what people use in its place.
///
/// The page makes sixty requests, twenty of them to advertisers that every list knows; those that come
/// through are answered at once, which the real ones are not.
struct NewsPages {
  private static let rounds = 30
  private static let warmUps = 4

  static let advertisers = [
    "googleads.g.doubleclick.net", "securepubads.g.doubleclick.net", "bat.bing.com",
    "pagead2.googlesyndication.com", "www.google-analytics.com", "ib.adnxs.com", "cdn.krxd.net",
    "static.criteo.net", "bidder.criteo.com", "cdn.taboola.com", "widgets.outbrain.com",
    "sb.scorecardresearch.com", "secure.quantserve.com", "c.amazon-adsystem.com",
    "fastlane.rubiconproject.com", "ads.pubmatic.com", "cm.g.doubleclick.net",
    "static.chartbeat.com", "match.adsrvr.org", "pixel.mathtag.com",
  ]

  static let html: String = {
    let head = (0..<4).map { "<link rel=stylesheet href='/style\($0).css'>" }
    let own = (0..<36).map { number in
      number % 3 == 0
        ? "<script async src='/part\(number).js'></script>"
        : "<article><h2>Headline \(number)</h2><img src='/photo\(number).png' width=40 height=30>"
          + "<p>\(String(repeating: "What happened, and where. ", count: 12))</article>"
    }
    let foreign = advertisers.enumerated().map { number, host in
      number % 2 == 0
        ? "<script async src='http://\(host)/tag/js/gpt.js?ad=\(number)'></script>"
        : "<div class=ad-banner id=ad-slot-\(number)>"
          + "<img src='http://\(host)/pixel.gif?ad=\(number)'></div>"
    }
    return "<head>\(head.joined())</head><body><h1>News</h1>"
      + zip(own, foreign + Array(repeating: "", count: 16)).map { $0 + $1 }.joined()
  }()

  private let wanted: TestBrowser

  init(_ browser: TestBrowser) { wanted = browser }

  /// One way to browse, with what was measured.
  private struct Way {
    let title: String
    let session: Session
    var loads: [Double] = []
    var paints: [Double] = []
    /// The processor time of a visit, in milliseconds, of all processes.
    var work: [Double] = []
    /// The same by what the processes are for, in all visits.
    var shares: [String: Double] = [:]
    var blocked = 0
  }

  func measure() throws {
    Session.closeAll()
    var ways = [Way(title: "no extension", session: try Session(wanted, hasExtension: false))]
    defer { for way in ways { way.session.close() } }
    if let peer = Peer.used(in: wanted.kind) {
      let session = try Session(wanted, hasExtension: false, peer: peer)
      ways.append(Way(title: peer.title, session: session))
    }
    // The product's own host where it is built, whose memory is not that of the host for tests.
    let session = try Session(wanted, hasService: Service.program != nil)
    ways.append(Way(title: "Tickbird, \(LargeList.title)", session: session))
    try session.use(["large": LargeList.json()])
    let takeOver = try takeOver(in: session)
    for variant in try Variant.all() {
      let session = try Session(wanted, hasService: Service.program != nil, variant: variant)
      ways.append(Way(title: "Tickbird, \(variant.title)", session: session))
      try session.use(["large": LargeList.json()])
      _ = try self.takeOver(in: session)
    }
    // What reads its lists at its first start is done with it by then.
    Thread.sleep(forTimeInterval: 12)
    for round in 0..<Self.rounds + Self.warmUps {
      for turn in ways.indices {
        let place = (turn + round) % ways.count
        let before = try BrowserProcesses(below: ways[place].session.folder).processorTimes
        let (load, paint) = try visit(round, in: ways[place].session)
        let after = try BrowserProcesses(below: ways[place].session.folder).processorTimes
        ways[place].blocked = Self.advertisers.count - arrived(in: ways[place].session)
        guard round >= Self.warmUps else { continue }
        ways[place].loads.append(load)
        ways[place].paints.append(paint)
        let spent = after.map { process, time in
          (
            role: BrowserProcesses.role(of: process),
            time: max(0, time - before[process, default: 0])
          )
        }
        ways[place].work.append(spent.reduce(0) { $0 + $1.time })
        for (role, time) in spent { ways[place].shares[role, default: 0] += time }
      }
    }
    if let takeOver {
      try Report.add(
        "\(wanted.rawValue.capitalized): its own rules, after the list acts",
        [takeOver]
      )
    }
    try Report.add(
      "\(wanted.rawValue.capitalized): a news page of sixty requests, median / 90th percentile of "
        + "\(Self.rounds) loads in turn",
      try ways.map { way in
        let memory = try BrowserProcesses(below: way.session.folder).memory
        let times =
          "load \(Self.quantiles(way.loads)) ms, first paint \(Self.quantiles(way.paints)) ms, "
          + "processor \(Self.quantiles(way.work)) ms "
          + "(\(BrowserProcesses.shares(way.shares.mapValues { $0 / Double(Self.rounds) })))"
        let space = "\(Int(memory.values.reduce(0, +))) MiB (\(BrowserProcesses.shares(memory)))"
        return (way.title, "\(times), \(space), \(way.blocked) of 20 advertisers blocked")
      }
    )
  }

  /// What it takes Chromium to take over the list's rules as its own, where the engine decides meanwhile.
  private func takeOver(in session: Session) throws -> (String, String)? {
    guard wanted.kind == .chromium, wanted.mayBlock, session.service != nil else { return nil }
    let before = try BrowserProcesses(below: session.folder).processorTimes
    let start = Date.now
    try session.awaitHostsRules()
    let seconds = Date.now.timeIntervalSince(start)
    let spent = try BrowserProcesses(below: session.folder).processorTimes.reduce(0) { sum, each in
      BrowserProcesses.role(of: each.key) == "browser"
        ? sum + each.value - before[each.key, default: 0] : sum
    }
    let words = String(
      format: "%.1f s, %.1f s of the browser's processor time",
      seconds,
      spent / 1000
    )
    return ("all taken over", words)
  }

  private static func quantiles(_ values: [Double]) -> String {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return "?" }
    return [0.5, 0.9].map { String(format: "%.0f", sorted[Int($0 * Double(sorted.count - 1))]) }
      .joined(separator: " / ")
  }

  private func arrived(in session: Session) -> Int {
    Set(session.server.urls.compactMap { URL(string: $0)?.host() })
      .intersection(Self.advertisers).count
  }

  private func visit(_ round: Int, in session: Session) throws -> (Double, Double) {
    session.server.answer { request in
      if request.url.hasSuffix("/") { return .page(Self.html) }
      return request.url.hasSuffix(".css")
        ? .init("text/css", "article { margin: 1em } .ad-banner { min-height: 20px }")
        : request.url.contains(".js")
          ? .init("text/javascript", "var n = 0;") : .init("image/png", "")
    }
    return try session.visit("http://news\(round).example/") { tab in
      // What is left to do behind the load belongs to the visit.
      defer { Thread.sleep(forTimeInterval: 0.25) }
      let times = try eventually("the page is painted") { () -> [Double]? in
        let answer = try session.browser.evaluate(
          """
          [performance.getEntriesByType("navigation")[0].loadEventStart,
           performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0]
          """,
          in: tab
        )
        let times = answer as? [Double] ?? []
        return times.count == 2 && times.allSatisfy { $0 > 0 } ? times : nil
      }
      return (times[0], times[1])
    }
  }
}
