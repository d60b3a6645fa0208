internal import ContentBlocking
public import Foundation

/// The compiled lists of the extensions that are on, as the disk has them.
///
/// For processes beside the host, such as one that a browser starts: reading waits for nobody and
/// changes nothing. Blocks on the file system.
public struct ListsInForce: Sendable {
  /// One list.
  public struct File: Equatable, Sendable {
    /// The extension's identifier.
    public let identifier: String
    /// The extension's name for people.
    public let name: String
    /// The compiled file, which is replaced as a whole, never changed.
    public let location: URL
    /// When the list was compiled.
    public let date: Date?
  }

  private let data: URL

  /// Takes the host's data folder, which need not be there.
  public init(data: URL) { self.data = data }

  /// Something that is another one whenever ``files()`` may be: two looks at folders, no more.
  ///
  /// Whatever turns an extension on or off, or activates a list, puts a file into one of them.
  public func stamp() -> [Date?] {
    ["States", "Lists"].map { name in
      let path = data.appending(path: name).path
      return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
  }

  /// The active lists, by identifier.
  ///
  /// What cannot be read is left out, since it may be being replaced.
  public func files() -> [File] {
    // Nothing was ever installed where there are no folders, and reading makes none.
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
