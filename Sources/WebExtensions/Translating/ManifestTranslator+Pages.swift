extension ManifestTranslator {
  mutating func translateContentScripts() {
    guard let entries = original["content_scripts"]?.elements else { return }
    let kept = entries.compactMap { entry -> ManifestValue? in
      guard entry.members != nil else { return nil }
      var result = entry
      for key in ["js", "css"] {
        guard let paths = entry[key]?.elements else { continue }
        let there = paths.compactMap { file($0) }
        result[key] = there.isEmpty ? nil : .strings(there)
      }
      guard result["js"] != nil || result["css"] != nil else {
        note(
          .missing,
          "content-script",
          at: entry.offset,
          "this content script names no file that is there; it is left out"
        )
        return nil
      }
      // A script in the page's own world has none of the browser's interfaces.
      if browser == .chromium, let scripts = result["js"]?.texts, entry["world"]?.text != "MAIN" {
        result["js"] = .strings([preludePath] + scripts)
      }
      return result
    }
    manifest["content_scripts"] = kept.isEmpty ? nil : ManifestValue(.array(kept))
  }

  /// Writes permissions as the manifest's version has them.
  mutating func translatePermissions() {
    for (key, hostKey) in [
      ("permissions", "host_permissions"), ("optional_permissions", "optional_host_permissions"),
    ] {
      guard let elements = original[key]?.elements else { continue }
      var names: [String] = []
      var hosts = manifest[hostKey]?.texts ?? []
      for element in elements {
        guard let name = element.text else { continue }
        if targetVersion == 3, manifestVersion == 2, WebExtensionRequests.isHostPattern(name) {
          hosts.append(name)
        } else if let kept = permission(name, element, in: key) {
          if !names.contains(kept) { names.append(kept) }
        }
      }
      manifest[key] = names.isEmpty && key == "optional_permissions" ? nil : .strings(names)
      if !hosts.isEmpty { manifest[hostKey] = .strings(hosts) }
    }
    addScripting()
  }

  /// Returns the permission's name in the browser; `nil` if it has none.
  private mutating func permission(
    _ name: String,
    _ element: ManifestValue,
    in key: String
  ) -> String? {
    if browser == .chromium, name == "menus" {
      note(
        .changed,
        "permission",
        at: element.offset,
        "the permission menus becomes contextMenus, as Chromium calls it"
      )
      return "contextMenus"
    }
    guard SupportTable.has(browser, "manifest.\(key).\(name)") == false else { return name }
    if key == "optional_permissions",
      SupportTable.has(browser, "manifest.permissions.\(name)") == true
    {
      var required = manifest["permissions"]?.texts ?? []
      if !required.contains(name) { required.append(name) }
      manifest["permissions"] = .strings(required)
      note(
        .changed,
        "permission",
        at: element.offset,
        "the permission \(name) cannot be optional in \(browser.title); it is asked for at once"
      )
    } else {
      note(
        .missing,
        "permission",
        at: element.offset,
        "\(browser.title) has no permission \(name); it is left out"
      )
    }
    return nil
  }

  /// Asks for what the prelude needs to run scripts as version 2 of manifests did.
  private mutating func addScripting() {
    guard browser == .chromium, manifestVersion == 2,
      anyScriptUses(["tabs.executeScript", "tabs.insertCSS", "tabs.removeCSS"])
    else { return }
    var names = manifest["permissions"]?.texts ?? []
    guard !names.contains("scripting") else { return }
    names.append("scripting")
    manifest["permissions"] = .strings(names)
    note(
      .changed,
      "permission",
      at: original.offset(of: "permissions"),
      "the permission scripting is added, because tabs.executeScript and its like need it there"
    )
  }

  mutating func translateWebAccessibleResources() {
    guard browser == .chromium, let entries = original["web_accessible_resources"]?.elements else {
      return
    }
    let everywhere = ManifestValue.strings(["<all_urls>"])
    let plain = entries.compactMap(\.text)
    var result = entries.filter { $0.members != nil }
    for index in result.indices {
      let entry = result[index]
      if entry["matches"] == nil, entry["extension_ids"] == nil {
        result[index]["matches"] = everywhere
      }
      guard let matches = entry["matches"]?.texts else { continue }
      // Chromium refuses the extension if a pattern has a path.
      let hosts = matches.map(Self.withoutPath)
      guard hosts != matches else { continue }
      result[index]["matches"] = .strings(hosts)
      note(
        .changed,
        "web-accessible",
        at: entry.offset(of: "matches"),
        "the paths of matches are left out; Chromium takes hosts alone here"
      )
    }
    if !plain.isEmpty {
      result.append(.object([("resources", .strings(plain)), ("matches", everywhere)]))
    }
    manifest["web_accessible_resources"] = ManifestValue(.array(result))
  }

  private static func withoutPath(_ pattern: String) -> String {
    guard let scheme = pattern.firstRange(of: "://"),
      let slash = pattern[scheme.upperBound...].firstIndex(of: "/")
    else { return pattern }
    return pattern[..<slash] + "/*"
  }

  // MARK: Content security policy

  private static let scriptDirectives: Set<Substring> = [
    "script-src", "script-src-elem", "worker-src", "object-src", "default-src",
  ]
  private static let chromiumSources: Set<Substring> = ["'self'", "'none'", "'wasm-unsafe-eval'"]

  mutating func translateContentSecurityPolicy() {
    guard browser == .chromium, let policy = original["content_security_policy"] else { return }
    if let text = policy.text {
      let checked = checkedPolicy(text, at: policy.offset)
      manifest["content_security_policy"] = .object([("extension_pages", .string(checked))])
    } else if let text = policy["extension_pages"]?.text {
      let checked = checkedPolicy(text, at: policy["extension_pages"]?.offset)
      var result = policy
      result["extension_pages"] = .string(checked)
      manifest["content_security_policy"] = result
    }
  }

  /// Removes the sources that make Chromium refuse the extension.
  private mutating func checkedPolicy(_ text: String, at offset: Int?) -> String {
    let directives = text.split(separator: ";").map { directive in
      let words = directive.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
      guard let name = words.first, Self.scriptDirectives.contains(name) else {
        return words.joined(separator: " ")
      }
      let kept = words.dropFirst().filter { source in
        guard !Self.chromiumSources.contains(source) else { return true }
        note(
          .missing,
          "content-security-policy",
          at: offset,
          "Chromium lets no extension have \(source) in \(name); it is left out"
        )
        return false
      }
      return ([name] + (kept.isEmpty ? ["'self'"] : kept)).joined(separator: " ")
    }
    return directives.filter { !$0.isEmpty }.joined(separator: "; ")
  }
}
