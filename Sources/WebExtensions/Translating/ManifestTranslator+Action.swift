extension ManifestTranslator {
  /// The kinds of images that Chromium shows as icons.
  private static let chromiumImages: Set<String> = ["png", "bmp", "gif", "ico", "jpg", "jpeg"]

  mutating func translateIcons() {
    guard let icons = original["icons"] else { return }
    manifest["icons"] = checkedIcons(icons, "icons")
  }

  /// Returns the icons that the browser shows, of a path or of paths by their size; `nil` if none is
  /// left.
  private mutating func checkedIcons(_ icons: ManifestValue, _ key: String) -> ManifestValue? {
    guard let members = icons.members else { return checkedIcon(icons, key) }
    let kept = members.compactMap { member -> ManifestValue.Member? in
      guard let size = Int(member.key), size > 0 else {
        note(
          .missing,
          "icon-size",
          at: member.offset,
          "\(key) has the size \(member.key), which is no number; this icon is left out"
        )
        return nil
      }
      guard let icon = checkedIcon(member.value, key) else { return nil }
      return ManifestValue.Member(key: member.key, offset: member.offset, value: icon)
    }
    return kept.isEmpty ? nil : ManifestValue(.object(kept), offset: icons.offset)
  }

  private mutating func checkedIcon(_ icon: ManifestValue, _ key: String) -> ManifestValue? {
    guard let path = file(icon) else { return nil }
    let kind = ExtensionPath.kind(path)
    guard isIcon(path) else {
      note(
        .missing,
        kind == "svg" ? "svg-icon" : "icon-kind",
        at: icon.offset,
        "\(browser.title) shows no \(kind) as an icon; \(path) is left out of \(key)"
          + (kind == "svg" ? ", a PNG beside it would be shown" : "")
      )
      return nil
    }
    return ManifestValue(.string(path), offset: icon.offset)
  }

  /// Whether the browser shows an image as an icon.
  func isIcon(_ path: String) -> Bool {
    let kind = ExtensionPath.kind(path)
    return Self.chromiumImages.contains(kind)
      || browser == .firefox && ["svg", "webp"].contains(kind)
  }

  /// Writes the toolbar's button under the key of the manifest's version.
  mutating func translateAction() {
    let keys = ["action", "browser_action", "page_action"]
    for key in keys {
      guard let action = original[key] else { continue }
      manifest[key] = checkedAction(action, key)
    }
    let key = targetVersion == 3 ? "action" : "browser_action"
    let others = keys.filter { other in
      // Firefox has page actions in both versions.
      other != key && !(browser == .firefox && other == "page_action")
    }
    for other in others {
      guard let action = manifest[other] else { continue }
      manifest[other] = nil
      if manifest[key] == nil {
        manifest[key] = action
        note(
          .changed,
          "action",
          at: original.offset(of: other),
          "\(other) becomes \(key), as version \(targetVersion) of manifests has it"
        )
      } else {
        note(
          .missing,
          "action",
          at: original.offset(of: other),
          "\(other) is left out, because \(key) is there too"
        )
      }
    }
  }

  private mutating func checkedAction(
    _ action: ManifestValue,
    _ key: String
  ) -> ManifestValue {
    var result = action
    if let icon = action["default_icon"] {
      result["default_icon"] = checkedIcons(icon, "\(key).default_icon")
    }
    if let popUp = action["default_popup"], popUp.text?.isEmpty == false {
      result["default_popup"] = file(popUp).map { .string($0) }
    }
    if targetVersion == 3, action["browser_style"] != nil {
      result["browser_style"] = nil
      note(
        .changed,
        "browser-style",
        at: action.offset(of: "browser_style"),
        "\(key).browser_style is left out; version 3 of manifests does not have it"
      )
    }
    return result
  }

  mutating func translateOptions() {
    if let page = original["options_page"] {
      manifest["options_page"] = file(page).map { .string($0) }
    }
    guard let options = original["options_ui"], options.members != nil else { return }
    var result = options
    result["page"] = options["page"].flatMap { file($0) }.map { .string($0) }
    for style in ["browser_style", "chrome_style"] where options[style] != nil {
      guard targetVersion == 3 || style == "chrome_style" else { continue }
      result[style] = nil
      note(
        .changed,
        "browser-style",
        at: options.offset(of: style),
        "options_ui.\(style) is left out; \(browser.title) does not have it any more"
      )
    }
    manifest["options_ui"] = result["page"] == nil ? nil : result
    if let devtools = original["devtools_page"] {
      manifest["devtools_page"] = file(devtools).map { .string($0) }
    }
  }
}
