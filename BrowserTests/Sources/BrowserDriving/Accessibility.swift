/// What a screen reader is told of a part of a page.
public struct AccessibleNode: Sendable {
  /// Such as `button` or `textbox`.
  public let role: String
  /// What is read out.
  public let name: String
}

extension Chromium {
  func accessibleNodes(of tab: BrowserTab) throws -> [AccessibleNode]? {
    let answer = try call("Accessibility.getFullAXTree", session: tab.session)
    let nodes = answer["nodes"] as? [[String: Any]] ?? []
    return nodes.compactMap { node in
      func text(_ key: String) -> String {
        (node[key] as? [String: Any])?["value"] as? String ?? ""
      }
      return node["ignored"] as? Bool == true
        ? nil : AccessibleNode(role: text("role"), name: text("name"))
    }
  }
}

extension Firefox {
  /// It says nothing of it to those who drive it.
  func accessibleNodes(of tab: BrowserTab) throws -> [AccessibleNode]? { nil }
}
