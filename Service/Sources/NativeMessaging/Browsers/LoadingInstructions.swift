public import Foundation

/// Instructions for loading the extension into a browser.
public enum LoadingInstructions {
  /// Returns the folder of the built extension that was installed with a program.
  ///
  /// - Returns: `PREFIX/share/tickbird/extension-FAMILY` for a program in `PREFIX/bin`, where
  ///   `Scripts/install` puts it; `nil` if it does not exist.
  public static func extensionFolder(near program: URL, family: BrowserFamily) -> URL? {
    let folder = extensionPlace(near: program, family: family)
    let manifest = folder.appending(path: "manifest.json")
    return FileManager.default.fileExists(atPath: manifest.path) ? folder : nil
  }

  /// Returns where the built extension is, if one was installed with a program.
  public static func extensionPlace(near program: URL, family: BrowserFamily) -> URL {
    let prefix = program.deletingLastPathComponent().deletingLastPathComponent()
    return prefix.appending(
      path: "share/tickbird/extension-\(family.rawValue)",
      directoryHint: .isDirectory
    )
  }

  /// Returns the steps for a browser, one a line.
  public static func steps(_ browser: Browser, extensionFolder: URL?) -> [String] {
    let family = browser.family.rawValue
    let place = extensionFolder?.path ?? "the folder that Scripts/build-web-extension makes"
    let building =
      extensionFolder == nil ? ["In the sources: Scripts/build-web-extension \(family) FOLDER"] : []
    switch browser.family {
    case .chromium:
      return building + [
        "To try it out: open \(browser.extensionsPage), turn on “Developer mode”, choose “Load "
          + "unpacked”, then \(place). Its id is \(BrowserIdentity.chromiumID).",
        "For good, and so that it may block: tickbird browser package \(browser.rawValue)",
      ]
    case .firefox:
      return building + [
        "Until Firefox ends: open \(browser.extensionsPage), choose “Load Temporary Add-on…”, then "
          + "manifest.json in \(place).",
        "For good: tickbird browser package firefox",
      ]
    }
  }
}
