internal import DurableFiles
public import Foundation

/// Where the service keeps what belongs to one user.
///
/// Folders follow the XDG base directory specification. `TICKBIRD_HOME`, where it is set, holds all
/// of them: for trying something out, and for tests.
public struct ServiceFolders: Equatable, Sendable {
  /// What must not be lost: bundles, containers, subscriptions, notes.
  public let data: URL
  /// What can be made again: compiled lists, icons.
  public let cache: URL
  /// Sockets and locks; gone after a restart of the machine.
  public let runtime: URL

  /// Takes three folders; none of them is made.
  public init(data: URL, cache: URL, runtime: URL) {
    self.data = data
    self.cache = cache
    self.runtime = runtime
  }

  /// Finds the folders of a user.
  ///
  /// - Parameters:
  ///   - environment: The variables that are asked: `TICKBIRD_HOME`, then `XDG_DATA_HOME`,
  ///     `XDG_CACHE_HOME` and `XDG_RUNTIME_DIR`. Relative paths are ignored, as the
  ///     specification says. Without them, the folders are in `HOME`.
  ///   - home: The home folder of a user whose environment names none.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: URL = FileManager.default.homeDirectoryForCurrentUser
  ) {
    func folder(_ variable: String) -> URL? {
      guard let path = environment[variable], path.hasPrefix("/") else { return nil }
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    if let own = folder("TICKBIRD_HOME") {
      self.init(
        data: own.appending(path: "data", directoryHint: .isDirectory),
        cache: own.appending(path: "cache", directoryHint: .isDirectory),
        runtime: own.appending(path: "run", directoryHint: .isDirectory)
      )
      return
    }
    let home = folder("HOME") ?? home
    let data = folder("XDG_DATA_HOME") ?? home.appending(path: ".local/share")
    let cache = folder("XDG_CACHE_HOME") ?? home.appending(path: ".cache")
    let ownData = data.appending(path: "tickbird", directoryHint: .isDirectory)
    self.init(
      data: ownData,
      cache: cache.appending(path: "tickbird", directoryHint: .isDirectory),
      runtime: folder("XDG_RUNTIME_DIR")?.appending(path: "tickbird", directoryHint: .isDirectory)
        ?? ownData.appending(path: "run", directoryHint: .isDirectory)
    )
  }

  /// The socket on which containing apps and commands reach the host.
  public var hostSocket: URL { runtime.appending(path: "host.sock") }

  /// Makes a folder that only its owner can enter, with those above it.
  ///
  /// - Throws: What the file system says, in words.
  public static func makePrivate(_ folder: URL) throws {
    try DurableFile.makeFolder(folder.path)
  }
}
