extension ManifestTranslator {
  /// Sets the ids, whatever the extension claims to be.
  mutating func translateIdentity() {
    for key in ["key", "update_url", "applications"] where original[key] != nil {
      note(
        .changed,
        "identity",
        at: original.offset(of: key),
        "\(key) is left out: who an extension is, and where its updates come from, is said by "
          + "Tickbird"
      )
      manifest[key] = nil
    }
    if let settings = original["browser_specific_settings"] {
      for member in settings.members ?? [] {
        let reason =
          switch member.key {
          case "safari": "it is about versions of Safari"
          case "gecko", "gecko_android": "the extension gets an id of its own here"
          default: "it is about another browser"
          }
        note(
          .changed,
          "browser-specific",
          at: member.offset,
          "browser_specific_settings.\(member.key) is left out: \(reason)"
        )
      }
    }
    switch browser {
    case .chromium:
      manifest["browser_specific_settings"] = nil
      manifest["key"] = .string(identity.chromiumKey)
    case .firefox:
      var members = [("id", ManifestValue.string(identity.geckoID))]
      // What the extension collects is its author's word alone; Firefox takes it from nowhere else.
      let key = "data_collection_permissions"
      if let collected = original["browser_specific_settings"]?["gecko"]?[key] {
        members.append((key, collected))
      }
      let gecko = ManifestValue.object(members)
      manifest["browser_specific_settings"] = .object([("gecko", gecko)])
    }
  }

  /// Sets a version that is written elsewhere than in a manifest.
  mutating func setVersion(_ version: String) {
    original["version"] = .string(version)
    manifest["version"] = .string(version)
    translateVersion()
  }

  /// Writes the version as browsers take it: one to four numbers.
  mutating func translateVersion() {
    let written = original["version"]?.text ?? ""
    let parts = written.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      .split(separator: ".")
    var numbers: [String] = []
    let kept = parts.prefix(Self.mostNumbers)
    for (index, part) in kept.enumerated() {
      let others = kept.count - index - 1
      numbers += Self.numbers(Int(part) ?? .max, atMost: Self.mostNumbers - numbers.count - others)
    }
    if numbers.isEmpty || numbers.allSatisfy({ $0 == "0" }) { numbers = ["0", "0", "1"] }
    let version = numbers.joined(separator: ".")
    guard version != written else { return }
    manifest["version"] = .string(version)
    if browser == .chromium, manifest["version_name"] == nil {
      manifest["version_name"] = .string(written)
    }
    note(
      .changed,
      "version",
      at: original.offset(of: "version"),
      "the version \(written) becomes \(version): browsers take one to four numbers up to 65535"
    )
  }

  /// The most numbers of a version.
  private static let mostNumbers = 4
  /// The largest number of a version, which has two bytes in Chromium.
  private static let largestNumber = 65_535

  /// Writes a number of a version, without leading zeros, which browsers refuse.
  ///
  /// What goes beyond the largest number follows it in numbers of its own where there is room, so that
  /// later versions stay later.
  private static func numbers(_ number: Int, atMost room: Int) -> [String] {
    guard number > largestNumber else { return [String(number)] }
    let base = largestNumber + 1
    var rest = number - largestNumber
    // As many as there is room for, so that the same places of two versions mean the same.
    var digits: [Int] = []
    for _ in 1..<max(1, room) {
      digits.insert(rest % base, at: 0)
      rest /= base
    }
    // Too large even so: all such numbers are the same to browsers.
    if rest > 0 { digits = digits.map { _ in largestNumber } }
    return ([largestNumber] + digits).map(String.init)
  }

  /// Brings translations into the form that browsers take.
  mutating func translateLocales() throws(WebExtensionError) {
    var locales: [String] = []
    for path in source.paths where !leftOut.contains(path) {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "_locales", parts[2] == "messages.json" else { continue }
      guard try areMessages(path) else { continue }
      let locale = String(parts[1].map { $0 == "-" ? "_" : $0 })
      if locale != parts[1] {
        let new = "_locales/\(locale)/messages.json"
        guard !source.has(new) else {
          leftOut.insert(path)
          note(.missing, "locale", in: path, "\(locale) is there too; this one is left out")
          continue
        }
        moved[path] = new
        note(.changed, "locale", in: path, "the folder becomes \(locale), as browsers name it")
      }
      locales.append(locale)
    }
    translateDefaultLocale(locales)
  }

  /// Whether a file has messages; browsers refuse the whole extension for one that has not.
  private mutating func areMessages(_ path: String) throws(WebExtensionError) -> Bool {
    let limit = 8 << 20
    do throws(WebExtensionError) {
      guard let bytes = try source.contents(path, limit: limit) else {
        throw WebExtensionError(.limit, "it has more than \(limit) bytes")
      }
      let messages = try ManifestReader.read(bytes, name: path, sizeLimit: limit)
      guard let members = messages.members else {
        throw WebExtensionError(.manifest, "\(path) is not an object")
      }
      if let bad = members.first(where: { $0.value["message"]?.text == nil }) {
        let line = bad.offset.map { LineTable(bytes).line(of: $0) } ?? 1
        throw WebExtensionError(.manifest, "\(path):\(line): \(bad.key) has no message")
      }
      return true
    } catch {
      guard error.code != .file else { throw error }
      leftOut.insert(path)
      note(.missing, "locale", in: path, "the translation is left out: \(error.message)")
      return false
    }
  }

  private mutating func translateDefaultLocale(_ locales: [String]) {
    let written = original["default_locale"]
    let offset = original.offset(of: "default_locale")
    let wanted = written?.text.map { String($0.map { $0 == "-" ? "_" : $0 }) }
    if let wanted, locales.contains(wanted) {
      manifest["default_locale"] = .string(wanted)
      return
    }
    guard let first = locales.contains("en") ? "en" : locales.first else {
      guard written != nil else { return }
      manifest["default_locale"] = nil
      note(
        .missing,
        "locale",
        at: offset,
        "default_locale is left out: there is no translation below _locales"
      )
      return
    }
    manifest["default_locale"] = .string(first)
    note(
      .changed,
      "locale",
      at: offset,
      written == nil
        ? "there are translations, so the default_locale is \(first)"
        : "the default_locale becomes \(first), since \(wanted ?? "what it names") is not there"
    )
  }
}
