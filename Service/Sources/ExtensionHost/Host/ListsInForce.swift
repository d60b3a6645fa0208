internal import ContentBlocking
internal import DurableFiles
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
    /// Why the file cannot be used now, with the way out, in a clause; `nil` if nothing is known against it.
    public let fault: String?
  }

  private let data: URL

  /// Reads the lists of a host's data folder, which need not exist.
  public init(data: URL) { self.data = data }

  /// Returns a value that changes whenever ``files()`` may, unless one of them has a fault; costs four looks at
  /// folders.
  ///
  /// Turning an extension or a subscription on or off, activating a list, or installing or removing an
  /// extension always writes or removes something in one of them. Damage, and what mends it, need not.
  public func stamp() -> [Date?] {
    folders.map { folder in
      try? FileManager.default.attributesOfItem(atPath: folder.path)[.modificationDate] as? Date
    }
  }

  /// Returns a watch that notices when ``stamp()`` has changed.
  public func watch() -> FolderWatch { FolderWatch(folders) }

  private var folders: [URL] {
    ["Extensions", "States", "Lists"].map { data.appending(path: $0) }
      + [SubscribedLists.changingFolder(data: data)]
  }

  /// Returns the active lists, sorted by identifier, those of subscriptions behind those of
  /// extensions.
  ///
  /// One whose file cannot be used has a fault, so that nobody takes it for turned off. Where it is not known
  /// which extensions or subscriptions are on, each that may be has a fault: what is known of others still
  /// holds.
  ///
  /// - Throws: `SubscriptionError` or ``HostError`` if not even that is known.
  public func files() throws -> [File] { try ofExtensions() + ofSubscriptions() }

  private func ofSubscriptions() throws(SubscriptionError) -> [File] {
    let lists = SubscribedLists(data: data)
    let files: [SubscribedLists.File]
    do throws(SubscriptionError) { files = try lists.files() } catch {
      let identifiers = try lists.identifiersOnDisk()
      // Which lists there were is not known at all.
      guard !identifiers.isEmpty else { throw error }
      return identifiers.map { identifier in
        File(
          identifier: identifier,
          name: identifier,
          location: SubscribedLists.changingFolder(data: data),
          date: nil,
          isSubscription: true,
          fault: error.message
        )
      }
    }
    return files.map { file in
      File(
        identifier: file.identifier,
        name: file.name,
        location: file.location,
        date: file.date,
        isSubscription: true,
        fault: file.damage.map { "\($0); make it again by: tickbird lists update" }
      )
    }
  }

  private func ofExtensions() throws(HostError) -> [File] {
    // No folders mean that nothing was ever installed; reading must not create them.
    let folder = data.appending(path: "Extensions")
    let states = data.appending(path: "States")
    guard BundleStore.place(folder).isUsed, StateStore.place(states).isUsed else { return [] }
    let opened = Result { () throws(HostError) in try StateStore.place(states).found() }
    do throws(HostError) {
      let bundles = try BundleStore(directory: folder)
      let lists = try openedLists()
      return try bundles.identifiers().compactMap { identifier in
        file(of: identifier, bundles, lists, states: opened)
      }
    } catch {
      guard let found = ofUnknownExtensions(opened, fault: error.message) else { throw error }
      return found
    }
  }

  /// Returns the lists of extensions that may be on where it cannot be found out which are installed; `nil` if there
  /// is nothing that says so.
  private func ofUnknownExtensions(
    _ states: Result<Folder, HostError>,
    fault: String
  ) -> [File]? {
    do throws(HostError) {
      let opened = try states.get()
      return try StateStore.identifiers(in: opened).compactMap { identifier in
        unknown(identifier, states: opened, fault: fault)
      }
    } catch {
      // Whatever is compiled may be on.
      guard let lists = try? openedLists(),
        let identifiers = try? lists.availableContentRuleListIdentifiers(), !identifiers.isEmpty
      else { return nil }
      let fault = "\(fault); \(error.message)"
      return identifiers.sorted().map { unknown($0, date: nil, fault: fault) }
    }
  }

  /// Returns the list of an extension that is on as far as its state says, where it cannot be found out whether
  /// it is installed; `nil` if it has none.
  private func unknown(_ identifier: String, states: Folder, fault: String) -> File? {
    var date: Date?
    var fault = fault
    do throws(HostError) {
      let state = try StateStore.state(of: identifier, in: states)
      guard state.isOn, state.listDate != nil else { return nil }
      date = state.listDate
    } catch {
      fault = "\(fault); \(error.message)"
    }
    return unknown(identifier, date: date, fault: fault)
  }

  private func unknown(_ identifier: String, date: Date?, fault: String) -> File {
    File(
      identifier: identifier,
      name: identifier,
      location: listsFolder,
      date: date,
      isSubscription: false,
      fault: fault
    )
  }

  private var listsFolder: URL { data.appending(path: "Lists") }

  /// Opens the compiled lists; `nil` if there never was any.
  private func openedLists() throws(HostError) -> RuleListStore? {
    guard try exists(listsFolder) else { return nil }
    do throws(RuleListStoreError) { return try RuleListStore(directory: listsFolder) } catch {
      throw HostError(.file, error.message)
    }
  }

  /// Whether something is there.
  private func exists(_ file: URL) throws(HostError) -> Bool {
    do throws(FileFailure) { _ = try FileStatus(of: file.path) } catch {
      guard error.isAbsence else { throw HostError(error) }
      return false
    }
    return true
  }

  /// Returns the list of an extension; `nil` if it has none that acts.
  private func file(
    of identifier: String,
    _ bundles: BundleStore,
    _ lists: RuleListStore?,
    states: Result<Folder, HostError>
  ) -> File? {
    let location = lists?.file(forIdentifier: identifier)
    func file(_ bundle: InstalledBundle?, _ date: Date?, fault: String?) -> File {
      File(
        identifier: identifier,
        name: bundle?.displayName ?? identifier,
        location: location ?? listsFolder,
        date: date,
        isSubscription: false,
        fault: fault
      )
    }
    do throws(HostError) {
      let state = try StateStore.state(of: identifier, in: states.get())
      guard state.isOn, let bundle = try bundles.bundle(identifier), state.isAbout(bundle.signer)
      else { return nil }
      if let location, try exists(location) { return file(bundle, state.listDate, fault: nil) }
      guard let date = state.listDate else { return nil }
      let missing = (location ?? listsFolder).path
      return file(bundle, date, fault: "\(missing) is missing; turn the extension off and on again")
    } catch {
      guard mayHaveList(identifier, lists, states) else { return nil }
      return file(nil, nil, fault: error.message)
    }
  }

  /// Whether an extension whose state or bundle cannot be read may be on and have a list.
  private func mayHaveList(
    _ identifier: String,
    _ lists: RuleListStore?,
    _ states: Result<Folder, HostError>
  ) -> Bool {
    if let state = try? StateStore.state(of: identifier, in: states.get()) {
      return state.isOn && state.listDate != nil
    }
    // Without the folder of lists it is not known whether it had one.
    guard let lists, let location = lists.file(forIdentifier: identifier) else { return true }
    if (try? exists(location)) ?? true { return true }
    // What never had a list says nothing of lists, unless all states and all lists are lost.
    let areStatesLost = (try? StateStore.identifiers(in: states.get())) == nil
    return areStatesLost && (try? lists.availableContentRuleListIdentifiers())?.isEmpty ?? true
  }
}
