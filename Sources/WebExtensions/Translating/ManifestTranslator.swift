/// Translates a manifest, key by key, with the files that follow from it.
///
/// Each subject is an extension in a file of its own.
struct ManifestTranslator {
  let source: WebExtensionSource
  let browser: TargetBrowser
  let identity: ExtensionTranslation.Identity
  let text: [UInt8]
  /// The name of the file that notes are about, if they name no other.
  let name: String
  var original: ManifestValue
  /// The version of the original: 2 or 3.
  let manifestVersion: Int
  /// The manifest as far as it is translated.
  var manifest: ManifestValue
  /// The path of the prelude in the translation.
  let preludePath: String
  /// Generated files, by path.
  var made: [String: [UInt8]] = [:]
  /// Other paths in the translation, by path.
  var moved: [String: String] = [:]
  /// Paths of the source that are left out.
  var leftOut: Set<String> = []
  /// The scripts of the background, in their order.
  var backgroundScripts: [String] = []
  /// What an event page in Firefox has already of what its worker imports, as it is written there;
  /// `nil` for anything else.
  var importedScripts: [String]?
  /// What each script uses.
  var uses: [String: ScriptUses] = [:]
  /// The lines of each script.
  var lines: [String: LineTable] = [:]
  private var notes: [TranslationNote] = []
  private static let noteLimit = 2_000

  init(
    _ source: WebExtensionSource,
    _ browser: TargetBrowser,
    _ identity: ExtensionTranslation.Identity
  ) throws(WebExtensionError) {
    let name = WebExtensionSource.manifestName
    guard source.has(name) else {
      throw WebExtensionError(
        .file,
        "there is no \(name) beside the handler; a web extension has it at the top of its resources"
      )
    }
    guard let text = try source.contents(name, limit: ManifestReader.sizeLimit) else {
      throw WebExtensionError(
        .limit,
        "\(name) has more than the \(ManifestReader.sizeLimit) bytes that are read"
      )
    }
    self.source = source
    self.browser = browser
    self.identity = identity
    self.text = text
    self.name = name
    let checked = try CheckedManifest(text)
    original = checked.value
    manifest = checked.value
    manifestVersion = checked.version
    preludePath = Self.freePath("tickbird-prelude.js", in: source)
  }

  /// Begins with nothing, for an extension that has another kind of manifest.
  init(
    legacy source: WebExtensionSource,
    _ browser: TargetBrowser,
    _ identity: ExtensionTranslation.Identity,
    name: String
  ) {
    self.source = source
    self.browser = browser
    self.identity = identity
    self.name = name
    text = []
    manifestVersion = browser == .chromium ? 3 : 2
    original = .object([])
    manifest = .object([
      ("manifest_version", ManifestValue(.number(String(manifestVersion)))),
      ("name", .string("")), ("version", .string("")),
    ])
    preludePath = Self.freePath("tickbird-safari.js", in: source)
  }

  /// The manifest version of the translation.
  var targetVersion: Int { browser == .chromium ? 3 : manifestVersion }

  var hasNativeMessaging: Bool {
    ["permissions", "optional_permissions"].contains { key in
      manifest[key]?.texts.contains("nativeMessaging") ?? false
    }
  }

  mutating func translate() throws(WebExtensionError) {
    try chooseFiles()
    manifest["manifest_version"] = ManifestValue(.number(String(targetVersion)))
    translateIdentity()
    translateVersion()
    try translateLocales()
    try readScripts()
    translateIcons()
    translateAction()
    try translateBackground()
    translateContentScripts()
    translatePermissions()
    translateWebAccessibleResources()
    translateContentSecurityPolicy()
    translateOptions()
    translateCommands()
    removeUnknownKeys()
    try translateRules()
    try translatePages()
    addPrelude()
    reportMembers()
    made[WebExtensionSource.manifestName] = manifest.json
  }

  /// The files of the translation.
  func files() -> [ExtensionTranslation.File] {
    var files: [String: ExtensionTranslation.File.Contents] = [:]
    for path in source.paths where !leftOut.contains(path) {
      files[moved[path] ?? path] = .copied(path)
    }
    for (path, bytes) in made { files[moved[path] ?? path] = .made(bytes) }
    return files.sorted { $0.key < $1.key }.map {
      ExtensionTranslation.File(path: $0.key, contents: $0.value)
    }
  }

  // MARK: Notes

  /// Notes, those about what is missing first.
  var sortedNotes: [TranslationNote] {
    var seen: Set<TranslationNote> = []
    let unique = notes.filter { seen.insert($0).inserted }
    return unique.filter { $0.severity == .missing } + unique.filter { $0.severity == .changed }
  }

  /// Notes something about the manifest.
  mutating func note(
    _ severity: TranslationNote.Severity,
    _ code: String,
    at offset: Int?,
    _ message: String
  ) {
    note(
      severity,
      code,
      in: name,
      line: offset.map { TextPlace(offset: $0, in: text).line },
      message
    )
  }

  /// Notes something about a file.
  mutating func note(
    _ severity: TranslationNote.Severity,
    _ code: String,
    in file: String,
    line: Int? = nil,
    _ message: String
  ) {
    guard notes.count < Self.noteLimit else { return }
    notes.append(
      TranslationNote(severity: severity, code: code, file: file, line: line, message: message)
    )
    if notes.count == Self.noteLimit {
      notes[Self.noteLimit - 1] = TranslationNote(
        severity: .missing,
        code: "more",
        file: file,
        line: nil,
        message: "more than \(Self.noteLimit) notes; the rest is not told"
      )
    }
  }

  // MARK: Paths

  /// Returns the file that a value names; notes one that is not there.
  mutating func file(_ value: ManifestValue, in folder: String = "") -> String? {
    guard let reference = value.text else {
      note(.missing, "not-a-path", at: value.offset, "a path was expected; it is left out")
      return nil
    }
    guard let path = ExtensionPath.resolved(reference, in: folder) else {
      note(.missing, "outside", at: value.offset, "\(reference) is no file of the extension")
      return nil
    }
    guard source.has(path) else {
      note(
        .missing,
        "missing-file",
        at: value.offset,
        "\(reference) is not there; browsers refuse such an extension, so it is left out"
      )
      return nil
    }
    guard !leftOut.contains(path) else {
      note(.missing, "missing-file", at: value.offset, "\(reference) is left out")
      return nil
    }
    return path
  }

  /// Returns a path that the extension does not have.
  static func freePath(_ wanted: String, in source: WebExtensionSource) -> String {
    let dot = wanted.lastIndex(of: ".") ?? wanted.endIndex
    var path = wanted
    var number = 1
    while source.has(path) {
      number += 1
      path = "\(wanted[..<dot])-\(number)\(wanted[dot...])"
    }
    return path
  }
}

/// A manifest with what every browser requires.
public struct CheckedManifest: Sendable {
  /// The whole manifest.
  public let value: ManifestValue
  /// The manifest's version: 2 or 3.
  public let version: Int

  /// Reads and checks a manifest.
  ///
  /// - Throws: ``WebExtensionError`` with code `.syntax`, `.limit` or `.manifest`.
  public init(_ text: [UInt8]) throws(WebExtensionError) {
    let name = WebExtensionSource.manifestName
    let value = try ManifestReader.read(text, name: name)
    guard value.members != nil else {
      throw WebExtensionError(.manifest, "\(name) is not an object")
    }
    func place(_ key: String) -> String {
      guard let offset = value.offset(of: key) else { return name }
      return "\(name):\(TextPlace(offset: offset, in: text).line)"
    }
    guard case .number(let number)? = value["manifest_version"]?.content,
      let version = Int(number), version == 2 || version == 3
    else {
      throw WebExtensionError(
        .manifest,
        "\(place("manifest_version")): the manifest_version must be 2 or 3"
      )
    }
    for key in ["name", "version"] where value[key]?.text?.isEmpty ?? true {
      throw WebExtensionError(.manifest, "\(place(key)): \(key) must be a text that is not empty")
    }
    self.value = value
    self.version = version
  }
}
