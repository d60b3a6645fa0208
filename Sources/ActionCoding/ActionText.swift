public import ContentRules
public import RuleMatching

/// The encoding of actions in the texts section.
///
/// Selectors and notifications are UTF-8. Redirects, header changes and identifiers are sequences
/// of fields: numbers in four bytes, little-endian; texts as their length in bytes and their UTF-8;
/// an optional text has a byte 0 or 1 in front.
public enum ActionText {
  /// Returns the kind of an action.
  public static func kind(of action: Action) -> ActionKind {
    switch action {
    case .block: .block
    case .blockCookies: .blockCookies
    case .cssDisplayNone: .cssDisplayNone
    case .ignorePreviousRules: .ignorePreviousRules
    case .ignoreFollowingRules: .ignoreFollowingRules
    case .makeHTTPS: .makeHTTPS
    case .notify: .notify
    case .redirect: .redirect
    case .modifyHeaders: .modifyHeaders
    }
  }

  /// Encodes an action; `nil` for one without arguments.
  ///
  /// A redirect by captures is followed by the url filter that captures.
  public static func encode(_ action: Action, urlFilter: String) -> [UInt8]? {
    var writer = FieldWriter()
    switch action {
    case .block, .blockCookies, .ignorePreviousRules, .ignoreFollowingRules, .makeHTTPS:
      return nil
    case .cssDisplayNone(let text), .notify(let text):
      return Array(text.utf8)
    case .redirect(let redirect):
      writer.append(redirect)
      if case .regexSubstitution = redirect { writer.append(urlFilter) }
    case .modifyHeaders(let headers):
      writer.append(headers.priority)
      writer.append(headers.requestHeaders)
      writer.append(headers.responseHeaders)
    }
    return writer.bytes
  }

  /// Encodes an identifier: the two halves of the number's bits, the lower first, and the ruleset.
  public static func encode(_ identifier: RuleIdentifier) -> [UInt8] {
    var writer = FieldWriter()
    let bits = identifier.number.bitPattern
    writer.append(UInt32(truncatingIfNeeded: bits))
    writer.append(UInt32(truncatingIfNeeded: bits >> 32))
    writer.append(identifier.ruleset)
    return writer.bytes
  }

  /// Decodes a slot's action.
  ///
  /// - Returns: The action; `nil` for text that no compiler wrote, and for identifiers.
  public static func decode(_ kind: ActionKind, _ text: [UInt8]) -> Action? {
    var reader = FieldReader(text)
    switch kind {
    case .block: return .block
    case .blockCookies: return .blockCookies
    case .ignorePreviousRules: return .ignorePreviousRules
    case .ignoreFollowingRules: return .ignoreFollowingRules
    case .makeHTTPS: return .makeHTTPS
    case .cssDisplayNone: return .cssDisplayNone(selector: String(decoding: text, as: UTF8.self))
    case .notify: return .notify(String(decoding: text, as: UTF8.self))
    case .redirect: return reader.redirect().map { .redirect($0) }
    case .modifyHeaders:
      guard let priority = reader.number(), let request = reader.headers(),
        let response = reader.headers()
      else { return nil }
      return .modifyHeaders(
        ModifyHeaders(
          priority: priority,
          requestHeaders: request,
          responseHeaders: response
        )
      )
    case .reportIdentifier: return nil
    }
  }

  /// Decodes the url filter whose captures a redirect inserts; `nil` for all other actions.
  public static func decodeRegexFilter(_ kind: ActionKind, _ text: [UInt8]) -> String? {
    var reader = FieldReader(text)
    guard kind == .redirect, case .regexSubstitution = reader.redirect() else { return nil }
    return reader.text()
  }

  /// Decodes the identifier of a `reportIdentifier` slot.
  public static func decodeIdentifier(_ text: [UInt8]) -> RuleIdentifier? {
    var reader = FieldReader(text)
    guard let low = reader.number(), let high = reader.number(), let ruleset = reader.text()
    else { return nil }
    let bits = UInt64(high) << 32 | UInt64(low)
    return RuleIdentifier(number: Double(bitPattern: bits), ruleset: ruleset)
  }
}
