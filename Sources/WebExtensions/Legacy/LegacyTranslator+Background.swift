extension LegacyTranslator {
  var icon: ManifestValue {
    toolbarIcon.map { .string(ExtensionPath.address($0)) } ?? ManifestValue(.null)
  }

  /// What every script of the extension knows.
  var commonSettings: [(String, ManifestValue)] {
    [
      ("kind", .string(legacy.kind.rawValue)),
      ("browser", .string(base.browser.rawValue)),
      ("host", .string(base.identity.hostName)),
      ("access", legacy.access.json),
    ]
  }

  /// What scripts for pages know besides: the patterns that they test.
  var pageGuards: [(String, ManifestValue)] {
    [("guards", ManifestValue(.array(guards.map(\.json))))]
  }

  var sheets: ManifestValue {
    // Firefox's manifest has them.
    guard base.browser == .chromium else { return ManifestValue(.array([])) }
    return ManifestValue(
      .array(
        legacy.sheets.map { sheet in
          var value = sheet.pages.json
          value["path"] = .string(ExtensionPath.address(sheet.path))
          return value
        }
      )
    )
  }

  mutating func writeBackground() {
    base.made[contentScriptPath] = LegacyScript.content.source(.object(commonSettings + pageGuards))
    switch legacy.kind {
    case .app: writeHandlerBackground()
    case .folder: writeGlobalBackground()
    }
  }

  // MARK: App extensions

  private mutating func writeHandlerBackground() {
    base.made[pageScript] = LegacyScript.appPage.source(.object(commonSettings + pageGuards))
    var settings = commonSettings
    settings += [
      ("toolbar", toolbarSettings), ("sheets", sheets),
      ("blockers", .strings(legacy.blockers)), ("headerDomains", .strings(legacy.headerDomains)),
      (
        "menus",
        ManifestValue(
          .array(
            legacy.contextItems.map {
              .object([("command", .string($0.command)), ("text", .string($0.title))])
            }
          )
        )
      ),
    ]
    let path = "tickbird-handler.js"
    base.made[path] = LegacyScript.handler.source(.object(settings))
    writeBackgroundScript(path)
  }

  mutating func writeBackgroundScript(_ path: String) {
    switch base.browser {
    case .chromium: base.manifest["background"] = .object([("service_worker", .string(path))])
    case .firefox:
      base.manifest["background"] = .object([
        ("scripts", .strings([path])), ("persistent", ManifestValue(.bool(true))),
      ])
    }
  }

  private var toolbarSettings: ManifestValue {
    guard let item = legacy.toolbarItems.first else { return ManifestValue(.null) }
    return .object([
      ("action", .string(item.opensPopover ? "Popover" : "Command")),
      ("popup", popupPage(of: item).map { .string($0) } ?? ManifestValue(.null)),
      ("label", .string(item.label)), ("icon", icon),
    ])
  }

  // MARK: Permissions

  mutating func writePermissions() {
    let hosts =
      (legacy.access.patterns.allSatisfy(\.isPlain)
      ? legacy.access.patterns : [.everything(legacy.access.schemes)]).flatMap(\.matchPatterns)
    var names = ["tabs", "webNavigation", "storage"]
    if needsHost { names.append("nativeMessaging") }
    if !legacy.contextItems.isEmpty || legacy.kind == .folder { names.append("contextMenus") }
    // Chromium runs through it what scripts put into pages.
    if legacy.kind == .folder || base.browser == .chromium { names.append("scripting") }
    if !legacy.blockers.isEmpty { names.append("webRequest") }
    if base.browser == .firefox {
      if !legacy.headerDomains.isEmpty || usesBeforeNavigate {
        if !names.contains("webRequest") { names.append("webRequest") }
        names.append("webRequestBlocking")
      }
      base.manifest["permissions"] = .strings(names + hosts)
      base.manifest["web_accessible_resources"] = .strings(["*"])
      base.manifest["content_security_policy"] = .string(
        "script-src 'self' 'unsafe-eval'; object-src 'self'"
      )
    } else {
      if legacy.kind == .folder { names.append("offscreen") }
      base.manifest["permissions"] = .strings(names)
      if !hosts.isEmpty { base.manifest["host_permissions"] = .strings(hosts) }
      base.manifest["web_accessible_resources"] = ManifestValue(
        .array([
          .object([("resources", .strings(["*"])), ("matches", .strings(["<all_urls>"]))])
        ])
      )
    }
  }

  /// Whether the extension reaches Tickbird's host.
  var needsHost: Bool {
    switch legacy.kind {
    case .app: true
    case .folder: legacy.usesHost
    }
  }

  var usesBeforeNavigate: Bool { legacy.usesBeforeNavigate }
}
