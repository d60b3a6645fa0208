internal import ContentBlocking
public import Foundation

/// The compiled lists of all extensions that are turned on, read from the disk.
///
/// For processes other than the host, such as one that a browser starts: reading never waits and
/// changes nothing. Blocks on file I/O.
public struct ListsInForce: Sendable {
  /// One list.
  public struct File: Equatable, Sendable {
    /// The extension's identifier.
    public let identifier: String
    /// The extension's display name.
    public let name: String
    /// The compiled file, which is only ever replaced as a whole.
    public let location: URL
    /// When the list was compiled.
    public let date: Date?
  }

  private let data: URL

  /// Reads the lists of a host's data folder, which need not exist.
  public init(data: URL) { self.data = data }

  /// Returns a value that changes whenever ``files()`` may; costs two looks at folders.
  ///
  /// Turning an extension on or off, or activating a list, always writes a file into one of them.
  public func stamp() -> [Date?] {
    ["States", "Lists"].map { name in
      let path = data.appending(path: name).path
      return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
  }

  /// Returns the active lists, sorted by identifier.
  ///
  /// A list that cannot be read is left out, since it may be about to be replaced.
  public func files() -> [File] {
    // No folders means that nothing was ever installed; reading must not create them.
    guard let states = try? Folder(path: data.appending(path: "States").path),
      FileManager.default.fileExists(atPath: data.appending(path: "Lists").path),
      let bundles = try? BundleStore(directory: data.appending(path: "Extensions")).bundles(),
      let lists = try? RuleListStore(directory: data.appending(path: "Lists"))
    else { return [] }
    return bundles.compactMap { bundle in
      guard let state = try? StateStore.state(of: bundle.identifier, in: states), state.isOn,
        state.isAbout(bundle.signer),
        let location = lists.file(forIdentifier: bundle.identifier),
        FileManager.default.fileExists(atPath: location.path)
      else { return nil }
      return File(
        identifier: bundle.identifier,
        name: bundle.displayName,
        location: location,
        date: state.listDate
      )
    }
  }
}
