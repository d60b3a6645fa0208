import Foundation
import Synchronization

/// The matcher as WebAssembly, built once for a run.
enum Matcher {
  private static let built = Mutex<URL?>(nil)

  /// The module's file.
  ///
  /// `TICKBIRD_MATCHER` names one; if it is not there, it is built there, and left to later runs.
  static func module() throws -> URL {
    try built.withLock { built in
      if let built { return built }
      let place: URL
      if let named = ProcessInfo.processInfo.environment["TICKBIRD_MATCHER"] {
        place = URL(filePath: named)
      } else {
        place = FileManager.default.temporaryDirectory
          .appending(path: "tickbird-matcher-\(ProcessInfo.processInfo.processIdentifier).wasm")
        removeAtExit
      }
      if !FileManager.default.fileExists(atPath: place.path) {
        let script = Session.packageRoot.appending(path: "Scripts/check-embedded").path
        try Tool.run([script, "--no-test", "--output", place.path])
      }
      built = place
      return place
    }
  }

  /// Removes what no name was given for.
  private static let removeAtExit: Void = {
    atexit {
      if let place = Matcher.built.withLock({ $0 }) {
        try? FileManager.default.removeItem(at: place)
      }
    }
  }()
}
