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
      ]
    )
  }
}

extension String {
  /// How many characters come before a text.
  fileprivate func distance(to text: String) -> Int {
    range(of: text).map { distance(from: startIndex, to: $0.lowerBound) } ?? 0
  }
}
