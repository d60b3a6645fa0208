extension Reading {
  /// Judges the list as a whole, once all of its elements have been read.
  mutating func finish(_ text: Span<UInt8>) {
    // Not needed any more, and what follows may take much memory.
    reader.knownConditions = KnownConditions()
    if ruleCount > reader.options.ruleLimit {
      reader.diagnostics.report(
        .tooManyRules,
        0..<0,
        "the list has \(ruleCount.grouped) rules, and WebKit takes at most"
          + " \(reader.options.ruleLimit.grouped)",
        hint: "tickbird split makes several lists of it that do the same"
      )
    }
    if ruleCount > 50_000, reader.options.findsRequirements {
      let name = "more than 50,000 rules"
      reader.requirements.add(
        Requirement(name: name, feature: .largeLists, location: SourceLocation())
      )
    }
    if ruleCount > 50_000, let target = reader.options.target, target.lacks(.largeLists) {
      reader.diagnostics.report(
        .unknownToTarget,
        0..<0,
        "\(target) takes at most 50,000 rules in a list",
        hint: "split the list"
      )
    }
    if reader.diagnostics.errorCount == 0, givenCount == 0 {
      reader.diagnostics.report(
        .noRules,
        0..<0,
        ruleCount == 0 ? "the list is empty" : "every rule of the list is skipped",
        hint: ruleCount == 0 ? "WebKit takes no empty lists" : nil
      )
    }
    reader.shape.finish(into: reader.diagnostics)
    reader.listTraps.finish(into: reader.diagnostics)
  }
}
