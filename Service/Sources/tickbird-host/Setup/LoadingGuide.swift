internal import BrowserPackages
internal import BrowserSetup
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import TextOutput

/// The steps that a browser leaves to its user, in words and as a page with pictures.
struct LoadingGuide {
  private let parts: [(browser: Browser, folder: URL)]

  /// Finds out which browsers need it.
  ///
  /// - Parameters:
  ///   - found: The browsers.
  ///   - sources: The built extensions.
  ///   - isInstalled: Whether root has installed the extension where that is possible.
  init(found: [FoundBrowser], sources: [ExtensionFolder], isInstalled: Bool) {
    parts = found.filter { !(isInstalled && $0.takesSystemExtension) }.compactMap { found in
      sources.first { found.browser.family.isOf($0.family) }.map { (found.browser, $0.url) }
    }
  }

  /// Where the page is.
  static var file: URL { ServiceFolders().data.appending(path: "browser/by-hand.html") }

  /// Whether every browser has the extension without it.
  var isEmpty: Bool { parts.isEmpty }

  /// The steps in words.
  var lines: [OutputText] {
    parts.map { browser, folder in
      switch browser.family {
      case .chromium:
        """
        \(browser.title): open \(browser.extensionsPage), turn on “Developer mode”, press “Load unpacked”, \
        choose \(path: folder.path)
        """
      case .firefox:
        """
        \(browser.title), until it ends: open \(browser.extensionsPage), press “Load Temporary Add-on…”, \
        choose \(path: folder.appending(path: "manifest.json").path)
        """
      }
    }
  }

  /// The page.
  var page: Data {
    let sections = parts.map { browser, folder in
      let template =
        browser.family == .chromium
        ? PackageResources.by_hand_chromium_html : PackageResources.by_hand_firefox_html
      let values = [
        "title": browser.title, "page": browser.extensionsPage, "folder": folder.path,
        "name": folder.lastPathComponent,
      ]
      return values.reduce(String(decoding: template, as: UTF8.self)) { text, value in
        text.replacing("{{\(value.key)}}", with: Self.escaped(value.value))
      }
    }
    let frame = String(decoding: PackageResources.by_hand_html, as: UTF8.self)
    return Data(frame.replacing("{{parts}}", with: sections.joined()).utf8)
  }

  /// A path may have anything in its name; braces are escaped so that it names no other value.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
      .replacing("{", with: "&#123;")
  }
}
