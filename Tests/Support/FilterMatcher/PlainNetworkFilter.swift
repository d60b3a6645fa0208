/// A filter of requests.
struct PlainNetworkFilter: Sendable {
  /// The line, without spaces around it.
  var text: String
  var isException: Bool
  var pattern: FilterPattern
  var options: FilterOptions

  /// Reads a line that is neither a comment nor cosmetic; `nil` if the filter cannot act.
  init?(_ line: Substring) {
    text = String(line)
    isException = line.hasPrefix("@@")
    var body = isException ? line.dropFirst(2) : line
    var optionText: Substring = ""
    if let dollar = Self.optionsStart(body) {
      optionText = body[body.index(after: dollar)...]
      body = body[..<dollar]
    }
    guard let options = FilterOptions(optionText, isException: isException),
      let pattern = FilterPattern(body, matchesCase: options.matchesCase)
    else { return nil }
    self.options = options
    self.pattern = pattern
  }

  /// The first `$` that only options follow.
  private static func optionsStart(_ text: Substring) -> Substring.Index? {
    text.indices.first { place in
      guard text[place] == "$" else { return false }
      let rest = text[text.index(after: place)...]
      guard !rest.isEmpty else { return false }
      return rest.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
        let name = part.drop { $0 == "~" || $0 == " " }.prefix { $0 != "=" }
        return !name.isEmpty
          && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
      }
    }
  }

  /// What identifies the filter for `badfilter`: its pattern and its other options in any order.
  var identity: String {
    guard let dollar = Self.optionsStart(text[...]) else { return text }
    let options = text[text.index(after: dollar)...].split(separator: ",")
      .filter { $0 != "badfilter" }.sorted()
    return options.isEmpty
      ? String(text[..<dollar]) : text[...dollar] + options.joined(separator: ",")
  }

  /// Whether the filter, an exception, wins over another one, which blocks.
  ///
  /// > Source: AdGuard, “How to create your own ad filters”, rule priorities: `$important` is above
  /// > exceptions of every kind, and an exception that is important above that.
  func isAbove(_ other: PlainNetworkFilter) -> Bool {
    !other.options.isImportant || options.isImportant
  }

  /// Whether the filter is for a request.
  func matches(_ request: FilterRequest, _ address: Address, _ sites: Sites) -> Bool {
    options.types.contains(request.type) && holds(request, address, sites)
  }

  /// Whether the filter turns something off on a document of which the parent is given.
  func turnsOff(
    _ effect: FilterOptions.PageEffect,
    on document: String,
    in parent: String,
    _ sites: Sites
  ) -> Bool {
    guard options.pageEffects.contains(effect) else { return false }
    let request = FilterRequest(url: document, type: "document", page: parent)
    return holds(request, Address(document), sites)
  }

  private func holds(_ request: FilterRequest, _ address: Address, _ sites: Sites) -> Bool {
    let target = host(of: request.url)
    let document = host(of: request.document)
    if let isThirdParty = options.isThirdParty,
      isThirdParty != (sites.site(of: target) != sites.site(of: document))
    {
      return false
    }
    if !options.methods.isEmpty, !options.methods.contains(request.method) { return false }
    return !options.unwantedMethods.contains(request.method)
      && options.documents.holds(on: document, publicSuffix: sites.publicSuffix(document))
      && options.targets.holds(on: target, publicSuffix: sites.publicSuffix(target))
      && !domains(from: target).contains(where: options.denied.contains)
      && pattern.matches(address)
  }
}

/// Which hosts belong to one site.
struct Sites: Sendable {
  /// The public suffix of a host; empty for none.
  var publicSuffix: @Sendable (String) -> String

  /// The registrable domain of a host, or the host itself.
  func site(of host: String) -> String {
    let suffix = publicSuffix(host)
    guard !suffix.isEmpty, host.hasSuffix("." + suffix) else { return host }
    let above = host.dropLast(suffix.count + 1)
    let label = above.split(separator: ".").last ?? above
    return "\(label).\(suffix)"
  }
}
