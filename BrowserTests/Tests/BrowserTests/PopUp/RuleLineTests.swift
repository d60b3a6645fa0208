import Testing

extension BrowserTests.InChromium {
  @Test("a rule is named with its line, and shown as it stands there")
  func ruleLines() throws { try RuleLines(Self.kind).showsLines() }

  @Test("rules are found in every form of text that the engine takes")
  func rulePlaces() throws { try RuleLines(Self.kind).findsElements() }
}

extension BrowserTests.InFirefox {
  @Test("a rule is named with its line, and shown as it stands there")
  func ruleLines() throws { try RuleLines(Self.kind).showsLines() }

  @Test("rules are found in every form of text that the engine takes")
  func rulePlaces() throws { try RuleLines(Self.kind).findsElements() }
}
