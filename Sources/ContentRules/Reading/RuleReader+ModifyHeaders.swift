/// Reads a change of headers.
///
/// > Source: the rule language, section 3.3. WebKit: `ModifyHeadersAction::parse`.
extension RuleReader {
  /// Reads the keys of a `modify-headers` action; `nil` after reporting an error.
  mutating func readModifyHeaders(
    _ text: Span<UInt8>,
    _ index: Int,
    _ members: Members
  ) -> ModifyHeaders? {
    let errors = diagnostics.errorCount
    let request = readHeaders(text, members[ActionKey.requestHeaders], "request-headers")
    let response = readHeaders(text, members[ActionKey.responseHeaders], "response-headers")
    if let value = members[ActionKey.responseHeaders], !response.isEmpty {
      report(
        text,
        .unusedResponseHeaders,
        at: value - 1,
        "WebKit keeps response-headers but never applies them"
      )
    }
    guard let priority = readPriority(text, index, members[ActionKey.priority]),
      errors == diagnostics.errorCount
    else { return nil }
    return ModifyHeaders(
      priority: priority,
      requestHeaders: request,
      responseHeaders: response
    )
  }

  private mutating func readPriority(
    _ text: Span<UInt8>,
    _ index: Int,
    _ value: Int?
  ) -> UInt32? {
    guard let value, node(value).kind == .number else {
      reportMissing(
        text,
        .modifyHeadersInvalidPriority,
        value,
        of: index,
        "a modify-headers action needs a number priority"
      )
      return nil
    }
    let number = JSONText.number(text, node(value).range).rounded(.towardZero)
    // The engine truncates to a signed 32-bit integer and refuses negative ones.
    guard number >= 0, number <= Double(Int32.max) else {
      report(
        text,
        .modifyHeadersInvalidPriority,
        at: value,
        "priority must be from 0 to 2147483647"
      )
      return nil
    }
    expect(text, .headerPriority, at: value - 1, "priority", effect: .ignored)
    return UInt32(number)
  }

  private mutating func readHeaders(
    _ text: Span<UInt8>,
    _ array: Int?,
    _ key: String
  ) -> [HeaderOperation] {
    guard let array else { return [] }
    guard node(array).kind == .array else {
      report(
        text,
        .headersNotAnArray,
        at: array,
        "\(key) must be an array, not \(node(array).description)"
      )
      return []
    }
    var operations: [HeaderOperation] = []
    for element in elements(of: array) {
      if let operation = readHeader(text, element) { operations.append(operation) }
    }
    return operations
  }

  private mutating func readHeader(_ text: Span<UInt8>, _ index: Int) -> HeaderOperation? {
    guard node(index).kind == .object else {
      report(
        text,
        .headerChangeNotAnObject,
        at: index,
        "a header change must be an object, not \(node(index).description)"
      )
      return nil
    }
    let members = self.members(text, of: index, vocabulary.headerKeys)
    guard let operation = members[0], node(operation).kind == .string else {
      reportMissing(
        text,
        .headerChangeWithoutOperation,
        members[0],
        of: index,
        "a header change needs a string operation"
      )
      return nil
    }
    guard let headerValue = members[1], node(headerValue).kind == .string else {
      reportMissing(
        text,
        .headerChangeWithoutHeader,
        members[1],
        of: index,
        "a header change needs a string header"
      )
      return nil
    }
    let header = string(text, headerValue)
    let place = withContents(text, operation) { vocabulary.headerOperations.index(of: $0) }
    switch place {
    case 2: return .remove(header: header)
    case 0, 1:
      guard let value = members[2], node(value).kind == .string else {
        reportMissing(
          text,
          .headerChangeWithoutValue,
          members[2],
          of: index,
          "to set or append a header needs a string value"
        )
        return nil
      }
      return place == 0
        ? .set(header: header, value: string(text, value))
        : .append(header: header, value: string(text, value))
    default:
      let word = string(text, operation)
      report(
        text,
        .headerChangeInvalidOperation,
        at: operation,
        "\(text.excerpt(node(operation).range)) is no operation on headers",
        hint: Suggestion.value(for: word, among: vocabulary.headerOperations.words)
          ?? "write set, append or remove"
      )
      return nil
    }
  }
}
