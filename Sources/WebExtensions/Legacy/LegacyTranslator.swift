internal import ExtensionBundles

/// Translates an older extension of Safari's to a browser's manifest, with the scripts that stand in for
/// Safari.
///
/// Who the extension is, its version, which files a browser gets and how pages get a script are decided
/// by ``ManifestTranslator``, as for web extensions. Each other subject is an extension in a file of its
/// own.
struct LegacyTranslator {
  /// The manifest as far as it is translated, the files and the notes.
  var base: ManifestTranslator
  /// `Info.plist`.
  let list: LegacyList
  var legacy: LegacyExtension
  /// The path of the script that pages have before their own.
  var pageScript: String { base.preludePath }
  /// Pages that the browser's manifest cannot say, which a script tests by their index.
  var guards: [SafariPages] = []
  /// How often a line was looked for.
  private var lookups = 0
  private static let lookupLimit = 500
  /// Other names of the labels, by language.
  var messages: [String: [String: String]] = [:]

  init(
    _ source: WebExtensionSource,
    _ information: [UInt8],
    _ browser: TargetBrowser,
    _ identity: ExtensionTranslation.Identity
  ) throws(WebExtensionError) {
    list = try LegacyList(information, name: "Info.plist")
    guard list.root.dictionary != nil else {
      throw WebExtensionError(.manifest, "Info.plist is not a dictionary")
    }
    let isApp = list.root["NSExtension"]?.dictionary != nil
    legacy = LegacyExtension(kind: isApp ? .app : .folder)
    base = ManifestTranslator(legacy: source, browser, identity, name: list.name)
  }

  mutating func translate() throws(WebExtensionError) {
    try base.chooseFiles()
    readIdentity()
    switch legacy.kind {
    case .app: try readApp()
    case .folder: try readFolder()
    }
    writeIdentity()
    writeScripts()
    writeToolbar()
    try writePages()
    writeBackground()
    writePermissions()
    writeMessages()
    base.made[WebExtensionSource.manifestName] = base.manifest.json
    if base.source.has(WebExtensionSource.manifestName) {
      note(
        .changed,
        "manifest",
        at: nil,
        "the folder's own \(WebExtensionSource.manifestName) is not used; Info.plist counts"
      )
    }
  }

  // MARK: Notes and reading

  /// Notes something about `Info.plist`, at the line of a text in it.
  mutating func note(
    _ severity: TranslationNote.Severity,
    _ code: String,
    at word: String?,
    _ message: String
  ) {
    // Each look-up reads the whole list, and a list may have thousands of faults.
    lookups += 1
    let line = lookups <= Self.lookupLimit ? word.flatMap { list.line(of: $0) } : nil
    base.note(severity, code, in: list.name, line: line, message)
  }

  /// Returns a text; notes a value of another type.
  mutating func text(_ value: PropertyListValue?, _ key: String) -> String? {
    guard let value else { return nil }
    if let text = value.string { return text.isEmpty ? nil : text }
    if let number = value.wholeNumber { return String(number) }
    if case .real(let number) = value { return "\(number)" }
    note(.missing, "type", at: key, "\(key) is not a text; it is left out")
    return nil
  }

  /// Returns the elements of an array; notes a value of another type.
  mutating func elements(_ value: PropertyListValue?, _ key: String) -> [PropertyListValue] {
    guard let value else { return [] }
    guard let array = value.array else {
      note(.missing, "type", at: key, "\(key) is not an array; it is left out")
      return []
    }
    guard array.count <= Self.elementLimit else {
      note(
        .missing,
        "limit",
        at: key,
        "\(key) has \(array.count) elements; more than \(Self.elementLimit) are not taken"
      )
      return Array(array.prefix(Self.elementLimit))
    }
    return array
  }

  private static let elementLimit = 5_000

  /// Returns the texts of an array; notes elements of another type.
  mutating func texts(_ value: PropertyListValue?, _ key: String) -> [String] {
    elements(value, key).compactMap { text($0, key) }
  }

  /// Returns the dictionaries of an array; notes elements of another type.
  mutating func dictionaries(
    _ value: PropertyListValue?,
    _ key: String
  ) -> [PropertyListValue] {
    elements(value, key).filter { element in
      guard element.dictionary == nil else { return true }
      note(
        .missing,
        "type",
        at: key,
        "\(key) has an element that is not a dictionary; it is left out"
      )
      return false
    }
  }

  /// Returns a dictionary; notes a value of another type.
  mutating func section(_ value: PropertyListValue?, _ key: String) -> PropertyListValue? {
    guard let value, value.dictionary == nil else { return value }
    note(.missing, "type", at: key, "\(key) is not a dictionary; it is left out")
    return nil
  }

  /// Notes that an element of a list lacks a key that it needs.
  mutating func noteAbsent(_ key: String, in entry: PropertyListValue, of list: String) {
    guard entry[key] == nil else { return }
    note(.missing, "key", at: list, "an element of \(list) has no \(key); it is left out")
  }

  /// Returns the extension's file that a text names; notes one that is not there.
  mutating func file(_ reference: String, _ key: String) -> String? {
    guard let path = ExtensionPath.resolved(reference) else {
      note(.missing, "outside", at: reference, "\(key): \(reference) is no file of the extension")
      return nil
    }
    guard base.source.has(path), !base.leftOut.contains(path) else {
      note(
        .missing,
        "missing-file",
        at: reference,
        "\(key): \(reference) is not there; it is left out"
      )
      return nil
    }
    return path
  }

  // MARK: Pages

  /// Returns the patterns of a list; `nil` if the list is absent.
  ///
  /// What is no pattern is noted, and names no page.
  mutating func patterns(_ value: PropertyListValue?, _ key: String) -> [SafariPattern]? {
    guard value != nil else { return nil }
    return texts(value, key).compactMap { text in
      if let pattern = SafariPattern(text) { return pattern }
      note(
        .missing,
        "pattern",
        at: text,
        "\(key): \(text) is no pattern of web pages, scheme://domain/path; it names none here"
      )
      return nil
    }
  }

  /// Returns the pages of two lists; an empty list of allowed pages allows all, as in Safari.
  mutating func pages(
    allowed: PropertyListValue?,
    _ allowedKey: String,
    excluded: PropertyListValue?,
    _ excludedKey: String
  ) -> SafariPages {
    let written = allowed?.array ?? []
    return SafariPages(
      allowed: written.isEmpty && allowed?.array != nil ? nil : patterns(allowed, allowedKey),
      excluded: patterns(excluded, excludedKey) ?? []
    )
  }

  /// Reads website access.
  mutating func readAccess(_ value: PropertyListValue?, schemes: [String]) {
    guard let value else { return }
    switch text(value["Level"], "Level")?.lowercased() {
    case "all": legacy.access = SafariAccess(schemes: schemes, domains: nil)
    case "some":
      let key = "Allowed Domains"
      let domains = texts(value[key], key).filter { domain in
        guard SafariPattern(domain: domain, schemes: schemes) == nil else { return true }
        note(.missing, "domain", at: domain, "\(key): \(domain) is no domain; it allows nothing")
        return false
      }
      legacy.access = SafariAccess(schemes: schemes, domains: domains)
    case "none", nil: legacy.access = .none
    case let level?:
      note(
        .missing,
        "access",
        at: level,
        "Level: \(level) is not known; the extension may see no page"
      )
    }
  }
}
