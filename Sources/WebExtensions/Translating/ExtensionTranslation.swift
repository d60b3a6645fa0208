/// A web extension written for Safari, as a browser takes it.
///
/// Nothing of the extension is run. Everything that the browser lacks, and everything that was
/// changed, is in ``notes``.
public struct ExtensionTranslation {
  /// Who the extension is in the browser; chosen by whoever installs it, never by the extension.
  public struct Identity: Equatable, Sendable {
    /// The public key in base64, from which Chromium derives the id.
    public var chromiumKey: String
    /// The id in Firefox.
    public var geckoID: String
    /// The name of the native messaging host that answers for the extension's handler.
    public var hostName: String

    /// Creates an identity.
    public init(chromiumKey: String, geckoID: String, hostName: String) {
      self.chromiumKey = chromiumKey
      self.geckoID = geckoID
      self.hostName = hostName
    }
  }

  /// A file of the translation.
  public struct File: Equatable, Sendable {
    /// The source of its contents.
    public enum Contents: Equatable, Sendable {
      /// They are generated, or changed.
      case made([UInt8])
      /// They are those of the extension's file of this path.
      case copied(String)
    }

    /// Its path.
    public let path: String
    /// Its contents.
    public let contents: Contents
  }

  /// The files, ordered by their paths.
  public let files: [File]
  /// What is missing or different, in the order of files and lines; what is missing first.
  public let notes: [TranslationNote]
  /// The extension's name; a reference to a message where it has translations.
  public let name: String
  /// The version as browsers take it.
  public let version: String
  /// What it may do in the browser.
  public let requests: WebExtensionRequests
  /// Whether the extension asks for its native handler.
  public let hasNativeMessaging: Bool

  init(
    files: [File],
    notes: [TranslationNote],
    name: String,
    version: String,
    hasNativeMessaging: Bool,
    requests: WebExtensionRequests
  ) {
    self.files = files
    self.notes = notes
    self.name = name
    self.version = version
    self.hasNativeMessaging = hasNativeMessaging
    self.requests = requests
  }

  /// Translates an extension.
  ///
  /// - Throws: ``WebExtensionError``: `.file` without a manifest or if a file cannot be read,
  ///   `.syntax` or `.manifest` if the manifest cannot be understood, `.limit`.
  /// - Complexity: O(*n*) in the bytes of its scripts, pages and manifests.
  public init(
    _ source: WebExtensionSource,
    for browser: TargetBrowser,
    as identity: Identity
  ) throws(WebExtensionError) {
    var translator = try ManifestTranslator(source, browser, identity)
    try translator.translate()
    files = translator.files()
    notes = translator.sortedNotes
    name = translator.original["name"]?.text ?? ""
    version = translator.manifest["version"]?.text ?? ""
    hasNativeMessaging = translator.hasNativeMessaging
    requests = WebExtensionRequests(translator.manifest)
  }
}
