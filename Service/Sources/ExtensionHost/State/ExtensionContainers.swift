internal import ExtensionSandbox
internal import Foundation

/// The folders that extensions may write to: one for each, and one for each application group.
///
/// ``GroupOwners`` says which folder an extension's group is.
///
/// Whoever can write to a container may have put links in it, so that none is followed here.
struct ExtensionContainers: Sendable {
  /// What a process gets.
  struct Prepared: Sendable {
    /// The variables that lead Foundation to the container.
    var environment: [String: String]
    /// The container.
    var home: URL
    /// Groups' folders, by name.
    var groups: [String: URL]
    /// The folders that hold those that extensions may write to, or could once; among them the ones
    /// in which these are.
    var roots: [URL]
  }

  /// The folder of the groups of unsigned extensions, and of apps.
  static let groupsName = "Groups"
  /// The folder of the groups of developers, by the fingerprint of the key that used them first.
  static let signedGroupsName = "SignedGroups"
  /// The folder of groups that an older version left, and that nobody can be shown to own.
  static let unownedGroupsName = "UnownedGroups"

  /// Each of them may hold as much as a container.
  private static let mostGroups = 16

  private let containers: Folder
  private let groups: Folder
  private let signedGroups: Folder
  private let unownedGroups: Folder

  init(data: URL) throws(HostError) {
    containers = try Folder(making: data.appending(path: "Containers").path)
    groups = try Folder(making: data.appending(path: Self.groupsName).path)
    signedGroups = try Folder(making: data.appending(path: Self.signedGroupsName).path)
    unownedGroups = try Folder(making: data.appending(path: Self.unownedGroupsName).path)
  }

  /// Makes what is missing of an extension's folders.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - places: Where the folders of its groups are, by the names that its entitlements have.
  /// - Returns: Its folders and variables.
  /// - Throws: ``HostError`` with code `.file`, or `.badBundle` for too many groups.
  func prepare(
    _ identifier: String,
    groups places: [String: GroupOwners.Place]
  ) throws(HostError) -> Prepared {
    guard places.count <= Self.mostGroups else {
      throw HostError(
        .badBundle,
        "\(identifier) names \(places.count) application groups; at most \(Self.mostGroups) are"
          + " given to an extension"
      )
    }
    let home = try containers.ensureFolder(identifier)
    for name in ["tmp", "Documents", ".cache"] { _ = try home.ensureFolder(name) }
    let configuration = try home.ensureFolder(".config")
    _ = try home.ensureFolder(".local").ensureFolder("share")
    var prepared = Prepared(
      environment: [
        "HOME": home.path, "CFFIXED_USER_HOME": home.path,
        "TMPDIR": home.path(of: "tmp"), "XDG_CONFIG_HOME": home.path(of: ".config"),
        "XDG_CACHE_HOME": home.path(of: ".cache"),
        "XDG_DATA_HOME": home.path(of: ".local/share"),
      ],
      home: Self.url(home),
      groups: [:],
      roots: [containers, groups, signedGroups, unownedGroups].map(Self.url)
    )
    for (name, place) in places.sorted(by: { $0.key < $1.key }) {
      // A developer's groups are one folder deeper than others.
      let developer = Self.url(try parent(of: place))
      if !prepared.roots.contains(developer) { prepared.roots.append(developer) }
      let group = try folder(place)
      // Where Apple's systems keep them, so that the folder's own part stays the developer's.
      let preferences = try group.ensureFolder("Library").ensureFolder("Preferences")
      let file = name + ".plist"
      try configuration.makeLink(file, to: preferences.path(of: file))
      prepared.groups[name] = Self.url(group)
    }
    return prepared
  }

  /// Sees that an extension's folders hold no more than they may, and that the disk has some room.
  ///
  /// Costs a look at each file, and no more looks than there may be files.
  ///
  /// - Throws: ``HostError`` with code `.overLimit`, which names the folder and what to do; `.file`
  ///   where the machine keeps it from being counted.
  func check(
    _ prepared: Prepared,
    of identifier: String,
    _ limits: DiskLimits
  ) throws(HostError) {
    let groups = prepared.groups.sorted { $0.key < $1.key }
    for (name, folder) in [("its container", prepared.home)]
      + groups.map({ ("the group \($0.key)", $0.value) })
    {
      if let space = FreeSpace(at: folder.path, limits: limits), space.isUsedUp {
        throw HostError(
          .overLimit,
          "\(identifier) is not started: the disk of \(folder.path) has \(space.bytes >> 20) MiB left,"
            + " and extensions leave \(space.reserve >> 20) MiB of it free; "
            + Self.wayOut(.diskReserve, identifier)
        )
      }
      guard case .exceeded(let limit) = FolderCount.count(folder.path, limits: limits) else {
        continue
      }
      guard limit != .notCounted else {
        throw HostError(.file, "\(identifier) is not started: \(limit.reason); try again")
      }
      let excess =
        switch limit {
        case .diskSpace: "holds more than \(limits.bytes >> 20) MiB"
        case .files: "has more than \(limits.files) files"
        case .folderDepth: "has folders more than \(limits.depth) deep"
        default: "has folders that cannot be read"
        }
      throw HostError(
        .overLimit,
        "\(identifier) is not started: \(name) \(excess); " + Self.wayOut(limit, identifier)
      )
    }
  }

  /// What the user can do where a limit of the disk is exceeded, as part of a sentence.
  static func wayOut(_ limit: ProcessLimit, _ identifier: String) -> String {
    limit == .diskReserve
      ? "make room on the disk, or empty its container: tickbird extensions clear \(identifier)"
      : "empty its folders: tickbird extensions clear \(identifier) (--groups for those of its"
        + " groups)"
  }

  /// Removes all that an extension has written, when none of its processes run.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - places: The groups that are emptied too; other extensions may lose what they keep there.
  /// - Throws: ``HostError`` with code `.file`.
  func clear(_ identifier: String, groups places: [GroupOwners.Place]) throws(HostError) {
    try containers.removeTree(identifier)
    for place in places {
      try parent(of: place).removeTree(place.name)
    }
  }

  /// Makes the folders of groups, so that apps find them.
  func makeGroups(_ places: [String: GroupOwners.Place]) throws(HostError) {
    for place in places.values { _ = try folder(place) }
  }

  private func folder(_ place: GroupOwners.Place) throws(HostError) -> Folder {
    try parent(of: place).ensureFolder(place.name)
  }

  private func parent(of place: GroupOwners.Place) throws(HostError) -> Folder {
    guard let fingerprint = place.fingerprint else { return groups }
    return try signedGroups.ensureFolder(fingerprint)
  }

  private static func url(_ folder: Folder) -> URL {
    URL(filePath: folder.path, directoryHint: .isDirectory)
  }

  /// Empties an extension's temporary folder, when none of its processes run.
  func emptyTemporaryFolder(_ identifier: String) {
    guard let home = try? containers.folder(identifier) else { return }
    try? home.removeTree("tmp")
  }

  /// Whether an extension has a container.
  func has(_ identifier: String) -> Bool {
    ((try? containers.kind(of: identifier)) ?? nil) != nil
  }

  /// Removes an extension's container; groups stay, since others may share them.
  func remove(_ identifier: String) throws(HostError) {
    try containers.removeTree(identifier)
  }

  /// The extensions that have a container, installed or not.
  func identifiers() throws(HostError) -> [String] { try containers.names() }
}
