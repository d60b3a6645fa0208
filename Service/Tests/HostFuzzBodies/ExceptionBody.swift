import BrowserAnswering
import ContentBlocking
import Foundation
import FuzzTargets
import NativeMessaging

/// Reads the question for an exception, and tries it on two lists.
///
/// The input is the message, whose addresses are those of a page's requests: the page chooses them.
enum ExceptionBody: FuzzBody {
  static let name = "exception"

  private static let sources = [
    #"""
    [{"trigger":{"url-filter":"/ad"},"action":{"type":"block"}},
     {"trigger":{"url-filter":"^https?://([^/]*\\.)?track\\.test[:/]","load-type":["third-party"]},
      "action":{"type":"block"}},
     {"trigger":{"url-filter":".*","if-domain":["*strict.test"]},"action":{"type":"block"}},
     {"trigger":{"url-filter":"[^a-z]xn--"},"action":{"type":"block"}}]
    """#,
    #"""
    [{"trigger":{"url-filter":"script","resource-type":["script"]},"action":{"type":"block"}},
     {"trigger":{"url-filter":"logo"},"action":{"type":"block-cookies"}},
     {"trigger":{"url-filter":"allowed"},"action":{"type":"ignore-previous-rules"}}]
    """#,
  ]
  private static let lists =
    (try? sources.enumerated().map { number, source in
      ("\(number)", try ContentRuleList(identifier: "\(number)", encodedContentRuleList: source))
    }) ?? []

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    try require(lists.count == sources.count, "the lists of this body cannot be compiled")
    let json = Data(input)
    let outcome = try outcome(json)
    try require(try self.outcome(json) == outcome, "a question is answered in two ways")
    guard let advice = outcome.value, let question = try? ExceptionQuestion(json) else { return }
    try require(
      (1...2000).contains(advice.tried) && advice.changes.count <= ExceptionQuestion.changeLimit
        && Set(advice.changes).count == advice.changes.count
        && advice.changes.allSatisfy { (0..<2000).contains($0) },
      "\(advice) is out of its bounds"
    )
    try require(advice.isHarmless == (advice.reason == nil), "\(advice) has no reason")
    try require(
      !advice.lists.isEmpty && question.isBlocked(by: lists.map(\.1)),
      "a load that is not blocked gets an exception"
    )
    guard advice.isHarmless else { return }
    // Written where it says, it lets the load through.
    let after: [ContentRuleList]
    do {
      after = try sources.enumerated().map { number, source in
        let isNamed = advice.lists.contains("\(number)")
        let text = isNamed ? "\(source.dropLast()), \(advice.rule)]" : source
        return try ContentRuleList(identifier: "\(number)", encodedContentRuleList: text)
      }
    } catch {
      throw FuzzFinding("\(advice.rule) is no rule: \(error)")
    }
    try require(!question.isBlocked(by: after), "\(advice.rule) lets nothing through")
  }

  private static func outcome(
    _ json: Data
  ) throws(FuzzFinding) -> FuzzOutcome<ExceptionQuestion.Advice> {
    try FuzzOutcome { try ExceptionQuestion(json).advice(by: lists) }
  }

  static var seeds: [[UInt8]] {
    func load(
      _ url: String,
      _ type: String = "script",
      page: String = "https://news.test/",
      frame: String? = nil
    ) -> String {
      let more = frame.map { #","frame":"\#($0)""# } ?? ""
      return #"{"url":"\#(url)","type":"\#(type)","page":"\#(page)"\#(more)}"#
    }
    func question(_ loads: [String], _ place: String = "0") -> String {
      #"{"type":"exception","loads":[\#(loads.joined(separator: ","))],"load":\#(place)}"#
    }
    let ad = load("https://news.test/ad.js")
    return [
      question([ad]), question([ad, load("https://news.test/admin.css?v=1", "style-sheet")], "1"),
      question([load("https://a.track.test/x", "image", frame: "https://track.test/"), ad]),
      question([load("https://x.strict.test/logo", page: "https://strict.test/"), ad, ad]),
      question([load("http://[::1]:8080/ad?\\u0000#%ff", "fetch"), load("data:,ad")], "0"),
      question([load("https://xn--bcher-kva.test/xn--ad", "font")]),
      question([load("wss://news.test/ad", "websocket"), load("nonsense")], "1"),
      question([ad], "1"), question([ad], "-1"), question([ad], "1e9"), question([]),
      question([load("https://news.test/allowed-ad(.*)[$^\\\\]{2}", "other")]),
      question([load("https://news.test/" + String(repeating: "ad", count: 4096))]),
      question([String](repeating: ad, count: 60)), "{}", "[", #"{"loads":0,"load":[]}"#,
    ].map { Array($0.utf8) }
  }
}
