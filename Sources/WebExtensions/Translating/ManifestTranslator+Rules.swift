extension ManifestTranslator {
  /// The largest file of rules that is translated, in bytes.
  private static let rulesLimit = 8 << 20

  /// Names of a rule's condition that Firefox knows by their newer names alone.
  private static let newerNames = [
    "domains": "initiatorDomains", "excludedDomains": "excludedInitiatorDomains",
  ]

  /// Writes the conditions of rules in files as Firefox takes them; scripts have the prelude for that.
  mutating func translateRules() throws(WebExtensionError) {
    guard browser == .firefox,
      let resources = original["declarative_net_request"]?["rule_resources"]?.elements
    else { return }
    guard !resources.isEmpty else {
      // Firefox refuses the whole extension for an empty list, which says the same as none.
      manifest["declarative_net_request"] = nil
      return
    }
    for resource in resources {
      guard let reference = resource["path"]?.text,
        let path = ExtensionPath.resolved(reference, in: ""), source.has(path),
        !leftOut.contains(path), made[path] == nil
      else { continue }
      try translateRules(path)
    }
  }

  private mutating func translateRules(_ path: String) throws(WebExtensionError) {
    guard let bytes = try source.contents(path, limit: Self.rulesLimit) else {
      note(
        .missing,
        "rules",
        in: path,
        "it has more than \(Self.rulesLimit) bytes, so it is as it was"
      )
      return
    }
    let names = Self.newerNames.keys.map { Array("\"\($0)\"".utf8) }
    guard names.contains(where: { bytes.firstRange(of: $0) != nil }) else { return }
    let value: ManifestValue
    do throws(WebExtensionError) {
      value = try ManifestReader.read(bytes, name: path, sizeLimit: Self.rulesLimit)
    } catch {
      note(.missing, "rules", in: path, "its rules are as they were: \(error.message)")
      return
    }
    guard var rules = value.elements else { return }
    var first: Int?
    for index in rules.indices {
      guard var condition = rules[index]["condition"] else { continue }
      for member in condition.members ?? [] {
        guard let name = Self.newerNames[member.key] else { continue }
        first = first ?? member.offset
        condition[member.key] = nil
        if condition[name] == nil { condition[name] = member.value }
      }
      rules[index]["condition"] = condition
    }
    guard let first else { return }
    made[path] = ManifestValue(.array(rules)).json
    note(
      .changed,
      "rules",
      in: path,
      line: LineTable(bytes).line(of: first),
      "domains of conditions become initiatorDomains, as Firefox knows them"
    )
  }
}
