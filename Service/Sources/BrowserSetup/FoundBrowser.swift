public import Foundation
public import NativeMessaging

/// A browser of this machine, and how far setup reaches it.
public struct FoundBrowser: Equatable, Sendable {
  /// Which browser.
  public let browser: Browser
  /// Its program; nil if it is only known by its profile.
  public let program: URL?
  /// Whether it is Firefox ESR, which takes extensions without Mozilla's signature.
  public let isESR: Bool
  /// Whether it is there as a snap or a Flatpak alone, which start no program outside of their own.
  public let isConfined: Bool

  /// Whether the system can install the extension in it for all users.
  public var takesSystemExtension: Bool { !isConfined && (browser.family == .chromium || isESR) }

  /// Looks for browsers: their programs, and what a user has of them.
  ///
  /// - Parameters:
  ///   - places: The user's folders.
  ///   - root: The folder that stands for the system's.
  /// - Returns: Those that are there.
  public static func all(_ places: BrowserPlaces, root: String = "/") -> [FoundBrowser] {
    Browser.allCases.compactMap { browser in
      let folders = ["usr/bin", "usr/local/bin"].map { URL(filePath: root).appending(path: $0) }
      let programs = (root == "/" ? places.programs : []) + folders
      let candidates = browser.programNames.flatMap { name in
        programs.map { $0.appending(path: name) }
      }.filter { FileManager.default.isExecutableFile(atPath: $0.path) }
      let free = candidates.filter { !isSnap($0) }
      let isESR =
        browser == .firefox
        && (free.contains { $0.lastPathComponent == "firefox-esr" }
          || FileManager.default.fileExists(
            atPath: URL(filePath: root).appending(path: "usr/lib/firefox-esr").path
          ))
      let isFlatpak = browser.flatpakNames.contains { name in
        FileManager.default.fileExists(
          atPath: URL(filePath: root).appending(path: "var/lib/flatpak/app/\(name)").path
        )
      }
      if let program = free.first {
        return FoundBrowser(browser: browser, program: program, isESR: isESR, isConfined: false)
      }
      if !candidates.isEmpty || isFlatpak || places.isConfined(browser) {
        return FoundBrowser(browser: browser, program: nil, isESR: false, isConfined: true)
      }
      // A profile without a program that is found: it may be started from anywhere.
      return root == "/" && places.has(browser)
        ? FoundBrowser(browser: browser, program: nil, isESR: isESR, isConfined: false) : nil
    }
  }

  private static func isSnap(_ program: URL) -> Bool {
    let place = program.resolvingSymlinksInPath().path
    return program.path.hasPrefix("/snap/") || place.hasPrefix("/snap/") || place.hasSuffix("/snap")
  }
}
