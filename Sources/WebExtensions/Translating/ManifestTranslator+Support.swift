extension ManifestTranslator {
  /// Keys whose translation has a place of its own.
  private static let translatedKeys: Set<String> = [
    "action", "applications", "background", "browser_action", "browser_specific_settings",
    "commands", "content_security_policy", "icons", "manifest_version", "optional_permissions",
    "page_action", "permissions", "version",
  ]

  /// Removes keys that the browser lacks, of all that Safari has.
  mutating func removeUnknownKeys() {
    for member in original.members ?? [] where !Self.translatedKeys.contains(member.key) {
      guard let value = manifest[member.key] else { continue }
      manifest[member.key] = known(value, member.key, at: member.offset)
    }
  }

  /// Returns a value without the keys that the browser lacks; `nil` if it lacks the value's own.
  private mutating func known(
    _ value: ManifestValue,
    _ name: String,
    at offset: Int?
  ) -> ManifestValue? {
    guard SupportTable.has(browser, "manifest.\(name)") != false else {
      // Where it made no difference, there is nothing to tell.
      let isHarmless = name == "version_name" || name.hasSuffix("use_dynamic_url")
      note(
        isHarmless ? .changed : .missing,
        "manifest-key",
        at: offset,
        "\(browser.title) has no \(name); it is left out"
      )
      return nil
    }
    switch value.content {
    case .object(let members):
      let kept = members.compactMap { member -> ManifestValue.Member? in
        guard let value = known(member.value, "\(name).\(member.key)", at: member.offset) else {
          return nil
        }
        return ManifestValue.Member(key: member.key, offset: member.offset, value: value)
      }
      return ManifestValue(.object(kept), offset: value.offset)
    case .array(let elements):
      let kept = elements.compactMap { known($0, name, at: $0.offset ?? offset) }
      return ManifestValue(.array(kept), offset: value.offset)
    default: return value
    }
  }

  /// Notes what scripts use of Safari's interfaces that the browser lacks.
  mutating func reportMembers() {
    for path in uses.keys.sorted() {
      guard let use = uses[path] else { continue }
      for member in use.members {
        guard let (name, message) = lack(of: member.name, in: path) else { continue }
        note(
          .missing,
          name,
          in: path,
          line: lines[path]?.line(of: member.offset),
          message
        )
      }
    }
  }

  /// Returns what is missing of a chain of members, as a code and a message; `nil` for nothing.
  private func lack(of chain: String, in path: String) -> (code: String, message: String)? {
    var parts = chain.split(separator: ".")
    // The longest part that the table has decides.
    while !parts.isEmpty {
      let name = parts.joined(separator: ".")
      if let limit = limits[name] { return ("interface-limit", "\(name): \(limit)") }
      if Self.bridged[browser]?.contains(name) ?? false { return nil }
      if let isThere = SupportTable.has(browser, "api.\(name)") {
        return isThere ? nil : ("interface", "\(browser.title) has no \(name)")
      }
      parts.removeLast()
    }
    return nil
  }

  /// What the table counts as missing, and the prelude has.
  private static let bridged: [TargetBrowser: Set<String>] = [
    .chromium: [
      "browserAction.isEnabled", "i18n.getPreferredSystemLanguages", "i18n.getSystemUILanguage",
      "pageAction.openPopup",
    ],
    .firefox: ["i18n.getSystemUILanguage", "runtime.getVersion", "tabs.getSelected"],
  ]

  /// What the browser has under a name, but cannot do as Safari does.
  private var limits: [String: String] {
    guard browser == .chromium else { return [:] }
    let noPage = "Chromium's background has no page, so the answer is null"
    return [
      "extension.getBackgroundPage": noPage, "runtime.getBackgroundPage": noPage,
    ]
  }
}
