internal import CLibrary
public import Foundation

extension BrowserPlaces {
  /// Returns when a browser of the user's was started; `nil` if none runs, or it does not tell.
  ///
  /// Browsers lock their profiles by a link that names their process: Chromium's to `HOST-PID` in its
  /// configuration folder, Firefox's to `ADDRESS:+PID` in each profile. Of several that run, the one
  /// that was started first counts.
  public func start(of browser: Browser) -> Date? {
    locks(of: browser).compactMap { lock in
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: lock.path),
        let digits = target.split(whereSeparator: { $0 == "-" || $0 == "+" }).last,
        let process = pid_t(digits), process > 0, Self.isRunning(process)
      else { return nil }
      // The link's own date, and not that of what it leads to.
      let attributes = try? FileManager.default.attributesOfItem(atPath: lock.path)
      return attributes?[.modificationDate] as? Date
    }
    .min()
  }

  /// A crashed browser leaves its lock behind.
  private static func isRunning(_ process: pid_t) -> Bool {
    kill(process, 0) == 0 || errno == EPERM
  }

  private func locks(of browser: Browser) -> [URL] {
    if let folder = browser.configurationFolder {
      return [configuration.appending(path: "\(folder)/SingletonLock")]
    }
    return profiles(browser).flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.sorted().prefix(100).map { folder.appending(path: "\($0)/lock") }
    }
  }
}
