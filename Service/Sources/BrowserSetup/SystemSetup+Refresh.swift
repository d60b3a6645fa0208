internal import BrowserPackages
internal import DurableFiles
internal import Foundation
internal import NativeMessaging

/// What an upgrade renews: what is recorded, and is still there.
extension SystemSetup {
  /// Whether a file is recorded.
  func isRecorded(_ path: String) -> Bool { changes.record.files.contains { $0.path == path } }

  private static let gone = "it is not there any more; a full setup puts it back"

  /// Whether a package for Chromium's family is recorded.
  public var hasPackage: Bool { isRecorded(Self.packageFile) }

  /// Returns which browsers are set up for all users.
  ///
  /// - Parameter browsers: Those that are there.
  /// - Returns: Those for which a policy or a package is recorded, or whose administrator has written the
  ///   policy that setup has named.
  public func browsersSetUp(of browsers: [FoundBrowser]) -> [FoundBrowser] {
    let record = changes.record
    let paths = record.files.map(\.path) + record.entries.map(\.path)
    let ids = hasPackage ? Self.extensionIDs(root: changes.root) : []
    return browsers.filter { found in
      let browser = found.browser
      let own =
        browser.family == .chromium ? browser.policyFolder : Browser.firefoxExtensions
      if paths.contains(where: { $0.hasPrefix(own + "/") }) { return true }
      return browser.family == .chromium
        && ids.contains { (try? hasPolicy($0, in: own)) ?? false }
    }
  }

  /// Writes a file, but not one that somebody has removed since, if this is to renew what is there.
  ///
  /// - Returns: Whether it was not passed over.
  /// - Throws: ``SetupError``.
  @discardableResult
  func write(_ path: String, _ data: Data) throws -> Bool {
    guard try !passOver(path) else { return false }
    outcome(try changes.write(path, data))
    return true
  }

  /// Whether a file stays away because this is to renew what is there, which is then said.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isNeeded: Whether every setup has it, be it written by setup or there before.
  /// - Returns: Whether it does.
  /// - Throws: ``SetupError``.
  func passOver(_ path: String, isNeeded: Bool = false) throws -> Bool {
    guard isRenewal, isNeeded || isRecorded(path) else { return false }
    let place = try changes.checked(path)
    guard case .absent = SetupChanges.look(at: place) else { return false }
    outcome(.passedOver(place, reason: Self.gone))
    return true
  }
}
