import FilterMatcher
import TestSupport

/// Draws filters and requests of few hosts and words, so that they meet.
struct FilterGenerator {
  var random: RandomSource

  private static let hosts = [
    "a.com", "ads.a.com", "b.org", "x-b.org", "shop.co.uk", "shop.de", "1.2.3.4",
  ]
  private static let requestHosts =
    hosts + [
      "cdn.ads.a.com", "www.b.org", "xa.com", "a.com.evil.net", "other.net", "www.shop.co.uk",
    ]
  private static let paths = [
    "", "ad", "ads", "ads?x", "ad/x1.js", "adx", "b/a1", "AdB", "adb2", "a/ads-x", "x/ad/", "ad:x",
    "ad.x", "x?ad=1", "baxx", "x.js", "ad/x.js", "x.js?ad", "a_ad", "ad%20x",
  ]
  private static let types = [
    "script", "image", "stylesheet", "subdocument", "xmlhttprequest", "font", "media", "websocket",
    "ping", "other",
  ]

  /// A filter of requests.
  mutating func networkFilter() -> String {
    let pattern = self.pattern()
    let isException = random.chance(25)
    var options: [String] = []
    // Wanted and unwanted types together mean something else in each blocker.
    let mark = random.chance(25) ? "~" : ""
    if random.chance(40) { options.append(mark + random.pick(Self.types)) }
    if random.chance(12) { options.append(mark + random.pick(Self.types)) }
    if random.chance(20) {
      options.append(random.pick(["third-party", "~third-party", "3p", "1p", "first-party"]))
    }
    if random.chance(25) { options.append("domain=" + domains(separator: "|")) }
    if random.chance(8) { options.append("match-case") }
    if random.chance(8) { options.append("important") }
    if random.chance(4), !isException { options.append("denyallow=" + random.pick(Self.hosts)) }
    if random.chance(4), !isException, mark.isEmpty { options.append("document") }
    if random.chance(2), !isException, mark.isEmpty { options.append("all") }
    if random.chance(3), !isException { options.append("redirect=noop.js") }
    if isException, random.chance(15) {
      let effects = ["document", "elemhide", "generichide", "specifichide", "genericblock"]
      options = [random.pick(effects)] + options.filter { $0.hasPrefix("domain") }
    }
    // An empty line is no filter.
    let isEmpty = pattern.isEmpty && options.isEmpty
    let text =
      (isEmpty ? "*" : pattern) + (options.isEmpty ? "" : "$" + options.joined(separator: ","))
    return (isException ? "@@" : "") + text
  }

  /// A filter that leaves some hosts alone, often on some pages only.
  mutating func exclusiveFilter() -> String {
    let pages = random.chance(75) ? ",domain=" + domains(separator: "|") : ""
    return pattern() + "$denyallow=" + random.pick(Self.hosts) + pages
  }

  /// An exception from filters without domains.
  mutating func genericBlockingException() -> String {
    let important = random.chance(30) ? ",important" : ""
    return random.chance(70)
      ? "@@||\(random.pick(Self.hosts))^$genericblock" + important
      : "@@*$genericblock,domain=" + random.pick(Self.hosts) + important
  }

  /// A filter that takes one of others back, if it is drawn.
  mutating func badFilter(of filters: [String]) -> String? {
    guard random.chance(6), let filter = filters.randomElement(using: &random) else { return nil }
    return filter + (filter.contains("$") ? ",badfilter" : "$badfilter")
  }

  private mutating func pattern() -> String {
    switch random.number(below: 12) {
    case 0..<4:
      "||" + random.pick(Self.hosts)
        + random.pick(["^", "^", "^", "/", "/ad", "^ad", "", "^*ad", "/*/ad", ":8080^", "^$"])
        .replacing("$", with: "")
    case 4..<7:
      random.pick([
        "/ad", "/ads", "ad^", "^ad^", "/ad/", "ads?x", ".js", "ad*x", "^ad*^", "-x", "_ad", "ad=",
        "AdB", "*ad*", "/ad|", "ad.", ".js^", "x^|",
      ])
    case 7:
      random.pick(["|https://", "|http://a.com", "|https://*.b.org/", "|ws://", "|https:*ad"])
    case 8: random.pick(["/ad|", ".js|", "x|", "ad^|", "/|"])
    case 9:
      random.pick([
        #"/ad[0-9]{1,2}/"#, #"/\/(ad|x)s?\//"#, #"/^https:\/\/ads\./"#, #"/ad\d/"#,
        #"/[a-z]{2}\?x$/"#, #"/\.js(\?|$)/"#, #"/ad(b|x)\w*/"#, #"/(?:a|b)\/a/"#,
      ])
    case 10: random.pick(["", "*"])
    default: random.pick(["||ads.", "||a", "||*.b.org^", "||shop.*^ad", "||1.2.3.4^"])
    }
  }

  private mutating func domains(separator: String) -> String {
    let names = (0...random.number(below: 3)).map { _ in
      (random.chance(35) ? "~" : "") + random.pick(Self.hosts)
    }
    return names.joined(separator: separator)
  }

  /// A filter that hides, or an exception to one.
  mutating func cosmeticFilter() -> String {
    let selector = random.pick([".ad", "#banner", ".x > .y", "div[id^=\"ad\"]", "a:has(.z)"])
    let mark = random.chance(25) ? "#@#" : "##"
    return (random.chance(55) ? domains(separator: ",") : "") + mark + selector
  }

  /// A request.
  mutating func request() -> FilterRequest {
    let type = random.chance(6) ? "document" : random.pick(Self.types)
    let scheme =
      type == "websocket" ? random.pick(["ws", "wss"]) : random.pick(["http", "https", "https"])
    let port = random.chance(8) ? ":8080" : ""
    let url = "\(scheme)://\(random.pick(Self.requestHosts))\(port)/\(random.pick(Self.paths))"
    let page = type == "document" ? url : self.page()
    return FilterRequest(url: url, type: type, page: page)
  }

  /// A page's address.
  mutating func page() -> String {
    "https://\(random.pick(Self.requestHosts))/" + random.pick(["", "ad", "x"])
  }
}
