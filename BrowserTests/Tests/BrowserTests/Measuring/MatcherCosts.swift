import BrowserDriving
import Foundation
import Testing

/// What the matcher costs where it runs, and how quickly the pop-up is there.
struct MatcherCosts {
  private let wanted: TestBrowser

  init(_ browser: TestBrowser) { wanted = browser }

  func measure() throws {
    Session.closeAll()
    // The service offers what decides without its text, as a host for tests does not.
    let session = try Session(wanted, hasService: Service.program != nil)
    defer { session.close() }
    try session.use(["large": LargeList.json()])
    var rows: [(String, String)] = []
    let started = try #require(
      try session.browser.evaluateInBackground(Self.starting) as? [String: Any]
    )
    func number(_ name: String) -> Double { started[name] as? Double ?? .nan }
    rows.append(("size of the module", "\(Int(number("moduleSize")) / 1000) kB"))
    rows.append(
      ("what is kept of the compiled list", String(format: "%.1f MB", number("listSize") / 1e6))
    )
    for (name, title) in [
      ("starting", "the module started"), ("reading", "the list read from the browser's store"),
      ("opening", "the list opened"),
    ] {
      rows.append((title, Report.median(started[name] as? [Double] ?? [.nan], unit: "ms")))
    }
    rows.append(("memory with the list", "\(Int(number("memory")) >> 20) MiB"))
    rows.append(("a request", try perRequest(session)))
    let openings = try openPopUps(session)
    rows.append(("the pop-up opened first", String(format: "%.0f ms", openings[0])))
    rows.append(("the pop-up, later", Report.median(Array(openings.dropFirst()), unit: "ms")))
    try Report.add(
      "\(wanted.rawValue.capitalized): the background with \(LargeList.title)",
      rows
    )
  }

  /// Starts the module and opens the list some times more, beside what is there.
  private static let starting = """
    (async () => {
      const Engine = tickbird.state.engine.constructor;
      const url = api.runtime.getURL("matcher.wasm");
      const module = await (await fetch(url)).arrayBuffer();
      const timed = async (times, body) => {
        const start = performance.now();
        const result = await body();
        times.push(performance.now() - start);
        return result;
      };
      const finished = (request) => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const times = { starting: [], reading: [], opening: [] };
      let record, engine;
      for (let round = 0; round < 5; round++) {
        engine = await timed(times.starting, () => Engine.start(module.slice()));
        const database = await finished(indexedDB.open("tickbird", 1));
        const lists = await timed(times.reading, () =>
          finished(database.transaction("lists").objectStore("lists").getAll()));
        database.close();
        record = lists[0];
        await timed(times.opening, () => engine.open(record.bytes));
      }
      return {
        ...times, moduleSize: module.byteLength, listSize: record.bytes.length,
        memory: engine.memorySize,
      };
    })()
    """

  /// The whole log, once to warm up and three times more.
  private func perRequest(_ session: Session) throws -> String {
    let loads = try LargeList.rows()
    var times: [Double] = Array(repeating: 0, count: 3)
    for start in stride(from: 0, to: loads.count, by: 3000) {
      let part = loads[start..<min(start + 3000, loads.count)].map(\.forBrowser)
      let data = try JSONSerialization.data(withJSONObject: part)
      let answer = try session.browser.evaluateInBackground(
        """
        (({ engine }, loads) => [0, 1, 2, 3].map(() => {
          const start = performance.now();
          for (const load of loads) engine.decide(load);
          return performance.now() - start;
        }))(tickbird.state, \(String(decoding: data, as: UTF8.self)))
        """
      )
      let rounds = try #require(answer as? [Double])
      for (place, time) in rounds.dropFirst().enumerated() { times[place] += time }
    }
    let each = times.map { $0 * 1000 / Double(loads.count) }
    return String(format: "%.1f µs (of %d, the best of 3 rounds)", each.min() ?? .nan, loads.count)
  }

  /// Milliseconds until the pop-up shows everything, six times, of a page where rules acted.
  private func openPopUps(_ session: Session) throws -> [Double] {
    let blocked = ["http://www.google-analytics.com/ga.js", "http://tracker1.example/a.js"]
    session.server.answer { request in
      request.url == "http://daily.test/"
        ? .page("<body>" + blocked.map { "<script src='\($0)'></script>" }.joined())
        : .init("text/javascript", "")
    }
    return try session.visit("http://daily.test/") { _ in
      let tabID = try #require(
        try session.browser.evaluateInBackground(
          "(await api.tabs.query({})).find((tab) => tab.url.includes('daily.test')).id"
        ) as? Int
      )
      return try (0..<6).map { _ in
        try session.visit(session.browser.extensionURL + "popup/popup.html?tab=\(tabID)") { tab in
          let time = try session.browser.evaluate(
            """
            new Promise((resolve) => {
              const look = () => (document.documentElement.dataset.shown
                ? resolve(performance.now()) : setTimeout(look, 1));
              look();
            })
            """,
            in: tab
          )
          // What was there before the question is the load's end.
          return try #require(time as? Double)
        }
      }
    }
  }
}
