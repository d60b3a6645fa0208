import BrowserDriving
import Foundation
import Testing

/// How long changes of lists take to act in an open page, and how long its requests wait meanwhile.
struct ListChanges {
  private let wanted: TestBrowser

  init(_ browser: TestBrowser) { wanted = browser }

  /// What happened to requests that a page made one after the other while something was changed.
  private struct Seen {
    /// From the change until a request was treated as it says, in milliseconds.
    let action: Double
    /// The longest that a request took to be answered or stopped, in milliseconds.
    let longest: Double
  }

  /// What was seen of several changes of one kind.
  private struct Times {
    var commands: [Double] = []
    var actions: [Double] = []
    var longest: [Double] = []

    mutating func add(_ seen: Seen, command: Double? = nil) {
      if let command { commands.append(command) }
      actions.append(seen.action)
      longest.append(seen.longest)
    }
  }

  func measure() throws {
    Session.closeAll()
    let session = try Session(wanted, hasService: true)
    defer { session.close() }
    let service = try #require(session.service)
    session.server.answer { _ in .page("<p>News") }
    var small = Times()
    var whole = Times()
    var switches = Times()
    var exemptions = Times()
    var nothing = Times()
    let large = String(decoding: try LargeList.json(), as: UTF8.self)
    try session.visit("http://open.com/") { tab in
      for round in 0..<13 {
        let isLarge = round >= 10
        let rule = #"{"trigger": {"url-filter": "pixel\#(round)x"}, "action": {"type": "block"}}"#
        let list =
          isLarge ? "[\(rule)," + large.dropFirst(large.distance(to: "[") + 1) : "[\(rule)]"
        var command = 0.0
        let seen = try see("http://third.test/pixel\(round)x", reached: false, session, tab) {
          let start = Date.now
          try service.use("Changing", list)
          command = Date.now.timeIntervalSince(start) * 1000
          return Date.now.timeIntervalSince1970 * 1000
        }
        if isLarge {
          whole.add(seen, command: command)
        } else if round > 0 {
          small.add(seen, command: command)
        }
      }
      for round in 0..<6 {
        let isOff = round % 2 == 0
        switches.add(
          try seeAnswered(
            "{ type: 'switch', identifier: 'list.changing', isOn: \(!isOff) }",
            reached: isOff,
            session,
            tab
          )
        )
      }
      for _ in 0..<12 {
        nothing.add(
          try see("http://third.test/pixel12x", reached: false, session, tab) {
            Date.now.timeIntervalSince1970 * 1000
          }
        )
      }
      for round in 0..<6 {
        let isAllowed = round % 2 == 0
        exemptions.add(
          try seeAnswered(
            "{ type: 'allow', site: 'open.com', isAllowed: \(isAllowed) }",
            reached: isAllowed,
            session,
            tab
          )
        )
      }
    }
    try report(service, session, small: small, whole: whole, switches, exemptions, nothing)
  }

  private func report(
    _ service: Service,
    _ session: Session,
    small: Times,
    whole: Times,
    _ switches: Times,
    _ exemptions: Times,
    _ nothing: Times
  ) throws {
    let matcher = try #require(
      try session.browser.evaluateInBackground("tickbird.state.engine.memorySize") as? Double
    )
    let build =
      Service.program?.path.contains("/debug/") == true ? "a debug build" : "a release build"
    func longest(_ times: Times) -> String {
      let sorted = times.longest.sorted()
      return String(
        format: "%.0f ms, at most %.0f",
        sorted[sorted.count / 2],
        sorted.last ?? 0
      )
    }
    let meanwhile = "the longest that a request takes meanwhile"
    try Report.add(
      "\(wanted.rawValue.capitalized): until a changed list acts in an open page (the service is "
        + "\(build))",
      [
        ("the command that installs a list of one rule", Report.median(small.commands, unit: "ms")),
        ("from its end until the rule acts", Report.median(small.actions, unit: "ms")),
        (meanwhile, longest(small)),
        (
          "the command that installs \(LargeList.title)",
          Report.median(whole.commands, unit: "ms")
        ),
        ("from its end until it acts", Report.median(whole.actions, unit: "ms")),
        (meanwhile, longest(whole)),
        ("that list is switched off or on", Report.median(switches.actions, unit: "ms")),
        (meanwhile, longest(switches)),
        ("the site is exempted, or not any more", Report.median(exemptions.actions, unit: "ms")),
        (meanwhile, longest(exemptions)),
        ("for comparison, while nothing is changed", longest(nothing)),
        ("memory of the matcher after these changes", "\(Int(matcher) >> 20) MiB"),
        ("memory of the browser's host then (PSS)", "\(try Self.hostMemory(service) >> 20) MiB"),
      ]
    )
  }

  /// Lets the background answer a message of the pop-up while a page asks for what the large list blocks.
  private func seeAnswered(
    _ message: String,
    reached isReached: Bool,
    _ session: Session,
    _ tab: BrowserTab
  ) throws -> Seen {
    try see("http://third.test/pixel12x", reached: isReached, session, tab) {
      let time = try session.browser.evaluateInBackground(
        "(() => { const start = Date.now(); tickbird.answer(\(message)); return start; })()"
      )
      return try #require(time as? Double)
    }
  }

  /// Changes something while a page asks for a URL again and again, until that comes to get an answer, or to
  /// get none.
  ///
  /// The change returns when it was made, in milliseconds since 1970.
  private func see(
    _ url: String,
    reached isReached: Bool,
    _ session: Session,
    _ tab: BrowserTab,
    _ change: () throws -> Double
  ) throws -> Seen {
    _ = try session.browser.evaluate(
      """
      (() => {
        const seen = globalThis.seen = { at: 0, longest: 0, isDone: false };
        const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
        (async () => {
          for (let end = Infinity; performance.now() < end; await pause(5)) {
            const start = performance.now();
            const isReached = await fetch(`\(url)?${start}`, { mode: "no-cors" })
              .then(() => true, () => false);
            seen.longest = Math.max(seen.longest, performance.now() - start);
            if (isReached !== \(isReached) || seen.at > 0) continue;
            seen.at = Date.now();
            // What comes after it may keep requests waiting as well.
            end = performance.now() + 300;
          }
          seen.isDone = true;
        })();
      })()
      """,
      in: tab
    )
    let start = try change()
    let seen = try eventually("the change acts") { () -> [String: Any]? in
      let seen = try session.browser.evaluate("globalThis.seen", in: tab) as? [String: Any]
      return seen?["isDone"] as? Bool == true ? seen : nil
    }
    return Seen(
      action: max(0, try #require(seen["at"] as? Double) - start),
      longest: try #require(seen["longest"] as? Double)
    )
  }
}

extension ListChanges {
  /// Returns the memory of the host that the browser has started, shared pages by their share, in
  /// bytes.
  private static func hostMemory(_ service: Service) throws -> Int {
    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
      .filter { Int($0) != nil }
    for process in processes {
      func text(_ file: String) -> String {
        (try? String(contentsOfFile: "/proc/\(process)/\(file)", encoding: .utf8)) ?? ""
      }
      let words = text("cmdline").split(separator: "\0")
      // The service has the argument `run`, a browser's host the path or the origin of its caller.
      guard words.first?.hasSuffix("/tickbird-host") == true, words.count > 1, words[1] != "run",
        text("environ").split(separator: "\0").contains("HOME=\(service.home.path)")
      else { continue }
      let line = text("smaps_rollup").split(separator: "\n").first { $0.hasPrefix("Pss:") }
      let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      return try #require(kibibytes) << 10
    }
    throw DrivingError("the browser has started no host")
  }
}

extension String {
  /// How many characters come before a text.
  fileprivate func distance(to text: String) -> Int {
    range(of: text).map { distance(from: startIndex, to: $0.lowerBound) } ?? 0
  }
}
