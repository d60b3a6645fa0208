internal import Foundation

/// The browser on this machine: Chromium, or one that is made of it.
package enum BrowserProgram {
  /// The variable that names another program than those that are looked for.
  package static let variable = "TICKBIRD_CHROMIUM"
  private static let names = [
    "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
  ]

  /// Returns the path of the browser.
  ///
  /// - Throws: ``BrowserFailure`` that says how to get one.
  package static func path(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(BrowserFailure) -> String {
    if let named = environment[variable], !named.isEmpty {
      guard FileManager.default.isExecutableFile(atPath: named) else {
        throw BrowserFailure(
          .missingBrowser,
          "\(variable) names \(named), which is no program; set it to the path of Chromium"
        )
      }
      return named
    }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    for name in names {
      for folder in folders where folder.hasPrefix("/") {
        let path = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: path) { return path }
      }
    }
    throw BrowserFailure(
      .missingBrowser,
      "there is no Chromium on the path; install the package chromium (apt-get install chromium), "
        + "or set \(variable) to its path"
    )
  }

  /// Whether a browser can be found.
  package static var isInstalled: Bool { (try? path()) != nil }
}
