internal import ContentRules

/// Writes rules as JSON.
enum RuleText {
  /// What a rule does.
  enum Action {
    case block, blockCookies, ignorePrevious, ignoreFollowing

    var json: StaticString {
      switch self {
      case .block: #"},"action":{"type":"block"}}"#
      case .blockCookies: #"},"action":{"type":"block-cookies"}}"#
      case .ignorePrevious: #"},"action":{"type":"ignore-previous-rules"}}"#
      case .ignoreFollowing: #"},"action":{"type":"ignore-following-rules"}}"#
      }
    }
  }

  /// Returns a rule about loads.
  ///
  /// - Parameters:
  ///   - pattern: The pattern, as it stands in `url-filter` once JSON is read.
  ///   - isCaseSensitive: Whether letters match only themselves.
  ///   - flags: Further fields of the trigger, each with a comma in front.
  ///   - condition: The condition, likewise.
  ///   - action: What the rule does.
  /// - Returns: The rule as JSON.
  static func rule(
    pattern: [UInt8],
    isCaseSensitive: Bool = false,
    flags: [UInt8] = [],
    condition: [UInt8] = [],
    action: Action
  ) -> [UInt8] {
    var json: [UInt8] = []
    json.reserveCapacity(96 + pattern.count + flags.count + condition.count)
    append(#"{"trigger":{"url-filter":""#, to: &json)
    JSONString.append(pattern, to: &json)
    append(#"""#, to: &json)
    if isCaseSensitive { append(#","url-filter-is-case-sensitive":true"#, to: &json) }
    json.append(contentsOf: flags)
    json.append(contentsOf: condition)
    append(action.json, to: &json)
    return json
  }

  /// Returns a hiding rule for all URLs.
  ///
  /// - Parameters:
  ///   - condition: The condition, with a comma in front; empty without one.
  ///   - selectors: The selectors, escaped for JSON.
  /// - Returns: The rule as JSON.
  static func hiding(condition: [UInt8], selectors: [UInt8]) -> [UInt8] {
    var json: [UInt8] = []
    json.reserveCapacity(96 + selectors.count + condition.count)
    append(#"{"trigger":{"url-filter":".*""#, to: &json)
    json.append(contentsOf: condition)
    append(#"},"action":{"type":"css-display-none","selector":""#, to: &json)
    json.append(contentsOf: selectors)
    append(#""}}"#, to: &json)
    return json
  }

  static func append(_ text: StaticString, to json: inout [UInt8]) {
    unsafe json.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }

  /// Appends the field of a party.
  static func append(_ party: FilterMeaning.Party, to json: inout [UInt8]) {
    switch party {
    case .first: append(#","load-type":["first-party"]"#, to: &json)
    case .third: append(#","load-type":["third-party"]"#, to: &json)
    }
  }

  /// Appends `,"key":["…",…]`.
  static func appendList(
    _ key: StaticString,
    _ values: some Sequence<[UInt8]>,
    to json: inout [UInt8]
  ) {
    append(#",""#, to: &json)
    append(key, to: &json)
    append(#"":["#, to: &json)
    var isFirst = true
    for value in values {
      append(isFirst ? #"""# : #",""#, to: &json)
      isFirst = false
      JSONString.append(value, to: &json)
      append(#"""#, to: &json)
    }
    append("]", to: &json)
  }
}
