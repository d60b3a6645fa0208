extension ManifestTranslator {
  private static let actionCommands = [
    "_execute_browser_action", "_execute_page_action", "_execute_action",
  ]
  /// The most keys that Chromium takes as suggestions.
  private static let suggestionLimit = 4

  mutating func translateCommands() {
    guard let commands = original["commands"]?.members else { return }
    var result: [ManifestValue.Member] = []
    var suggestions = 0
    for var command in commands {
      if let name = commandName(command.key), name != command.key {
        note(
          .changed,
          "command",
          at: command.offset,
          "the command \(command.key) becomes \(name), as version \(targetVersion) of manifests has it"
        )
        command.key = name
      }
      guard !result.contains(where: { $0.key == command.key }) else { continue }
      if let keys = command.value["suggested_key"] {
        let checked = checkedKeys(keys, of: command.key)
        let isTooMany = browser == .chromium && suggestions == Self.suggestionLimit
        if isTooMany, checked != nil {
          note(
            .missing,
            "command-key",
            at: keys.offset,
            "Chromium takes \(Self.suggestionLimit) suggested keys; that of \(command.key) is left out"
          )
        }
        command.value["suggested_key"] = isTooMany ? nil : checked
        if command.value["suggested_key"] != nil { suggestions += 1 }
      }
      result.append(command)
    }
    manifest["commands"] = ManifestValue(.object(result))
  }

  /// Returns the name of a command that opens the pop-up, in the manifest's version.
  private func commandName(_ name: String) -> String? {
    guard Self.actionCommands.contains(name) else { return nil }
    if browser == .firefox, name == "_execute_page_action" { return name }
    return targetVersion == 3 ? "_execute_action" : "_execute_browser_action"
  }

  /// Returns the keys that the browser takes, of a key or of keys by platform; one that it does not
  /// take makes it refuse the extension.
  private mutating func checkedKeys(_ keys: ManifestValue, of command: String) -> ManifestValue? {
    func isTaken(_ key: ManifestValue, on platform: String) -> Bool {
      key.text.map { Self.isKey($0, on: platform, browser) } ?? false
    }
    guard let members = keys.members else {
      guard isTaken(keys, on: "default") else { return refusedKey(keys, of: command) }
      return keys
    }
    let kept = members.filter { member in
      // Platforms that no browser here knows.
      guard member.key != "ios" else { return false }
      guard isTaken(member.value, on: member.key) else {
        _ = refusedKey(member.value, of: command)
        return false
      }
      return true
    }
    return kept.isEmpty ? nil : ManifestValue(.object(kept))
  }

  private mutating func refusedKey(_ key: ManifestValue, of command: String) -> ManifestValue? {
    note(
      .missing,
      "command-key",
      at: key.offset,
      "\(browser.title) does not take the key \(key.text ?? "") of \(command); it is left out, and the "
        + "user can choose one"
    )
    return nil
  }

  private static let namedKeys: Set<String> = [
    "Comma", "Period", "Home", "End", "PageUp", "PageDown", "Space", "Insert", "Delete", "Up",
    "Down",
    "Left", "Right",
  ]
  private static let mediaKeys: Set<String> = [
    "MediaNextTrack", "MediaPlayPause", "MediaPrevTrack", "MediaStop",
  ]

  private static func isKey(
    _ text: String,
    on platform: String,
    _ browser: TargetBrowser
  ) -> Bool {
    let parts = text.split(separator: "+").map { $0.trimmingSpaces }
    guard let key = parts.last, !key.isEmpty else { return false }
    let modifiers = parts.dropLast()
    if mediaKeys.contains(key) { return modifiers.isEmpty }
    let isFunction =
      key.hasPrefix("F") && Int(key.dropFirst()).map { (1...12).contains($0) } ?? false
    let isPlain =
      key.utf8.count == 1
      && key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    guard isPlain || namedKeys.contains(key) || isFunction && browser == .firefox else {
      return false
    }
    var known: Set<String> = ["Ctrl", "Alt", "Shift"]
    if platform == "mac" { known.formUnion(["Command", "MacCtrl"]) }
    if platform == "chromeos" { known.insert("Search") }
    guard modifiers.allSatisfy(known.contains), Set(modifiers).count == modifiers.count else {
      return false
    }
    let main = modifiers.filter { $0 != "Shift" }
    switch browser {
    case .chromium: return main.count == 1
    case .firefox: return isFunction ? modifiers.count <= 2 : (1...2).contains(main.count)
    }
  }
}

extension Substring {
  /// The text without spaces around it.
  fileprivate var trimmingSpaces: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
