internal import ExtensionMessages
internal import Foundation

/// Checks what a handler says to its browser; nothing else passes.
struct BrowserCalls: Sendable {
  /// The outcome of the check.
  enum Verdict: Equatable {
    /// It passes, without members that are not known.
    case passed(MessageValue)
    /// It does not, for this reason; if it is a call that waits for a result, with its number.
    case refused(String, id: Int64?)
  }

  private enum Kind { case name, text, anyText, flag, url, value, users }

  /// The calls with their members; `Documentation/AppExtensions.md` says what they do.
  private static let calls: [String: [String: Kind]] = [
    "activeWindow": [:], "allWindows": [:], "toolbarItemsNeedUpdate": [:], "baseURI": [:],
    "openWindow": ["url": .url], "openURL": ["url": .url],
    "activeTab": ["window": .name], "allTabs": ["window": .name], "closeWindow": ["window": .name],
    "openTab": ["window": .name, "url": .url, "active": .flag],
    "closeTab": ["tab": .name], "activateTab": ["tab": .name], "containingWindow": ["tab": .name],
    "activePage": ["tab": .name], "pages": ["tab": .name],
    "navigateTab": ["tab": .name, "url": .url],
    "containingTab": ["page": .name], "properties": ["page": .name], "reload": ["page": .name],
    "screenshot": ["page": .name],
    "dispatchMessage": ["page": .name, "name": .text, "userInfo": .users],
    "toolbarItem": [
      "window": .name, "enabled": .value, "badge": .anyText, "label": .anyText, "image": .anyText,
    ],
    "showPopover": ["window": .name], "dismissPopover": ["window": .name],
  ]
  /// The members that a call cannot do without.
  private static let required: Set<String> = ["window", "tab", "page", "url", "name"]
  private static let optional: [String: Set<String>] = ["dismissPopover": ["window"]]
  private static let opening: Set<String> = ["openWindow", "openTab", "openURL", "navigateTab"]

  private let access: WebsiteAccess
  /// The address of the extension's own pages, as the browser has told.
  private var ownPages: String?
  private var addressCalls: Set<Int64> = []
  private var openings = RateLimit(burst: 20, perSecond: 1)

  init(_ access: WebsiteAccess) { self.access = access }

  /// Checks a message of the handler.
  mutating func check(_ message: MessageValue) -> Verdict {
    guard case .dictionary(let members) = message else {
      return .refused("what it said to the browser is no message", id: nil)
    }
    let id = members["id"]?.integer
    switch members["type"]?.string {
    case "validated": return Self.validated(members, id)
    case "call": break
    default: return .refused("what it said to the browser is no call", id: nil)
    }
    guard let name = members["call"]?.string, let kinds = Self.calls[name] else {
      let name = members["call"]?.string ?? ""
      return .refused("the browser has no function \(name)", id: id)
    }
    var checked: [String: MessageValue] = ["type": .string("call"), "call": .string(name)]
    if let id { checked["id"] = .integer(id) }
    for (member, kind) in kinds {
      guard let value = members[member] else {
        guard !Self.required.contains(member) || Self.optional[name]?.contains(member) == true
        else { return .refused("\(name) lacks \(member)", id: id) }
        continue
      }
      guard Self.holds(value, kind) else { return .refused("\(name) has no \(member)", id: id) }
      checked[member] = value
    }
    if let reason = refusal(of: name, members["url"]?.string) { return .refused(reason, id: id) }
    if name == "baseURI", let id, addressCalls.count < 16 { addressCalls.insert(id) }
    return .passed(.dictionary(checked))
  }

  /// Learns from an event what the handler may open.
  mutating func learn(from event: MessageValue) {
    guard event["event"]?.string == "result", let id = event["id"]?.integer,
      addressCalls.remove(id) != nil, let address = event["result"]?.string,
      let url = URL(string: address),
      ["chrome-extension", "moz-extension"].contains(url.scheme ?? ""), address.hasSuffix("/")
    else { return }
    ownPages = address
  }

  private static func validated(_ members: [String: MessageValue], _ id: Int64?) -> Verdict {
    guard let id = members["id"] else {
      return .refused("an answer has no number", id: nil)
    }
    var checked: [String: MessageValue] = ["type": .string("validated"), "id": id]
    for name in ["enabled", "badge", "hidden", "text", "headers"] { checked[name] = members[name] }
    return .passed(.dictionary(checked))
  }

  private static func holds(_ value: MessageValue, _ kind: Kind) -> Bool {
    switch kind {
    case .name: value.string.map { !$0.isEmpty && $0.utf8.count <= 200 } ?? false
    case .text, .url: value.string != nil
    case .anyText: value.string != nil || value == .null
    case .flag: value == .bool(true) || value == .bool(false)
    case .users: value.dictionary != nil || value == .null
    case .value: true
    }
  }

  /// Returns why an address is not opened; nil if it is, or there is none.
  private mutating func refusal(of name: String, _ address: String?) -> String? {
    guard Self.opening.contains(name) else { return nil }
    let address = address ?? ""
    let shown = String(address.prefix(200))
    guard let url = URL(string: address) else { return "\(name): \(shown) is no address" }
    let isOwn = ownPages.map { address.hasPrefix($0) } ?? false
    guard isOwn || WebsiteAccess.isWebPage(url) else {
      return "\(name): \(shown) is no web page, and is not opened"
    }
    guard isOwn || name != "openTab" || access.allows(url) else {
      return "\(name): its Info.plist gives it no access to \(shown)"
    }
    guard openings.allows() else { return "\(name): it opens too many pages" }
    return nil
  }
}
