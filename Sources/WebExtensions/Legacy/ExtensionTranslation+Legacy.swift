extension ExtensionTranslation {
  /// Translates an extension of Safari's before web extensions: an app extension, whose native half is
  /// reached through the identity's host, or a folder `NAME.safariextension`.
  ///
  /// - Parameters:
  ///   - source: The files beside the handler, or in the folder.
  ///   - information: The bytes of its `Info.plist`; with the key `NSExtension` it is an app extension.
  ///   - browser: The browser.
  ///   - identity: Who it is there.
  /// - Throws: ``WebExtensionError``: `.syntax` or `.manifest` if the property list cannot be
  ///   understood, `.file` if a file cannot be read, `.limit`.
  /// - Complexity: O(*n*) in the bytes of its pages and property lists.
  public init(
    legacy source: WebExtensionSource,
    information: [UInt8],
    for browser: TargetBrowser,
    as identity: Identity
  ) throws(WebExtensionError) {
    var translator = try LegacyTranslator(source, information, browser, identity)
    try translator.translate()
    self.init(
      files: translator.base.files(),
      notes: translator.base.sortedNotes,
      name: translator.legacy.name,
      version: translator.base.manifest["version"]?.text ?? "",
      hasNativeMessaging: translator.needsHost,
      requests: WebExtensionRequests(translator.base.manifest)
    )
  }
}
