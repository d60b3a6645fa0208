public import Foundation
public import NativeMessaging

/// A browser of this machine, and how far setup reaches it.
public struct FoundBrowser: Equatable, Sendable {
  /// Which browser.
  public let browser: Browser
  /// Its program in the system; nil if it is only known by its profile.
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
  ///   - root: The system.
  /// - Returns: Those that are there.
  public static func all(_ places: BrowserPlaces, root: SystemRoot = .running) -> [FoundBrowser] {
    Browser.allCases.compactMap { browser in
      let folders = ["/usr/bin", "/usr/local/bin"].map { URL(filePath: $0) }
      let programs = (root.isRunning ? places.programs : []) + folders
      let candidates = browser.programNames.flatMap { name in
        programs.map { $0.appending(path: name) }
      }.filter { root.has($0.path, executable: true) }
      let free = candidates.filter { !isSnap($0, root) }
      let isESR =
        browser == .firefox
        && (free.contains { $0.lastPathComponent == "firefox-esr" }
          || root.has("/usr/lib/firefox-esr"))
      let isFlatpak = browser.flatpakNames.contains { root.has("/var/lib/flatpak/app/\($0)") }
      if let program = free.first {
        return FoundBrowser(browser: browser, program: program, isESR: isESR, isConfined: false)
      }
      if !candidates.isEmpty || isFlatpak || places.isConfined(browser) {
        return FoundBrowser(browser: browser, program: nil, isESR: false, isConfined: true)
      }
      // A profile without a program that is found: it may be started from anywhere.
      return root.isRunning && places.has(browser)
        ? FoundBrowser(browser: browser, program: nil, isESR: isESR, isConfined: false) : nil
    }
  }

  private static func isSnap(_ program: URL, _ root: SystemRoot) -> Bool {
    let real = root.isRunning ? nil : try? root.path(of: root.real(program.path))
    let place = real ?? program.resolvingSymlinksInPath().path
    return program.path.hasPrefix("/snap/") || place.hasPrefix("/snap/") || place.hasSuffix("/snap")
  }
}
