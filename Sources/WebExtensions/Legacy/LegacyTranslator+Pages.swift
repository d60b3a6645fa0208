extension LegacyTranslator {
  /// The page that opens at the toolbar's item; `nil` if a click is a command.
  func popupPage(of item: LegacyExtension.ToolbarItem) -> String? {
    guard let popover = item.popover, item.command == nil else { return nil }
    switch legacy.kind {
    case .app:
      return (base.source.has(popover) ? popover : "tickbird-popover.html") + "?tickbird=popover"
    case .folder: return "\(Self.waitingPage)?\(ExtensionPath.address(popover))"
    }
  }

  static let waitingPage = "tickbird-waiting.html"

  /// Puts the script before the scripts of each page, and moves scripts out of the pages, where browsers
  /// run none.
  mutating func writePages() throws(WebExtensionError) {
    try base.translatePages()
    try moveInlineScripts()
    guard legacy.kind == .app, let item = legacy.toolbarItems.first, let popover = item.popover,
      !base.source.has(popover)
    else { return }
    let script = ExtensionPath.address(pageScript)
    base.made["tickbird-popover.html"] = Array(
      """
      <!doctype html><html><head><meta charset="utf-8"><script src="\(script)"></script>
      <style>
      :root { color-scheme: light dark; }
      body { font: message-box; font-size: 13px; width: 300px; margin: 14px; line-height: 1.5; }
      h1 { font-size: 14px; margin: 0 0 6px; }
      p { margin: 0; }
      </style></head><body>
      <h1>\(Self.escaped(legacy.name))</h1>
      <p>In Safari a panel opens here. It is made of macOS views, which other systems do not have.
      All else of this extension works without it.</p></body></html>

      """.utf8
    )
  }

  /// Escapes a text for HTML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
