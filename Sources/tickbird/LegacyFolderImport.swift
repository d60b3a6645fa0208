internal import CommandArguments
internal import CommandOutput
internal import DurableFiles
internal import ExtensionBundles
internal import Foundation
internal import TextOutput
internal import WebExtensions

/// Imports a folder `NAME.safariextension`.
struct LegacyFolderImport {
  /// The folder, or a `.safariextz`.
  let path: String
  /// The bundle to write; `nil` for `NAME.appex` in the current folder.
  let output: String?
  let isReplacing: Bool
  let isDryRun: Bool

  /// Returns whether a path is for this, and not for an Xcode project.
  static func isMeant(_ path: String) -> Bool {
    ["safariextension", "safariextz"].contains(
      URL(fileURLWithPath: path).pathExtension.lowercased()
    )
  }

  /// Imports it.
  ///
  /// - Throws: ``BundleError``; ``ExitStatus/refused`` if something was left out.
  func run() throws {
    let file = try GivenPath.url(path).standardizedFileURL
    guard file.pathExtension.lowercased() == SafariExtensionFolder.pathExtension else {
      throw BundleError(
        .file,
        "\(file.path) is a signed archive, which is not read; unpack it (bsdtar -xf, or xar -xf) and "
          + "import the folder NAME.safariextension in it"
      )
    }
    let bundle =
      try output.map { try GivenPath.url($0).standardizedFileURL }
      ?? GivenPath.folder(".").standardizedFileURL
      .appending(path: "\(file.deletingPathExtension().lastPathComponent).appex")
    let folder = try SafariExtensionFolder(at: file)
    if !isDryRun { try folder.write(to: bundle, replacing: isReplacing) }
    var isComplete = true
    for finding in folder.findings {
      isComplete = false
      ConsoleMessage.warning(finding)
    }
    for browser in TargetBrowser.allCases {
      for note in try notes(folder, browser) {
        let line = "\(browser.title): \(note.text)"
        switch note.severity {
        case .missing:
          isComplete = false
          ConsoleMessage.warning(line)
        case .changed: ConsoleMessage.plain("tickbird: note: \(Shown.line(line))")
        }
      }
    }
    ConsoleMessage.plain(
      "tickbird: \(Shown.line("\(folder.name), \(folder.identifier)")): \(folder.files.count) files; "
        + (isComplete ? "everything was taken" : "see above for what is not taken")
    )
    if !isDryRun {
      ConsoleMessage.plain(
        "tickbird: install it with: tickbird extensions install --on NAME.appex; then: tickbird browser add "
          + Shown.line(folder.identifier)
      )
      StandardOutput.line("\(path: bundle.path)")
    }
    if !isComplete { throw ExitStatus.refused }
  }

  private func notes(
    _ folder: SafariExtensionFolder,
    _ browser: TargetBrowser
  ) throws -> [TranslationNote] {
    do throws(WebExtensionError) {
      var sizes = folder.files
      sizes["Info.plist"] = nil
      let root = folder.location
      let source = try WebExtensionSource(sizes: sizes) { path, count throws(WebExtensionError) in
        try Self.read(root.appending(path: path), count)
      }
      let identity = ExtensionTranslation.Identity(chromiumKey: "", geckoID: "", hostName: "")
      return try ExtensionTranslation(
        legacy: source,
        information: try Self.read(root.appending(path: "Info.plist"), 1 << 20),
        for: browser,
        as: identity
      )
      .notes
    } catch {
      throw BundleError(.propertyList, error.message)
    }
  }

  private static func read(_ file: URL, _ count: Int) throws(WebExtensionError) -> [UInt8] {
    do throws(FileFailure) {
      return try DurableFile.beginning(of: file.path, count)
    } catch {
      throw WebExtensionError(.file, "\(file.path) cannot be read: \(error.reason)")
    }
  }
}
