internal import ExtensionBundles

extension LegacyTranslator {
  /// Reads the keys of an older folder.
  mutating func readFolder() throws(WebExtensionError) {
    let root = list.root
    let permissions = section(
      section(root["Permissions"], "Permissions")?["Website Access"],
      "Website Access"
    )
    let isSecure = permissions?["Include Secure Pages"]?.truth ?? false
    readAccess(permissions, schemes: isSecure ? SafariPattern.webSchemes : ["http"])
    let content = section(root["Content"], "Content")
    let scripts = section(content?["Scripts"], "Scripts")
    let pages = pages(
      allowed: content?["Whitelist"],
      "Whitelist",
      excluded: content?["Blacklist"],
      "Blacklist"
    )
    for (key, isAtEnd) in [("Start", false), ("End", true)] {
      for reference in texts(scripts?[key], key) {
        guard let path = file(reference, key) else { continue }
        legacy.scripts.append(
          LegacyExtension.Script(path: path, isAtEnd: isAtEnd, pages: pages)
        )
      }
    }
    for reference in texts(content?["Stylesheets"], "Stylesheets") {
      guard let path = file(reference, "Stylesheets") else { continue }
      legacy.sheets.append(LegacyExtension.Sheet(path: path, pages: pages))
    }
    let chrome = section(root["Chrome"], "Chrome")
    if let name = text(chrome?["Global Page"], "Global Page") {
      legacy.globalPage = file(name, "Global Page")
    }
    readPopovers(chrome?["Popovers"])
    readToolbarItems(chrome?["Toolbar Items"])
    for entry in dictionaries(chrome?["Context Menu Items"], "Context Menu Items") {
      guard let identifier = text(entry["Identifier"], "Identifier") else {
        noteAbsent("Identifier", in: entry, of: "Context Menu Items")
        continue
      }
      legacy.contextItems.append(
        LegacyExtension.ContextItem(
          identifier: identifier,
          command: text(entry["Command"], "Command") ?? identifier,
          title: text(entry["Title"], "Title") ?? identifier
        )
      )
    }
    noteAbsentParts(chrome)
    try readSettings()
    try readUses()
  }

  private mutating func readPopovers(_ value: PropertyListValue?) {
    for entry in dictionaries(value, "Popovers") {
      guard let identifier = text(entry["Identifier"], "Identifier"),
        let path = text(entry["Filename"], "Filename").flatMap({ file($0, "Filename") })
      else {
        for key in ["Identifier", "Filename"] { noteAbsent(key, in: entry, of: "Popovers") }
        continue
      }
      legacy.popovers.append(
        LegacyExtension.Popover(
          identifier: identifier,
          path: path,
          width: entry["Width"]?.wholeNumber ?? 400,
          height: entry["Height"]?.wholeNumber ?? 300
        )
      )
    }
  }

  private mutating func readToolbarItems(_ value: PropertyListValue?) {
    for entry in dictionaries(value, "Toolbar Items") {
      let identifier = text(entry["Identifier"], "Identifier") ?? "item"
      let label = text(entry["Label"], "Label") ?? identifier
      var item = LegacyExtension.ToolbarItem(
        identifier: identifier,
        label: label,
        toolTip: text(entry["Tool Tip"], "Tool Tip") ?? ""
      )
      item.command = text(entry["Command"], "Command")
      if let image = text(entry["Image"], "Image") { item.image = image2x(image) }
      let popover = text(entry["Popover"], "Popover")
      item.popover = popover.flatMap { name in
        legacy.popovers.first { $0.identifier == name }?.path
      }
      item.popoverName = popover
      if let menu = text(entry["Menu"], "Menu") {
        note(
          .missing,
          "menu",
          at: menu,
          "the menu \(menu) of the toolbar item \(label) is not drawn"
        )
      }
      if item.popover != nil, item.command != nil {
        note(
          .missing,
          "popover",
          at: popover,
          "browsers open no pop-over by a long press; a click on \(label) is the command, and the script "
            + "can open the pop-over"
        )
      }
      if item.popover == nil, item.command == nil { item.command = identifier }
      legacy.toolbarItems.append(item)
    }
    let others = legacy.toolbarItems.dropFirst().map(\.label)
    if !others.isEmpty {
      note(
        .changed,
        "toolbar-items",
        at: "Toolbar Items",
        "browsers have one toolbar item for an extension; in its menu are: "
          + others.joined(separator: ", ")
      )
    }
  }

  /// Returns an image's file, in the double size where there is one.
  private mutating func image2x(_ reference: String) -> String? {
    if let path = ExtensionPath.resolved(reference), let dot = path.lastIndex(of: ".") {
      let large = "\(path[..<dot])@2x\(path[dot...])"
      if base.source.has(large) { return large }
    }
    return file(reference, "Image")
  }

  private mutating func noteAbsentParts(_ chrome: PropertyListValue?) {
    for key in ["Bars", "Toolbars"] where chrome?[key]?.array?.isEmpty == false {
      note(.missing, "bar", at: key, "browsers have no bars below the address; they are left out")
    }
    if let quota = chrome?["Database Quota"]?.wholeNumber, quota > 0 {
      note(
        .missing,
        "database",
        at: "Database Quota",
        "browsers have no SQL databases for scripts any more; openDatabase gives null"
      )
    }
    if let address = text(list.root["Update Manifest URL"], "Update Manifest URL") {
      note(
        .changed,
        "update",
        at: address,
        "updates come by importing the new folder; \(address) is not asked"
      )
    }
  }

  private mutating func readSettings() throws(WebExtensionError) {
    guard let bytes = try base.source.contents(LegacySetting.fileName, limit: 1 << 20) else {
      return
    }
    let file: LegacyList
    do throws(WebExtensionError) {
      file = try LegacyList(bytes, name: LegacySetting.fileName)
    } catch {
      base.note(.missing, "settings", in: LegacySetting.fileName, error.message)
      return
    }
    guard let rows = file.root.array else {
      base.note(.missing, "settings", in: file.name, "it is not an array; there are no settings")
      return
    }
    for row in rows.prefix(1_000) {
      if let setting = LegacySetting(row) {
        legacy.settings.append(setting)
      } else {
        let word = row["Key"]?.string ?? row["Type"]?.string ?? ""
        base.note(
          .missing,
          "setting",
          in: file.name,
          line: file.line(of: word),
          "the setting \(word) has no known type or no key; it is left out"
        )
      }
    }
    if rows.count > 1_000 {
      base.note(.missing, "limit", in: file.name, "settings after the first 1000 are left out")
    }
    let secure = legacy.settings.contains { $0.json["isSecure"]?.content == .bool(true) }
    if secure {
      base.note(
        .changed,
        "secure-settings",
        in: file.name,
        "secure settings are kept by the browser with the others, and not in a keychain"
      )
    }
  }

  /// Reads which of the calls that need more the scripts have.
  private mutating func readUses() throws(WebExtensionError) {
    let told: [(word: String, code: String, message: String)] = [
      (
        "canLoad", "can-load",
        "no load waits for a script in browsers; canLoad answers true at once"
      ),
      ("beforeload", "before-load", "browsers have no event beforeload; nothing is stopped by it"),
      (
        "openDatabase", "database",
        "browsers have no SQL databases for scripts; openDatabase gives null"
      ),
      ("beforeSearch", "before-search", "browsers tell of no search in the address bar"),
      ("createMenu", "menu", "menus of toolbar items are not drawn"),
      ("addContentScript(", "script-text", "browsers run no script given as text"),
    ]
    for path in base.source.paths where !base.leftOut.contains(path) {
      guard ["js", "html", "htm"].contains(ExtensionPath.kind(path)),
        let bytes = try base.source.contents(path, limit: ScriptUses.sizeLimit)
      else { continue }
      func offset(_ word: String) -> Int? { bytes.firstOffset(of: Array(word.utf8)) }
      if offset("setContentBlocker") != nil { legacy.usesHost = true }
      if let place = offset("beforeNavigate") {
        legacy.usesBeforeNavigate = true
        if base.browser == .chromium {
          base.note(
            .missing,
            "before-navigate",
            in: path,
            line: LineTable(bytes).line(of: place),
            "Chromium tells of a navigation, and lets no extension stop it"
          )
        }
      }
      for (word, code, message) in told {
        guard let place = offset(word) else { continue }
        base.note(.missing, code, in: path, line: LineTable(bytes).line(of: place), message)
      }
    }
  }
}

extension Array<UInt8> {
  /// Returns the offset of the first occurrence of bytes; `nil` for none.
  func firstOffset(of wanted: [UInt8]) -> Int? {
    guard let first = wanted.first else { return nil }
    var start = 0
    while let found = self[start...].firstIndex(of: first) {
      if self[found...].starts(with: wanted) { return found }
      start = found + 1
    }
    return nil
  }
}
