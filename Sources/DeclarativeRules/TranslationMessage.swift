extension Translation {
  /// The translation as one JSON text, for an extension that activates it.
  ///
  ///     {"browser": "chromium",
  ///      "lists": [{"identifier", "exact", "approximated", "notExpressible", "hiding"}],
  ///      "rules": [[list, isForSession, rule, isExact]]}
  ///
  /// `list` is an index into `lists`, `isForSession` and `isExact` are 1 or 0, and a rule has no
  /// ID, so that a browser can compare it with its active rules. A rule is exact if all of its
  /// sources are.
  ///
  /// - Complexity: O(*n*) for *n* bytes of rules.
  public func message() -> [UInt8] {
    var json = Array("{\"browser\":\"\(browser.name)\",\"lists\":[".utf8)
    for (place, list) in lists.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      let counts = list.counts
      json += Array("{\"identifier\":".utf8)
      json += Array(DeclarativeRule.quoted(list.name).utf8)
      json += Array(
        """
        ,"exact":\(counts.exact),"approximated":\(counts.approximated),\
        "notExpressible":\(counts.notExpressible),"hiding":\(counts.hiding)}
        """.utf8
      )
    }
    let inexact = lists.map { list in
      Set(list.verdicts.lazy.filter { !$0.verdict.differences.isEmpty }.map(\.rule))
    }
    json += Array("],\"rules\":[".utf8)
    for (place, rule) in rules.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      json += Array("[\(rule.list),\(rule.isForSession ? 1 : 0),".utf8)
      rule.appendJSON(id: nil, to: &json)
      let isExact = inexact[rule.list].isDisjoint(with: rule.sources)
      json += Array(",\(isExact ? 1 : 0)]".utf8)
    }
    return json + Array("]}".utf8)
  }
}
