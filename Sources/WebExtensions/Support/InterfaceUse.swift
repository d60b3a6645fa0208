/// How a script shows that it uses an entry of the table.
///
/// Most entries are members. The others are what a call is given, or what its listeners get: their
/// names end with the property, written in one of several ways.
enum InterfaceUse: Hashable {
  /// A member by its chain.
  case member(String)
  /// A property of an argument of a call.
  case key(call: String, name: String)
  /// The value `null` of some property of an argument of a call.
  case null(call: String)
  /// An object as an argument of a call, in a place counted from 1.
  case object(call: String, place: Int)
  /// A member of what a call's listener or callback is given.
  case read(call: String, name: String)
  /// A listener's second parameter.
  case secondParameter(event: String)
  /// A member of any object, or of those whose names contain a word.
  case anyRead(owner: String?, name: String)
  /// What can be reached by another entry alone, which is missing as well.
  case within(String)

  /// Returns how a script uses an entry: the name of one below `api.`.
  static func of(_ entry: String) -> InterfaceUse {
    if let use = special[entry] { return use }
    let parts = entry.split(separator: ".").map(String.init)
    guard parts.count > 2, let last = parts.last else { return .member(entry) }
    let call = parts.dropLast().joined(separator: ".")
    if last == "null" { return .null(call: call) }
    if last.hasSuffix("_parameter") {
      let words = last.split(separator: "_")
      return .key(call: call, name: String(words[words.count - 2]))
    }
    if last == "OnClickData" { return .secondParameter(event: call) }
    let argument = parts[parts.count - 2]
    if arguments.contains(argument) {
      let call = parts.dropLast(2).joined(separator: ".")
      let isEvent = parts[parts.count - 3].hasPrefix("on")
      return isEvent ? .read(call: call, name: last) : .key(call: call, name: last)
    }
    return .member(entry)
  }

  /// The names that stand for an argument in entries.
  private static let arguments: Set<String> = [
    "changeInfo", "createData", "details", "getInfo", "options", "queryInfo",
  ]

  /// Entries that no rule explains.
  private static let special: [String: InterfaceUse] = [
    "action.isEnabled.details": .object(call: "action.isEnabled", place: 1),
    "browserAction.isEnabled.details": .object(call: "browserAction.isEnabled", place: 1),
    "declarativeNetRequest.setExtensionActionOptions.options": .within(
      "declarativeNetRequest.setExtensionActionOptions"
    ),
    "declarativeNetRequest.setExtensionActionOptions.options.tabUpdate": .within(
      "declarativeNetRequest.setExtensionActionOptions"
    ),
    "devtools.inspectedWindow.Resource": .within("devtools.inspectedWindow.getResources"),
    "devtools.inspectedWindow.Resource.getContent": .within(
      "devtools.inspectedWindow.getResources"
    ),
    "devtools.inspectedWindow.Resource.setContent": .within(
      "devtools.inspectedWindow.getResources"
    ),
    "devtools.inspectedWindow.Resource.url": .within("devtools.inspectedWindow.getResources"),
    "devtools.panels.Button": .anyRead(owner: nil, name: "createStatusBarButton"),
    "devtools.panels.ExtensionPanel.createStatusBarButton": .anyRead(
      owner: nil,
      name: "createStatusBarButton"
    ),
    "devtools.panels.openResource.columnNumber": .within("devtools.panels.openResource"),
    "devtools.panels.openResource.lineNumber": .within("devtools.panels.openResource"),
    "devtools.panels.openResource.url": .within("devtools.panels.openResource"),
    // The name of a type: scripts name its values where they are given.
    "extensionTypes.CSSOrigin": .key(call: "tabs.insertCSS", name: "cssOrigin"),
    "menus.OnClickData.linkText": .anyRead(owner: nil, name: "linkText"),
    "menus.create.command": .key(call: "menus.create", name: "command"),
    "menus.create.icons": .key(call: "menus.create", name: "icons"),
    "runtime.Port.error": .anyRead(owner: "port", name: "error"),
    "scripting.RegisteredContentScript.cssOrigin": .key(
      call: "scripting.registerContentScripts",
      name: "cssOrigin"
    ),
    "scripting.executeScript.InjectionResult.error": .anyRead(owner: "result", name: "error"),
    "tabs.Tab.isArticle": .anyRead(owner: nil, name: "isArticle"),
    "tabs.Tab.isInReaderMode": .anyRead(owner: nil, name: "isInReaderMode"),
    "tabs.create.muted": .key(call: "tabs.create", name: "muted"),
    "tabs.duplicate.duplicateProperties": .object(call: "tabs.duplicate", place: 2),
    "webNavigation.onErrorOccurred.error": .read(
      call: "webNavigation.onErrorOccurred",
      name: "error"
    ),
  ]

  /// The members of other objects that have to be watched for.
  static let watchedReads: Set<String> = [
    "createStatusBarButton", "error", "id", "isArticle", "isInReaderMode", "linkText",
    "openerTabId",
  ]
}
