extension LegacyTranslator {
  private static let homePage = "tickbird-home.html"
  private static let emptyPage = "tickbird-global.html"
  static let optionsPage = "tickbird-options.html"

  /// Whether there is anything for a background to do.
  private var needsBackground: Bool {
    legacy.globalPage != nil || !legacy.toolbarItems.isEmpty || !legacy.popovers.isEmpty
      || legacy.settings.contains(where: \.isShown)
      || base.browser == .chromium && !(legacy.sheets.isEmpty && legacy.scripts.isEmpty)
  }

  /// Writes the pages and scripts that stand in for Safari around the folder's own.
  mutating func writeGlobalBackground() {
    guard needsBackground else {
      base.made[pageScript] = base.made[contentScriptPath]
      return
    }
    let settings = ManifestValue.object(folderSettings)
    base.made[pageScript] = LegacyScript.folderPage.source(.object(folderSettings + pageGuards))
    let isWorker = base.browser == .chromium
    let home = isWorker ? LegacyScript.home : .homeWithBrowser
    base.made["tickbird-home.js"] = home.source(settings)
    addPage(Self.homePage, "Global page", scripts: ["tickbird-home.js"])
    if isWorker {
      base.made["tickbird-worker.js"] = LegacyScript.worker.source(settings)
      base.manifest["background"] = .object([("service_worker", .string("tickbird-worker.js"))])
    } else {
      base.manifest["background"] = .object([
        ("page", .string(Self.homePage)), ("persistent", ManifestValue(.bool(true))),
      ])
    }
    if legacy.globalPage == nil {
      addPage(Self.emptyPage, "Global page", scripts: [pageScript])
    }
    if !legacy.popovers.isEmpty || legacy.settings.contains(where: \.isShown) {
      base.made["tickbird-waiting.js"] = LegacyScript.waiting.source(.object([]))
      addPage(Self.waitingPage, "…", scripts: ["tickbird-waiting.js"])
    }
    guard legacy.settings.contains(where: \.isShown) else { return }
    base.made["tickbird-options.js"] = LegacyScript.options.source(
      .object([
        ("title", .string(legacy.name)),
        ("settings", ManifestValue(.array(legacy.settings.map(\.json)))),
      ])
    )
    addPage(Self.optionsPage, legacy.name, scripts: [pageScript, "tickbird-options.js"])
    base.manifest["options_ui"] = .object([
      ("page", .string(Self.optionsPage)), ("open_in_tab", ManifestValue(.bool(true))),
    ])
  }

  private mutating func addPage(_ path: String, _ title: String, scripts: [String]) {
    let tags = scripts.map { "<script src=\"\(ExtensionPath.address($0))\"></script>" }
    base.made[path] = Array(
      """
      <!doctype html><html><head><meta charset="utf-8"><title>\(Self.escaped(title))</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: message-box; font-size: 14px; max-width: 640px; margin: 32px auto; padding: 0 16px; }
      h1 { font-size: 22px; } h2 { font-size: 16px; margin: 24px 0 8px; }
      .row { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; align-items: center; padding: 6px 0; }
      .choices { display: grid; gap: 4px; }
      </style></head><body>\(tags.joined())</body></html>

      """.utf8
    )
  }

  private var folderSettings: [(String, ManifestValue)] {
    let items = legacy.toolbarItems.map { item in
      ManifestValue.object([
        ("identifier", .string(item.identifier)), ("label", .string(item.label)),
        ("toolTip", .string(item.toolTip)), ("command", .optional(item.command)),
        ("image", .optional(item.image.map(ExtensionPath.address))),
        ("popover", .optional(item.popoverName)),
      ])
    }
    let menus = legacy.contextItems.map { item in
      ManifestValue.object([
        ("identifier", .string(item.identifier)), ("command", .string(item.command)),
        ("title", .string(item.title)),
      ])
    }
    let popovers = legacy.popovers.map { popover in
      ManifestValue.object([
        ("identifier", .string(popover.identifier)),
        ("path", .string(ExtensionPath.address(popover.path))),
        ("width", ManifestValue(.number(String(popover.width)))),
        ("height", ManifestValue(.number(String(popover.height)))),
      ])
    }
    let global = legacy.globalPage ?? Self.emptyPage
    return commonSettings + [
      ("sheets", sheets), ("toolbarItems", ManifestValue(.array(items))),
      ("contextItems", ManifestValue(.array(menus))), ("popovers", ManifestValue(.array(popovers))),
      ("settings", ManifestValue(.array(legacy.settings.map(\.json)))),
      ("globalPage", .string(ExtensionPath.address(global))), ("icon", icon),
      ("displayVersion", .string(legacy.version)), ("bundleVersion", .string(legacy.build)),
      ("usesBeforeNavigate", ManifestValue(.bool(usesBeforeNavigate))),
    ]
  }
}

extension ManifestValue {
  /// A text, or null.
  static func optional(_ text: String?) -> ManifestValue {
    text.map { .string($0) } ?? ManifestValue(.null)
  }
}
