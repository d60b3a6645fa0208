import Foundation
import HostTestSupport
import Testing

/// Exceptions for blocked loads, tried by the host on the loads that a browser has seen.
@Suite("The host, asked for an exception")
struct BrowserAdviceTests {
  private static let page = "https://news.test/"

  private func load(_ url: String, _ type: String) -> [String: Any] {
    ["url": url, "type": type, "page": Self.page, "frame": Self.page]
  }

  /// Asks by a host whose user's own rules are these.
  private func advice(
    _ rules: String,
    _ loads: [[String: Any]],
    for place: Int = 0
  ) throws -> [String: Any] {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-advice-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    let port = try HostPort(HostProgram(home: home))
    let set = try port.ask(["type": "setOwnRules", "text": rules, "question": 1])
    #expect(set["type"] as? String == "ownRules", "\(set)")
    return try ask(["type": "exception", "loads": loads, "load": place, "question": 2], port)
  }

  /// Asks, and leaves out notices that come before the answer.
  private func ask(_ question: [String: Any], _ port: HostPort) throws -> [String: Any] {
    var answer = try port.ask(question)
    while answer["question"] == nil { answer = try port.receive() }
    return answer
  }

  private static let block = #"{"trigger":{"url-filter":"/ad"},"action":{"type":"block"}}"#
  private static let cookies =
    #"{"trigger":{"url-filter":"logo"},"action":{"type":"block-cookies"}}"#

  @Test("One that lets the load through and changes nothing else is harmless, and does act")
  func harmless() throws {
    let loads = [
      load("https://news.test/admin.css?v=1", "style-sheet"),
      load("https://news.test/ad.js", "script"), load("https://cdn.test/x.png", "image"),
    ]
    let answer = try advice("[\(Self.block)]", loads)
    #expect(answer["isHarmless"] as? Bool == true, "\(answer)")
    #expect(answer["lists"] as? [String] == ["Own rules"])
    #expect(answer["tried"] as? Int == 3)
    #expect((answer["changes"] as? [Int])?.isEmpty == true)
    let rule = try #require(answer["rule"] as? String)
    // Written where it says, it does what it says.
    let after = try advice("[\(Self.block),\(rule)]", loads)
    #expect(after["message"] as? String == "no list blocks this load now", "\(after)")
    let other = try advice("[\(Self.block),\(rule)]", loads, for: 1)
    #expect(other["isHarmless"] as? Bool == true, "\(other)")
  }

  @Test("One that would undo something else is named so, with what it would change")
  func harmful() throws {
    let first = load("https://news.test/ad/logo.png?a=1", "image")
    let cookies = try advice("[\(Self.block),\(Self.cookies)]", [first])
    #expect(cookies["isHarmless"] as? Bool == false)
    #expect((cookies["reason"] as? String)?.contains("undo") == true, "\(cookies)")
    // The same path without what blocks: another load loses what is done to it.
    let exact = #"{"trigger":{"url-filter":"a=1"},"action":{"type":"block"}}"#
    let strip = #"{"trigger":{"url-filter":"a=2"},"action":{"type":"block-cookies"}}"#
    let answer = try advice(
      "[\(exact),\(strip)]",
      [
        load("https://news.test/p.png?a=1", "image"), load("https://cdn.test/", "image"),
        load("https://news.test/p.png?a=2", "image"),
      ]
    )
    #expect(answer["isHarmless"] as? Bool == false)
    #expect(answer["changes"] as? [Int] == [2], "\(answer)")
  }

  @Test(
    "What cannot be asked is refused in words",
    arguments: [
      ([:] as [String: Int], 0), (["https://news.test/ad": 2001], 0),
      (["https://news.test/ad": 1], 5),
      (["https://news.test/ad": 1], -1), (["not an address": 1], 0), (["https://news.test/": 1], 0),
    ] as [([String: Int], Int)]
  )
  func refusals(_ addresses: [String: Int], _ place: Int) throws {
    let loads = addresses.flatMap { address, count in
      Array(repeating: load(address, "image"), count: count)
    }
    let answer = try advice("[\(Self.block)]", loads, for: place)
    #expect(answer["type"] as? String == "error")
    #expect(["bad-argument", "value"].contains(answer["code"] as? String ?? ""), "\(answer)")
  }

  @Test("Loads with an unknown type, or an address that is too long, are left out")
  func leftOut() throws {
    let answer = try advice(
      "[\(Self.block)]",
      [
        load("https://news.test/x", "nothing"),
        load("https://news.test/" + String(repeating: "x", count: 9000), "image"),
        load("https://news.test/ad.png", "image"),
      ],
      for: 2
    )
    #expect(answer["tried"] as? Int == 1, "\(answer)")
  }
}
