import ContentRules
import Testing

/// Every code, in a small list with the place marked.
@Suite struct DiagnosticTests {
  @Test(arguments: DiagnosticCase.all)
  func pointsAtTheMarkedPlace(example: DiagnosticCase) throws {
    let marked = MarkedText(example.text)
    let report = RuleListReader.read(marked.bytes)
    let found = report.diagnostics.filter { $0.code == example.code }
    let diagnostic = try #require(
      found.first { $0.location.byteRange == marked.range } ?? found.first,
      "\(report.diagnostics.map(\.code.rawValue))"
    )
    #expect(diagnostic.location.byteRange == marked.range)
    if let message = example.message { #expect(diagnostic.message == message) }
    if let hint = example.hint { #expect(diagnostic.hint == hint) }
    #expect(diagnostic.severity == example.code.severity)
    #expect(report.isAccepted == !report.diagnostics.contains { $0.severity == .error })
    #expect(report.isAccepted == (report.ruleList != nil))
  }

  @Test func everyCodeHasACase() {
    // These need a text of many rules, and have tests of their own.
    let large: Set<DiagnosticCode> = [
      .tooManyRules, .moreOfTheSame, .scatteredExceptions, .unknownToTarget, .jsonInvalidUTF8,
    ]
    // Nobody wants a test with a text of two thousand million bytes; limits are the compiler's.
    let untested: Set<DiagnosticCode> = [.jsonTextTooLong, .exceedsLimits]
    let tested = Set(DiagnosticCase.all.map(\.code))
    #expect(Set(DiagnosticCode.all) == tested.union(large).union(untested))
    #expect(Set(DiagnosticCode.all).count == DiagnosticCode.all.count)
  }

  @Test func everyWebKitErrorOfAListHasACode() {
    let reported = Set(DiagnosticCode.all.compactMap(\.webKitError))
    #expect(
      Set(WebKitError.allCases).subtracting(reported) == [
        .jsonInvalidObjectInTopLevelArray, .errorWritingSerializedNFA,
      ]
    )
  }

  @Test func locationsCountLinesAndUTF8Bytes() throws {
    let text = MarkedText("[\r\n\r{\"ü\":1,«\"x\"»:2,\n")
    let report = RuleListReader.read(text.bytes)
    let broken = try #require(report.diagnostics.last)
    #expect(broken.code == .jsonUnexpectedEnd)
    #expect((broken.location.line, broken.location.column) == (4, 1))
    let marked = MarkedText("[\r\n\r" + #"{"trigger":{"url-filter":"a","ü":1,"if-domain":«5»}}]"#)
    let second = RuleListReader.read(marked.bytes)
    let condition = try #require(second.diagnostics.first { $0.code == .invalidConditionList })
    #expect((condition.location.line, condition.location.column) == (3, 49))
    #expect(condition.location.byteRange == marked.range)
    #expect(condition.location.ruleIndex == 0)
    #expect(condition.location.jsonPath == "[0].trigger.if-domain")
  }

  @Test func pathsLeadThroughArraysAndObjects() throws {
    let report = RuleListReader.read(
      #"[{"trigger":{"url-filter":"a"},"action":{"type":"redirect","redirect":{"transform":"#
        + #"{"query-transform":{"add-or-replace-parameters":[{"key":"a","value":"b"},"#
        + #"{"key":"c","value":5}]}}}}}]"#
    )
    #expect(
      report.webKitError?.location.jsonPath
        == "[0].action.redirect.transform.query-transform.add-or-replace-parameters[1].value"
    )
  }

  @Test func invalidUTF8IsReportedWhereItIs() throws {
    let rule = #"{"trigger":{"url-filter":"a"},"action":{"type":"block"},"x":"#
    for (bytes, offset) in [
      ([0xFF], 0), ([0xC3], 0), ([0xC0, 0x80], 0), ([0xED, 0xA0, 0x80], 0),
      ([0xC3, 0xA4, 0x80], 2), ([0xF4, 0x90, 0x80, 0x80], 0), ([0xE2, 0x82], 0),
    ] as [([UInt8], Int)] {
      let text = Array("[\(rule)\"".utf8) + bytes + Array("\"}]".utf8)
      let error = try #require(RuleListReader.read(text).webKitError)
      #expect(error.code == .jsonInvalidUTF8)
      #expect(error.webKitError == .jsonInvalid)
      #expect(error.location.byteRange.lowerBound == rule.utf8.count + 2 + offset)
    }
  }
}
