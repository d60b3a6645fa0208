internal import ExtensionSandbox
internal import Foundation

/// The folders that extensions may write to: one for each extension, and one for each application
/// group.
///
/// ``GroupOwners`` decides which folder an extension's group has.
///
/// Anybody who can write to a container may put links into it, so no link is followed here.
struct ExtensionContainers: Sendable {
  /// What a process is given.
  struct Prepared: Sendable {
    /// The variables that point Foundation to the container.
    var environment: [String: String]
    /// The container.
    var home: URL
    /// The groups' folders, by name.
    var groups: [String: URL]
    /// The folders that contain folders that extensions may write to, now or formerly, including
    /// the parents of these.
    var roots: [URL]
  }

  /// The folder of the groups of unsigned extensions, and of apps.
  static let groupsName = "Groups"
  /// The folder of developers' groups, by the fingerprint of the key that used them first.
  static let signedGroupsName = "SignedGroups"
  /// The folder of groups left by an older version whose owner is unknown.
  static let unownedGroupsName = "UnownedGroups"

  /// A limit, since each group may hold as much as a container.
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

  /// Creates what is missing of an extension's folders.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - places: The folders of its groups, by their names in the entitlements.
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
      // Developers' groups are one folder deeper.
      let developer = Self.url(try parent(of: place))
      if !prepared.roots.contains(developer) { prepared.roots.append(developer) }
      let group = try folder(place)
      let preferences = try GroupDefaults.folder(in: group)
      let file = GroupDefaults.fileName(name)
      try configuration.makeLink(file, to: preferences.path(of: file))
      prepared.groups[name] = Self.url(group)
    }
    return prepared
  }

  /// Checks that an extension's folders are within their limits, and that the disk has free space.
  ///
  /// Looks at each file, at most as many as the limit allows.
  ///
  /// - Throws: ``HostError`` with code `.overLimit`, naming the folder and what to do; `.file` if
  ///   the machine could not count.
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

  /// Returns what the user can do about an exceeded disk limit, as part of a sentence.
  static func wayOut(_ limit: ProcessLimit, _ identifier: String) -> String {
    limit == .diskReserve
      ? "make room on the disk, or empty its container: tickbird extensions clear \(identifier)"
      : "empty its folders: tickbird extensions clear \(identifier) (--groups for those of its"
        + " groups)"
  }

  /// Removes everything that an extension has written, while none of its processes run.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - places: The groups to empty too; other extensions may lose data there.
  /// - Throws: ``HostError`` with code `.file`.
  func clear(_ identifier: String, groups places: [GroupOwners.Place]) throws(HostError) {
    try containers.removeTree(identifier)
    for place in places {
      try parent(of: place).removeTree(place.name)
    }
  }

  /// Creates the folders of groups, so that apps find them.
  func makeGroups(_ places: [String: GroupOwners.Place]) throws(HostError) {
    for place in places.values { _ = try folder(place) }
  }

  /// Opens a group's folder, which it creates if needed.
  func folder(_ place: GroupOwners.Place) throws(HostError) -> Folder {
    try parent(of: place).ensureFolder(place.name)
  }

  private func parent(of place: GroupOwners.Place) throws(HostError) -> Folder {
    guard let fingerprint = place.fingerprint else { return groups }
    return try signedGroups.ensureFolder(fingerprint)
  }

  private static func url(_ folder: Folder) -> URL {
    URL(filePath: folder.path, directoryHint: .isDirectory)
  }

  /// Empties an extension's temporary folder, while none of its processes run.
  func emptyTemporaryFolder(_ identifier: String) {
    guard let home = try? containers.folder(identifier) else { return }
    try? home.removeTree("tmp")
  }

  /// Returns whether an extension has a container.
  func has(_ identifier: String) -> Bool {
    ((try? containers.kind(of: identifier)) ?? nil) != nil
  }

  /// Removes an extension's container; groups stay, since others may share them.
  func remove(_ identifier: String) throws(HostError) {
    try containers.removeTree(identifier)
  }
}
