import BrowserDriving
import Foundation
import Testing

/// How long a change in the service takes to act in an open page.
struct ListChanges {
  private let wanted: TestBrowser

  init(_ browser: TestBrowser) { wanted = browser }

  func measure() throws {
    Session.closeAll()
    let session = try Session(wanted, hasService: true)
    defer { session.close() }
    let service = try #require(session.service)
    session.server.answer { _ in .page("<p>News") }
    let large = String(decoding: try LargeList.json(), as: UTF8.self)
    var small: (commands: [Double], actions: [Double]) = ([], [])
    var whole: (commands: [Double], actions: [Double]) = ([], [])
    try session.visit("http://open.com/") { tab in
      for round in 0..<13 {
        let isLarge = round >= 10
        let rule = #"{"trigger": {"url-filter": "pixel\#(round)x"}, "action": {"type": "block"}}"#
        let list =
          isLarge ? "[\(rule)," + large.dropFirst(large.distance(to: "[") + 1) : "[\(rule)]"
        let start = Date.now
        try service.use("Changing", list)
        let commanded = Date.now
        _ = try eventually("the list acts") {
          try session.reaches("http://third.test/pixel\(round)x", from: tab) == false ? true : nil
        }
        let command = commanded.timeIntervalSince(start) * 1000
        let action = Date.now.timeIntervalSince(commanded) * 1000
        if isLarge {
          whole.commands.append(command)
          whole.actions.append(action)
        } else if round > 0 {
          small.commands.append(command)
          small.actions.append(action)
        }
      }
    }
    let matcher = try #require(
      try session.browser.evaluateInBackground("tickbird.state.engine.memorySize") as? Double
    )
    let build =
      Service.program?.path.contains("/debug/") == true ? "a debug build" : "a release build"
    try Report.add(
      "\(wanted.rawValue.capitalized): until a changed list acts in an open page (the service is "
        + "\(build))",
      [
        ("the command that installs a list of one rule", Report.median(small.commands, unit: "ms")),
        ("from its end until the rule acts", Report.median(small.actions, unit: "ms")),
        (
          "the command that installs \(LargeList.title)",
          Report.median(whole.commands, unit: "ms")
        ),
        ("from its end until it acts", Report.median(whole.actions, unit: "ms")),
        ("memory of the matcher after these three changes", "\(Int(matcher) >> 20) MiB"),
        ("memory of the browser's host then (PSS)", "\(try Self.hostMemory(service) >> 20) MiB"),
      ]
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
