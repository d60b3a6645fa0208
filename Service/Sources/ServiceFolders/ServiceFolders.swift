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

  /// Rejects an environment whose folders are not to be used: every program checks this before it uses one.
  ///
  /// Names that are not in UTF-8 arrive with other letters, so that data would be written to another folder, which
  /// two users may share. A relative `TICKBIRD_HOME` would be another folder in each working directory; whoever sets
  /// it does not mean the usual one. A data folder that another user has made is that user's.
  ///
  /// - Parameters:
  ///   - environment: The variables, as the process has them.
  ///   - home: The home folder if the environment does not name one.
  ///   - user: The number of the user that the process runs as.
  /// - Throws: ``UnusableFolder``.
  public static func check(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: URL = FileManager.default.homeDirectoryForCurrentUser,
    user: UInt32 = geteuid()
  ) throws(UnusableFolder) {
    // What is no UTF-8 has become this letter, which no folder is named with.
    func isBad(_ path: String) -> Bool { path.unicodeScalars.contains("\u{FFFD}") }
    for name in variables where isBad(environment[name] ?? "") {
      throw UnusableFolder(notInUTF8: environment[name] ?? "", name, variable: name)
    }
    if environment["HOME"]?.hasPrefix("/") != true, isBad(home.path) {
      throw UnusableFolder(notInUTF8: home.path, "the home folder", variable: "HOME")
    }
    if let own = environment["TICKBIRD_HOME"], !own.isEmpty, !own.hasPrefix("/") {
      throw UnusableFolder(relative: own)
    }
    let folders = ServiceFolders(environment: environment, home: home)
    // Root may work on the data of others, who may not replace what root has made.
    if user != 0, let owner = owner(of: folders.data), owner != user, owner != 0 {
      throw UnusableFolder(folders.data, of: owner)
    }
  }

  /// Makes the folder of sockets and locks, unless another user has made it.
  ///
  /// Whoever owns it can put another socket, or a page to be opened, in the place of one.
  ///
  /// - Parameter user: The number of the user that the process runs as.
  /// - Throws: ``UnusableFolder``, or the file system's error, in words.
  public func makeRuntime(user: UInt32 = geteuid()) throws {
    try Self.makePrivate(runtime)
    if let owner = Self.owner(of: runtime), owner != user {
      throw UnusableFolder(runtime, of: owner)
    }
  }

  /// The number of the user that a folder belongs to; nil where there is none.
  private static func owner(of folder: URL) -> UInt32? {
    let path = folder.resolvingSymlinksInPath().path
    let owner = try? FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID]
    return (owner as? NSNumber)?.uint32Value
  }

  /// The variables that name folders, here and for browsers.
  private static let variables = [
    "TICKBIRD_HOME", "HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
  ]

  /// A folder that is not used.
  public struct UnusableFolder: Error, CustomStringConvertible, Sendable {
    /// What is wrong, and the way out.
    public let description: String

    fileprivate init(notInUTF8 path: String, _ what: String, variable: String) {
      description = """
        \(what) is \(path), whose name is not in UTF-8, so nothing is read or written there. Make a \
        symbolic link to it with another name, and start this with that: \(variable)=/path/of/the/link
        """
    }

    fileprivate init(relative path: String) {
      let whole = URL(filePath: path).standardizedFileURL.path
      description = """
        TICKBIRD_HOME is \(path), which would be another folder in each working directory, so nothing \
        is read or written. Give it whole: TICKBIRD_HOME=\(whole)
        """
    }

    /// Describes a folder that another user has made.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - owner: The user's number.
    public init(_ folder: URL, of owner: UInt32) {
      description = """
        \(folder.path) belongs to the user number \(owner), who could replace what is in it, so nothing \
        is read or written there. Remove it, or choose another folder with TICKBIRD_HOME
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
