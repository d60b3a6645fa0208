extension GeneratedList {
  /// Appends a rule as eyeo's converter writes them.
  func appendConditionalRule(
    _ number: Int,
    _ random: inout SeededGenerator,
    to text: inout String
  ) {
    let host = names.host(number).asPattern()
    let kind = random.share()
    if kind < 0.0801 {
      let filter =
        kind < 0.078 ? "^https?://([^/:]*\\\\.)?\(host)[/:]" : "^https?://"
      text += "{\"trigger\": {\"url-filter\": \"\(filter)\", "
      text += "\"url-filter-is-case-sensitive\": true"
      if kind >= 0.078 { text += ", \"unless-domain\": [\(domains(&random))]" }
      text += "}, \"action\": {\"type\": \"css-display-none\", \"selector\": "
      text += "\"\(selector(number, &random))\"}}"
      return
    }
    text += "{\"trigger\": {\"url-filter\": \"^[^:]+:(//)?"
    switch kind {
    case ..<0.68:
      text += "([^/]+\\\\.)?\(host)([^-_.%a-z0-9].*)?$\", \"url-filter-is-case-sensitive\": true"
    case ..<0.735:
      text += "([^/]+\\\\.)?\(host)\(path(&random).asPattern())\""
    case ..<0.97:
      text += ".*\(substring(number, &random).asPattern())\""
    default:
      text += ".*\(substring(number, &random).asPattern())"
      text += ".*\(substring(number + 1, &random).asPattern())\""
    }
    let types: [(weight: Double, value: String)] = [
      (64, "\"image\", \"style-sheet\", \"script\", \"font\", \"media\", \"raw\", \"document\""),
      (21.6, "\"image\", \"style-sheet\", \"script\", \"font\", \"media\", \"raw\""),
      (3, "\"popup\""), (1.6, "\"script\""), (0.7, "\"image\""), (0.5, "\"raw\""),
      (0.2, "\"document\""),
    ]
    text += ", \"resource-type\": [\(random.pick(weighted: types))]"
    switch random.share() {
    case ..<0.178: text += ", \"load-type\": [\"third-party\"]"
    case ..<0.186: text += ", \"load-type\": [\"first-party\"]"
    default: break
    }
    switch random.share() {
    case ..<0.95: text += ", \"unless-domain\": [\"*\(names.domain(Names.site(0)))\"]"
    case ..<0.963: text += ", \"unless-domain\": [\(domains(&random))]"
    case ..<0.984: text += ", \"if-domain\": [\(domains(&random))]"
    default: break
    }
    let action = random.share() < 0.036 ? "ignore-previous-rules" : "block"
    text += "}, \"action\": {\"type\": \"\(action)\"}}"
  }
}
