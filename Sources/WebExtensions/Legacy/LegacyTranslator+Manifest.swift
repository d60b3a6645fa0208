internal import ExtensionBundles

extension LegacyTranslator {
  /// Reads what both kinds say of themselves.
  mutating func readIdentity() {
    let root = list.root
    legacy.identifier = text(root["CFBundleIdentifier"], "CFBundleIdentifier") ?? ""
    legacy.name =
      text(root["CFBundleDisplayName"], "CFBundleDisplayName")
      ?? text(root["CFBundleName"], "CFBundleName") ?? legacy.identifier
    legacy.version = text(root["CFBundleShortVersionString"], "CFBundleShortVersionString") ?? ""
    legacy.build = text(root["CFBundleVersion"], "CFBundleVersion") ?? ""
    legacy.description =
      text(root["NSHumanReadableDescription"], "NSHumanReadableDescription")
      ?? text(root["Description"], "Description") ?? ""
    legacy.author = text(root["Author"], "Author") ?? ""
    legacy.website = text(root["Website"], "Website") ?? ""
  }

  mutating func writeIdentity() {
    let name = legacy.name.isEmpty ? "Safari extension" : String(legacy.name.prefix(75))
    base.manifest["name"] = .string(messages.isEmpty ? name : "__MSG_name__")
    let version = legacy.version.isEmpty ? legacy.build : legacy.version
    base.setVersion(version)
    if !legacy.description.isEmpty {
      let text = String(legacy.description.prefix(132))
      base.manifest["description"] = .string(messages.isEmpty ? text : "__MSG_description__")
    }
    if !legacy.author.isEmpty { base.manifest["author"] = .string(legacy.author) }
    if legacy.website.hasPrefix("http") {
      base.manifest["homepage_url"] = .string(legacy.website)
    }
    base.translateIdentity()
    writeIcons()
  }

  private mutating func writeIcons() {
    let sizes = [16, 32, 48, 64, 96, 128]
    var icons: [(String, ManifestValue)] = []
    for size in sizes {
      for path in ["Icon-\(size).png", "icon-\(size).png"] where base.source.has(path) {
        icons.append((String(size), .string(path)))
        break
      }
    }
    if icons.isEmpty, base.source.has("Icon.png") { icons = [("64", .string("Icon.png"))] }
    if !icons.isEmpty { base.manifest["icons"] = .object(icons) }
  }

  // MARK: Scripts and style sheets

  mutating func writeScripts() {
    var entries: [ManifestValue] = []
    for script in legacy.scripts {
      guard let matches = matches(of: script.pages, script.path) else { continue }
      let path = matches.needsTest ? guarded(script) : script.path
      var entry: [(String, ManifestValue)] = [("matches", .strings(matches.included))]
      if !matches.excluded.isEmpty { entry.append(("exclude_matches", .strings(matches.excluded))) }
      entry.append(("js", .strings([contentScriptPath, path])))
      entry.append(("run_at", .string(script.isAtEnd ? "document_end" : "document_start")))
      entry.append(("all_frames", ManifestValue(.bool(true))))
      entry.append(("match_about_blank", ManifestValue(.bool(true))))
      let value = ManifestValue.object(entry)
      // Scripts for the same pages stand together, as they are loaded one after the other.
      if let last = entries.last, let merged = Self.merged(last, value, path) {
        entries[entries.count - 1] = merged
      } else {
        entries.append(value)
      }
    }
    if base.browser == .firefox {
      for sheet in legacy.sheets {
        guard let matches = matches(of: sheet.pages, sheet.path) else { continue }
        if matches.needsTest { noteSheet(sheet) }
        var entry: [(String, ManifestValue)] = [("matches", .strings(matches.included))]
        if !matches.excluded.isEmpty {
          entry.append(("exclude_matches", .strings(matches.excluded)))
        }
        if matches.needsTest, let allowed = sheet.pages.allowed {
          entry.append(("include_globs", .strings(allowed.flatMap(Self.globs))))
        }
        let excluded = sheet.pages.excluded.filter { !$0.isPlain }.flatMap(Self.globs)
        if !excluded.isEmpty { entry.append(("exclude_globs", .strings(excluded))) }
        entry.append(("css", .strings([sheet.path])))
        entry.append(("css_origin", .string("user")))
        entry.append(("run_at", .string("document_start")))
        entry.append(("all_frames", ManifestValue(.bool(true))))
        entry.append(("match_about_blank", ManifestValue(.bool(true))))
        entries.append(.object(entry))
      }
    } else if !legacy.sheets.isEmpty {
      note(
        .changed,
        "style-sheet",
        at: legacy.sheets.first?.path,
        "style sheets come when a page has begun, so that they stand above its own; it may be seen "
          + "without them for a moment"
      )
    }
    if !entries.isEmpty { base.manifest["content_scripts"] = ManifestValue(.array(entries)) }
  }

  var contentScriptPath: String { "tickbird-content.js" }

  private mutating func matches(of pages: SafariPages, _ path: String) -> SafariPages.Matches? {
    if let matches = pages.matches(within: legacy.access) { return matches }
    note(
      .changed,
      "no-pages",
      at: path,
      "\(path) is for no page: the website access and its patterns have none in common"
    )
    return nil
  }

  private static func merged(
    _ first: ManifestValue,
    _ second: ManifestValue,
    _ path: String
  ) -> ManifestValue? {
    var merged = first
    merged["js"] = second["js"]
    guard merged == second, var scripts = first["js"]?.texts else { return nil }
    scripts.append(path)
    merged["js"] = .strings(scripts)
    return merged
  }

  private static func globs(_ pattern: SafariPattern) -> [String] {
    pattern.schemes.map { "\($0)://\(pattern.host)\(pattern.path)" }
  }

  private mutating func noteSheet(_ sheet: LegacyExtension.Sheet) {
    note(
      .changed,
      "pattern",
      at: sheet.path,
      "the patterns of \(sheet.path) are compared with whole addresses, since browsers' patterns have "
        + "no stars within a host"
    )
  }

  /// Returns a copy of a script that runs only where its patterns say.
  private mutating func guarded(_ script: LegacyExtension.Script) -> String {
    let index = guards.firstIndex(of: script.pages) ?? guards.count
    if index == guards.count { guards.append(script.pages) }
    let path = ManifestTranslator.freePath(
      "tickbird-guarded/\(index)/\(script.path)",
      in: base.source
    )
    guard base.made[path] == nil else { return path }
    guard
      let bytes = (try? base.source.contents(script.path, limit: ScriptUses.sizeLimit)) ?? nil
    else {
      note(.missing, "script-size", at: script.path, "\(script.path) is too long; it runs nowhere")
      base.made[path] = []
      return path
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    base.made[path] =
      Array("if (tickbirdIsPage(\(index))) {".utf8) + bytes[start...] + Array("\n}\n".utf8)
    note(
      .changed,
      "pattern",
      at: script.path,
      "\(script.path) is loaded in more pages and tests the address itself, since browsers' patterns "
        + "have no stars within a host"
    )
    return path
  }

  // MARK: The toolbar

  var actionKey: String { base.browser == .chromium ? "action" : "browser_action" }

  mutating func writeToolbar() {
    guard let item = legacy.toolbarItems.first else { return }
    var action: [(String, ManifestValue)] = [
      (
        "default_title",
        .string(
          hasMessage("toolbar")
            ? "__MSG_toolbar__" : item.toolTip.isEmpty ? item.label : item.toolTip
        )
      )
    ]
    if let icon = toolbarIcon { action.append(("default_icon", .string(icon))) }
    if let popup = popupPage(of: item) { action.append(("default_popup", .string(popup))) }
    if base.browser == .firefox { action.append(("default_area", .string("navbar"))) }
    base.manifest[actionKey] = .object(action)
    noteToolbarImage(item)
  }

  /// The item's image where browsers show it.
  var toolbarIcon: String? {
    guard let image = legacy.toolbarItems.first?.image, base.isIcon(image) else { return nil }
    return image
  }

  private mutating func noteToolbarImage(_ item: LegacyExtension.ToolbarItem) {
    guard let image = item.image, !base.isIcon(image) else { return }
    note(
      .missing,
      "icon-kind",
      at: image,
      "\(base.browser.title) shows no \(ExtensionPath.kind(image)) as an icon; \(image) is left out, and "
        + "a PNG in its place would be shown"
    )
  }

  // MARK: Other languages

  func hasMessage(_ name: String) -> Bool { messages.values.contains { $0[name] != nil } }

  /// Writes the labels in all languages; those of the property list count where one lacks some.
  mutating func writeMessages() {
    guard !messages.isEmpty else { return }
    var own = ["name": legacy.name.isEmpty ? "Safari extension" : legacy.name]
    own["description"] = legacy.description
    own["toolbar"] = legacy.toolbarItems.first?.label ?? ""
    for (index, item) in legacy.contextItems.enumerated() { own["menu\(index)"] = item.title }
    let region = list.root["CFBundleDevelopmentRegion"]?.string ?? "en"
    let main = messages[region] != nil ? region : "en"
    for (locale, found) in messages.merging([main: [:]], uniquingKeysWith: { old, _ in old }) {
      let all = own.merging(found) { $1 }.sorted { $0.key < $1.key }
      let value = ManifestValue.object(
        all.map { ($0.key, .object([("message", .string($0.value))])) }
      )
      base.made["_locales/\(locale)/messages.json"] = value.json
    }
    base.manifest["default_locale"] = .string(main)
  }
}
