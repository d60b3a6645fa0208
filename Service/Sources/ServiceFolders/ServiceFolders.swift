internal import DurableFiles
public import Foundation

/// The folders in which the service stores a user's data.
///
/// They follow the XDG base directory specification. `TICKBIRD_HOME`, if set, contains all of them,
/// for experiments and tests.
public struct ServiceFolders: Equatable, Sendable {
  /// Data that must not be lost: bundles, containers, subscriptions, notes.
  public let data: URL
  /// Data that can be regenerated: compiled lists, icons.
  public let cache: URL
  /// Sockets and locks, which do not survive a restart of the machine.
  public let runtime: URL

  /// Creates a value from three folders, without creating the folders.
  public init(data: URL, cache: URL, runtime: URL) {
    self.data = data
    self.cache = cache
    self.runtime = runtime
  }

  /// Finds the folders of a user.
  ///
  /// - Parameters:
  ///   - environment: The variables: `TICKBIRD_HOME`, otherwise `XDG_DATA_HOME`, `XDG_CACHE_HOME`
  ///     and `XDG_RUNTIME_DIR`. Relative paths are ignored, as the specification requires. The
  ///     defaults are in `HOME`.
  ///   - home: The home folder if the environment does not name one.
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

  /// Rejects an environment whose folders this program cannot name: those not in UTF-8.
  ///
  /// Their names arrive with other letters, so that data would be written to another folder, which two
  /// users may share. Every program checks this before it uses a folder.
  ///
  /// - Parameters:
  ///   - environment: The variables, as the process has them.
  ///   - home: The home folder if the environment does not name one.
  /// - Throws: ``UnusableName``.
  public static func check(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: URL = FileManager.default.homeDirectoryForCurrentUser
  ) throws(UnusableName) {
    // What is no UTF-8 has become this letter, which no folder is named with.
    func isBad(_ path: String) -> Bool { path.unicodeScalars.contains("\u{FFFD}") }
    for name in variables where isBad(environment[name] ?? "") {
      throw UnusableName(what: name, path: environment[name] ?? "", isVariable: true)
    }
    guard environment["HOME"]?.hasPrefix("/") != true, isBad(home.path) else { return }
    throw UnusableName(what: "the home folder", path: home.path, isVariable: false)
  }

  /// The variables that name folders, here and for browsers.
  private static let variables = [
    "TICKBIRD_HOME", "HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
  ]

  /// Why an environment is rejected.
  public struct UnusableName: Error, CustomStringConvertible, Sendable {
    /// The variable, or what else names the folder.
    let what: String
    let path: String
    let isVariable: Bool

    /// What is wrong, and the way out.
    public var description: String {
      let variable = isVariable ? what : "HOME"
      return """
        \(what) is \(path), whose name is not in UTF-8, so nothing is read or written there. Make a \
        symbolic link to it with another name, and start this with that: \(variable)=/path/of/the/link
        """
    }
  }

  /// The socket on which containing apps and commands reach the host.
  public var hostSocket: URL { runtime.appending(path: "host.sock") }

  /// Creates a folder that only its owner can enter, and its parents.
  ///
  /// - Throws: The file system's error, in words.
  public static func makePrivate(_ folder: URL) throws {
    try DurableFile.makeFolder(folder.path)
  }
}
