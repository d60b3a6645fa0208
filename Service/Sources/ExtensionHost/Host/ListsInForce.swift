internal import ContentBlocking
public import Foundation
internal import ListSubscriptions

/// The compiled lists of all extensions that are turned on, and of all subscriptions, read from the
/// disk.
///
/// For processes other than the host, such as one that a browser starts: reading never waits and
/// changes nothing. Blocks on file I/O.
public struct ListsInForce: Sendable {
  /// One list.
  public struct File: Equatable, Sendable {
    /// The extension's identifier; for a subscription `list:`, which no extension's begins with, and
    /// the subscription's id.
    public let identifier: String
    /// The display name.
    public let name: String
    /// The compiled file, which is only ever replaced or removed as a whole.
    public let location: URL
    /// When the list was compiled.
    public let date: Date?
    /// Whether it is a subscription's.
    public let isSubscription: Bool
  }

  private let data: URL

  /// Reads the lists of a host's data folder, which need not exist.
  public init(data: URL) { self.data = data }

  /// Returns a value that changes whenever ``files()`` may; costs three looks at folders.
  ///
  /// Turning an extension or a subscription on or off, or activating a list, always writes a file
  /// into one of them.
  public func stamp() -> [Date?] {
    folders.map { folder in
      try? FileManager.default.attributesOfItem(atPath: folder.path)[.modificationDate] as? Date
    }
  }

  /// Returns a watch that notices when ``stamp()`` has changed.
  public func watch() -> FolderWatch { FolderWatch(folders) }

  private var folders: [URL] {
    ["States", "Lists"].map { data.appending(path: $0) }
      + [SubscribedLists.changingFolder(data: data)]
  }

  /// Returns the active lists, sorted by identifier, those of subscriptions behind those of
  /// extensions.
  ///
  /// A list that cannot be read is left out, since it may be about to be replaced.
  public func files() -> [File] {
    ofExtensions()
      + SubscribedLists(data: data).files().map { file in
        File(
          identifier: file.identifier,
          name: file.name,
          location: file.location,
          date: file.date,
          isSubscription: true
        )
      }
  }

  private func ofExtensions() -> [File] {
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
        date: state.listDate,
        isSubscription: false
      )
    }
  }
}
