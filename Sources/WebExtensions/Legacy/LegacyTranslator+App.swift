internal import ExtensionBundles

extension LegacyTranslator {
  /// A page that stands for the pop-over, which otherwise is made of AppKit's views.
  private static let popoverName = "TickbirdPopover.html"

  /// Reads the keys of a Safari app extension.
  mutating func readApp() throws(WebExtensionError) {
    guard let keys = list.root["NSExtension"] else { return }
    readAccess(keys["SFSafariWebsiteAccess"], schemes: SafariPattern.webSchemes)
    legacy.headerDomains = texts(
      keys["SFSafariWebsiteAccess"]?["Allowed Domains for Header Injection"],
      "Allowed Domains for Header Injection"
    )
    if base.browser == .chromium, !legacy.headerDomains.isEmpty {
      note(
        .missing,
        "headers",
        at: "Allowed Domains for Header Injection",
        "Chromium lets no extension ask its handler for the headers of a request"
      )
    }
    for entry in dictionaries(keys["SFSafariContentScript"], "SFSafariContentScript") {
      guard let path = text(entry["Script"], "Script").flatMap({ file($0, "Script") }) else {
        noteAbsent("Script", in: entry, of: "SFSafariContentScript")
        continue
      }
      legacy.scripts.append(LegacyExtension.Script(path: path, pages: pages(of: entry)))
    }
    for entry in dictionaries(keys["SFSafariStyleSheet"], "SFSafariStyleSheet") {
      let name = text(entry["Style Sheet"], "Style Sheet")
      guard let path = name.flatMap({ file($0, "Style Sheet") }) else {
        noteAbsent("Style Sheet", in: entry, of: "SFSafariStyleSheet")
        continue
      }
      legacy.sheets.append(LegacyExtension.Sheet(path: path, pages: pages(of: entry)))
    }
    readAppToolbar(keys["SFSafariToolbarItem"])
    for entry in dictionaries(keys["SFSafariContextMenu"], "SFSafariContextMenu") {
      guard let command = text(entry["Command"], "Command") else {
        noteAbsent("Command", in: entry, of: "SFSafariContextMenu")
        continue
      }
      guard !legacy.contextItems.contains(where: { $0.command == command }) else { continue }
      let title = text(entry["Text"], "Text") ?? command
      legacy.contextItems.append(
        LegacyExtension.ContextItem(identifier: command, command: command, title: title)
      )
    }
    legacy.blockers = texts(
      keys["SFSafariAssociatedContentBlockers"],
      "SFSafariAssociatedContentBlockers"
    )
    if legacy.blockers.count > 1 {
      note(
        .changed,
        "blockers",
        at: "SFSafariAssociatedContentBlockers",
        "browsers do not say which blocker stopped a request; \(legacy.blockers[0]) is named for all"
      )
    }
    try readLabels()
  }

  private mutating func pages(of entry: PropertyListValue) -> SafariPages {
    let (allowed, excluded) = ("Allowed URL Patterns", "Excluded URL Patterns")
    return pages(allowed: entry[allowed], allowed, excluded: entry[excluded], excluded)
  }

  private mutating func readAppToolbar(_ value: PropertyListValue?) {
    let key = "SFSafariToolbarItem"
    guard let value else { return }
    guard value.dictionary != nil else {
      note(.missing, "type", at: key, "\(key) is not a dictionary; there is no toolbar item")
      return
    }
    var item = LegacyExtension.ToolbarItem(
      identifier: text(value["Identifier"], "Identifier") ?? "",
      label: text(value["Label"], "Label") ?? legacy.name,
      toolTip: ""
    )
    if let image = text(value["Image"], "Image") { item.image = file(image, "Image") }
    switch text(value["Action"], "Action") {
    case "Popover":
      // The page behind it is the app's own, or says what is missing.
      item.popover = Self.popoverName
      if !base.source.has(Self.popoverName) {
        note(
          .missing,
          "popover",
          at: "Popover",
          "the pop-over is made of AppKit's views, which are not here; a page says so in its place, "
            + "and a \(Self.popoverName) among the resources would be shown"
        )
      }
    case "Command", nil: item.command = item.identifier
    case let other?:
      note(.missing, "action", at: other, "Action: \(other) is not known; a click is a command")
      item.command = item.identifier
    }
    legacy.toolbarItems = [item]
  }

  // MARK: Other languages

  /// Reads the translations of labels in `LANGUAGE.lproj/InfoPlist.strings`.
  private mutating func readLabels() throws(WebExtensionError) {
    var keys = ["CFBundleDisplayName": "name", "NSHumanReadableDescription": "description"]
    for item in legacy.toolbarItems {
      keys["Toolbar Button Label for Identifier: \(item.identifier)"] = "toolbar"
    }
    for (index, item) in legacy.contextItems.enumerated() {
      keys["Context Menu Item Label for Command: \(item.command)"] = "menu\(index)"
    }
    for path in base.source.paths where path.hasSuffix(".lproj/InfoPlist.strings") {
      let parts = path.split(separator: "/")
      guard parts.count == 2, let language = parts.first?.dropLast(".lproj".count),
        let locale = Self.locale(String(language))
      else { continue }
      guard let bytes = try base.source.contents(path, limit: 1 << 20),
        let strings = StringsFile.read(bytes)
      else {
        base.note(.missing, "strings", in: path, "the translation cannot be read; it is left out")
        continue
      }
      var found: [String: String] = [:]
      for (key, text) in strings {
        if let name = keys[key], !text.isEmpty { found[name] = text }
      }
      if !found.isEmpty { messages[locale] = found }
    }
  }

  /// The folder's name in browsers of a language; `nil` for none.
  private static func locale(_ language: String) -> String? {
    if language == "Base" { return nil }
    let names = [
      "English": "en", "German": "de", "French": "fr", "Japanese": "ja", "Spanish": "es",
    ]
    let name = names[language] ?? String(language.map { $0 == "-" ? "_" : $0 })
    let isPlain =
      (2...15).contains(name.utf8.count)
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return isPlain ? name : nil
  }
}
