import BrowserDriving
import Testing

/// Parts that a person uses, which must have a name to be read out.
private let usedRoles: Set<String> = [
  "button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch",
  "spinbutton", "DisclosureTriangle", "image", "dialog", "tab",
]

/// Checks that a screen reader has something to say of all that is to be used on a page.
///
/// Chromium alone is asked; Firefox does not tell those who drive it.
func expectReadable(
  _ tab: BrowserTab,
  _ browser: any Browser,
  _ location: SourceLocation = #_sourceLocation
) throws {
  let page = try browser.evaluate(
    "[document.documentElement.lang, document.title]",
    in: tab
  )
  let words = page as? [String] ?? []
  #expect(words.count == 2 && !words.contains(""), "language and title", sourceLocation: location)
  guard let nodes = try browser.accessibleNodes(of: tab) else { return }
  let marks: Set = ["heading", "main", "dialog", "alertdialog"]
  #expect(nodes.contains { marks.contains($0.role) }, "a part to go to", sourceLocation: location)
  let used = nodes.filter { usedRoles.contains($0.role) }
  #expect(!used.isEmpty, "something to be used", sourceLocation: location)
  let nameless = used.filter { $0.name.allSatisfy(\.isWhitespace) }
  #expect(nameless.map(\.role) == [], "without a name", sourceLocation: location)
}
