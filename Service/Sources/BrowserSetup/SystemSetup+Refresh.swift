internal import NativeMessaging

/// What an upgrade renews.
extension SystemSetup {
  /// Returns which browsers are set up for all users, by the record.
  ///
  /// - Parameter browsers: Those that are there.
  /// - Returns: Those for which a policy, a package or a manifest is recorded.
  public func browsersSetUp(of browsers: [FoundBrowser]) -> [FoundBrowser] {
    let record = changes.record
    let paths = record.files.map(\.path) + record.entries.map(\.path)
    return browsers.filter { found in
      let browser = found.browser
      let own =
        browser.family == .chromium ? browser.policyFolder : Browser.firefoxExtensions
      return paths.contains { $0.hasPrefix(own + "/") }
    }
  }
}
