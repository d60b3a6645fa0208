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
}
