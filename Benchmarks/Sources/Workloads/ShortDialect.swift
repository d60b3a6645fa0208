extension GeneratedList {
  /// Appends a rule as AdGuard's converter writes them.
  func appendShortRule(
    _ number: Int,
    _ random: inout SeededGenerator,
    to text: inout String
  ) {
    let kind = random.share()
    if kind < 0.0538 {
      text += "{\"trigger\": {\"url-filter\": \".*\", \"if-domain\": [\(domains(&random))]}, "
      text += "\"action\": {\"type\": \"css-display-none\", \"selector\": "
      text += "\"\(selector(number, &random))\"}}"
      return
    }
    text += "{\"trigger\": {\"url-filter\": \""
    let flags = random.share()
    switch kind {
    case ..<0.8896:
      text += anchored(number) + "[/:]"
    case ..<0.9568:
      text += anchored(number) + path(&random).asPattern(escapingSlashes: true)
    case ..<0.9916:
      text += substring(number, &random).asPattern(escapingSlashes: true)
    case ..<0.9985:
      text += substring(number, &random).asPattern(escapingSlashes: true) + ".*"
      text += substring(number, &random).asPattern(escapingSlashes: true)
    default:
      text += random.below(3) == 0 ? "^[^:]+:(\\\\/\\\\/)?.*" : ".*"
    }
    text += "\""
    switch flags {
    case ..<0.032: text += ", \"resource-type\": [\"document\"]"
    case ..<0.040: text += ", \"resource-type\": [\"script\"]"
    case ..<0.045: text += ", \"resource-type\": [\"image\"]"
    case ..<0.047: text += ", \"resource-type\": [\"fetch\"]"
    case ..<0.049: text += ", \"resource-type\": [\"image\", \"script\", \"style-sheet\"]"
    default: break
    }
    switch random.share() {
    case ..<0.048: text += ", \"load-type\": [\"third-party\"]"
    case ..<0.052: text += ", \"load-type\": [\"first-party\"]"
    default: break
    }
    // A pattern that matches every URL is never without a condition.
    let isUniversal = kind >= 0.9985
    switch random.share() {
    case ..<0.0075: text += ", \"if-domain\": [\(domains(&random))]"
    case _ where isUniversal: text += ", \"if-domain\": [\(domains(&random))]"
    case ..<0.0115: text += ", \"unless-domain\": [\(domains(&random))]"
    default: break
    }
    let action = random.share() < 0.0147 ? "ignore-previous-rules" : "block"
    text += "}, \"action\": {\"type\": \"\(action)\"}}"
  }

  private func anchored(_ number: Int) -> String {
    "^[^:]+://+([^:/]+\\\\.)?" + names.host(number).asPattern()
  }

  /// A path below a host that the list names.
  func path(_ random: inout SeededGenerator) -> String {
    var path = "/"
    for _ in 0..<random.below(3) { path += Names.word(&random) + "/" }
    path += random.pick(Names.advertisingWords)
    return path + random.pick(["/", ".js", ".gif", "?", "", "-", "_"])
  }

  /// A text that marks advertising on any host.
  func substring(_ number: Int, _ random: inout SeededGenerator) -> String {
    let word = random.pick(Names.advertisingWords)
    let other = random.pick(Names.plainWords)
    let mark = String(number, radix: 36)
    return switch random.below(6) {
    case 0: "/\(word)/\(other)\(mark)."
    case 1: "-\(word)-\(mark)."
    case 2: "/\(other)_\(word)\(mark)/"
    case 3: "&\(word)\(mark)="
    case 4: ".\(word).\(mark).js"
    default: "/\(word)\(mark)/"
    }
  }

  func selector(_ number: Int, _ random: inout SeededGenerator) -> String {
    let count = random.below(4) == 0 ? 1 + random.below(12) : 1 + random.below(2)
    return (0..<count).map { place in
      let word = random.pick(Names.advertisingWords)
      let mark = String(number + place, radix: 36)
      return switch random.below(4) {
      case 0: ".\(word)-\(mark)"
      case 1: "#\(word)_\(mark)"
      case 2: "div[class^=\\\"\(word)\(mark)\\\"]"
      default: ".\(word) > .\(random.pick(Names.plainWords))\(mark)"
      }
    }.joined(separator: ", ")
  }
}
