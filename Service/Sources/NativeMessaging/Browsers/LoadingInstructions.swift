public import Foundation

/// How a person loads the extension into a browser.
public enum LoadingInstructions {
  /// The folder of the extension, beside the sources that a program was built of.
  ///
  /// - Returns: `nil` unless a folder above the program has `BrowserExtension/WebExtension`.
  public static func extensionFolder(near program: URL) -> URL? {
    var folder = program.deletingLastPathComponent()
    while folder.path != "/", !folder.path.isEmpty {
      let place = folder.appending(path: "BrowserExtension/WebExtension")
      if FileManager.default.fileExists(atPath: place.path) { return place }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// The steps for a browser, a line each.
  public static func steps(_ browser: Browser, extensionFolder: URL?) -> [String] {
    let place = extensionFolder?.path ?? "the folder BrowserExtension/WebExtension of the sources"
    switch browser.family {
    case .chromium:
      return [
        "Open \(browser.extensionsPage) and turn on “Developer mode”.",
        "Choose “Load unpacked”, then \(place).",
        "Its id is \(BrowserIdentity.chromiumID).",
      ]
    case .firefox:
      return [
        "Until Firefox ends: open \(browser.extensionsPage), choose “Load Temporary Add-on…”, then "
          + "manifest.json in \(place).",
        "For good, in Debian's Firefox ESR, as root: copy the folder to "
          + "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/"
          + "\(BrowserIdentity.geckoID)",
      ]
    }
  }
}
