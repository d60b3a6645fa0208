/// What an action slot does, as one byte.
///
/// > Source: WebKit `ActionType`; the rule language, section 9.
@frozen
public enum ActionKind: UInt8, CaseIterable, Hashable, Sendable {
  case block
  case blockCookies
  case cssDisplayNone
  case notify
  case ignorePreviousRules
  case ignoreFollowingRules
  case makeHTTPS
  case modifyHeaders
  case redirect
  case reportIdentifier
}
