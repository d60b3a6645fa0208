internal import DurableFiles
internal import Foundation
internal import Synchronization

/// Records who owns each application group.
///
/// A group belongs to the key that signed the extension which first named it. Unsigned extensions
/// have groups of their own in a different folder, so that the two kinds never share data:
///
///     SignedGroups/FINGERPRINT/GROUP   owned by the key that used it first
///     Groups/GROUP                     of unsigned extensions, and of apps, which are unsigned too
///
/// Unsigned extensions can be told apart only by their identifiers. The first one has a group to
/// itself; others share it when the user allows it.
///
/// The records are in one file, `GroupOwners.json`, which is replaced atomically. Names are
/// compared ignoring case, so that no group can imitate another one.
final class GroupOwners: Sendable {
  /// A developer's group.
  struct Signed: Codable {
    /// The name as it was first written.
    var name: String
    /// The owning key, and the keys that it replaced.
    var owner: Signer
    /// The fingerprint in the folder's path: that of the first owner.
    var folder: String
    /// The extensions that have used it, sorted.
    var members: [String]
  }

  /// A group of unsigned extensions.
  struct Unsigned: Codable {
    var name: String
    /// The extensions that may use it, sorted.
    var members: [String]
  }

  struct Records: Codable {
    var format = GroupOwners.format
    var signed: [String: Signed] = [:]
    var unsigned: [String: Unsigned] = [:]
  }

  /// The extension that claims a group.
  struct Claimant {
    var identifier: String
    var signer: Signer
  }

  /// The folder of a group, relative to the data folder.
  struct Place: Equatable {
    /// The key's fingerprint; nil for a group of unsigned extensions.
    var fingerprint: String?
    var name: String
  }

  private static let format = 1
  private static let fileName = "GroupOwners.json"
  let data: Folder
  /// Claims come from several tasks, and each reads, decides and writes.
  private let deciding = Mutex(())

  init(data: URL) throws(HostError) {
    self.data = try Folder(making: data.path)
  }

  // MARK: Claims

  /// Gives an extension its groups, claiming those without an owner.
  ///
  /// - Parameters:
  ///   - names: The groups in its entitlements.
  ///   - claimant: The extension.
  ///   - isSharing: Whether the user lets it share groups of other unsigned extensions.
  ///   - isTrial: Whether to check only, and record nothing.
  /// - Returns: The folder of each group.
  /// - Throws: ``HostError`` with code `.refused` for a group that belongs to somebody else, whom
  ///   the message names; `.file` if the records cannot be read or written.
  @discardableResult
  func claim(
    _ names: [String],
    by claimant: Claimant,
    isSharing: Bool = false,
    isTrial: Bool = false
  ) throws(HostError) -> [String: Place] {
    guard !names.isEmpty else { return [:] }
    let result = deciding.withLock { _ -> Result<[String: Place], HostError> in
      do throws(HostError) {
        let old = try adopted()
        var records = old
        var places: [String: Place] = [:]
        for name in names {
          places[name] =
            try claimant.signer.isUnsigned
            ? claimUnsigned(name, claimant, isSharing, &records)
            : claimSigned(name, claimant, &records)
        }
        if !isTrial, try encoded(records) != encoded(old) { try write(records) }
        return .success(places)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func claimSigned(
    _ name: String,
    _ claimant: Claimant,
    _ records: inout Records
  ) throws(HostError) -> Place {
    let key = name.lowercased()
    let signer = claimant.signer
    guard var group = records.signed[key] else {
      let folder = signer.description
      records.signed[key] = Signed(
        name: name,
        owner: signer,
        folder: folder,
        members: [claimant.identifier]
      )
      return Place(fingerprint: folder, name: name)
    }
    let isMember = group.members.contains(claimant.identifier)
    if signer.continues(group.owner) {
      // A key rotation moves the group to the new key.
      group.owner = signer
    } else if !(isMember && group.owner.continues(signer)) {
      // Another extension that uses the group may still be signed with the old key.
      throw HostError(
        .refused,
        "\(claimant.identifier) names the application group \(group.name), which belongs to another "
          + "developer: the key \(group.owner) used it first"
          + (group.members.isEmpty ? ". " : ", in \(group.members.joined(separator: ", ")). ")
          + "\(claimant.identifier) is signed by \(signer). To give up that developer's data in the "
          + "group, remove those extensions, then: tickbird extensions forget-group \(group.name)"
      )
    }
    try checkSpelling(name, group.name, claimant)
    if !isMember { group.members = (group.members + [claimant.identifier]).sorted() }
    records.signed[key] = group
    return Place(fingerprint: group.folder, name: group.name)
  }

  private func claimUnsigned(
    _ name: String,
    _ claimant: Claimant,
    _ isSharing: Bool,
    _ records: inout Records
  ) throws(HostError) -> Place {
    let key = name.lowercased()
    guard var group = records.unsigned[key] else {
      records.unsigned[key] = Unsigned(name: name, members: [claimant.identifier])
      return Place(fingerprint: nil, name: name)
    }
    try checkSpelling(name, group.name, claimant)
    if !group.members.contains(claimant.identifier) {
      guard isSharing else {
        throw HostError(
          .refused,
          "\(claimant.identifier) names the application group \(group.name), which "
            + "\(group.members.joined(separator: ", ")) has; nobody signed either, so that nothing "
            + "shows that they are one developer's. If both are yours: tickbird extensions install "
            + "--share-groups BUNDLE. To give up the group's data, remove what uses it, then: "
            + "tickbird extensions forget-group --unsigned \(group.name)"
        )
      }
      group.members = (group.members + [claimant.identifier]).sorted()
      records.unsigned[key] = group
    }
    return Place(fingerprint: nil, name: group.name)
  }

  private func checkSpelling(
    _ name: String,
    _ known: String,
    _ claimant: Claimant
  ) throws(HostError) {
    guard name != known else { return }
    throw HostError(
      .refused,
      "\(claimant.identifier) names the application group \(name), which is known as \(known); "
        + "groups that differ in letters' case alone are taken for one, so write it as it is known"
    )
  }

  // MARK: Looking

  /// Returns the other extensions that share an unsigned group with an extension, by group.
  func sharers(of identifier: String) throws(HostError) -> [String: [String]] {
    let records = try read() ?? Records()
    var result: [String: [String]] = [:]
    for group in records.unsigned.values where group.members.contains(identifier) {
      result[group.name] = group.members.filter { $0 != identifier }
    }
    return result.filter { !$0.value.isEmpty }
  }

  /// Returns the extensions that have used a developer's group, except one.
  func users(ofSigned name: String, but identifier: String) throws(HostError) -> [String] {
    let members = try (read() ?? Records()).signed[name.lowercased()]?.members ?? []
    return members.filter { $0 != identifier }
  }

  // MARK: Ending

  /// Removes an uninstalled extension from the groups that it used.
  ///
  /// A developer's group stays the key's, and the unsigned group of a single extension stays that
  /// extension's: nobody else inherits its data.
  func leave(_ identifier: String) throws(HostError) {
    try change { records in
      for (key, group) in records.unsigned where group.members.count > 1 {
        records.unsigned[key]?.members = group.members.filter { $0 != identifier }
      }
      for (key, group) in records.signed {
        records.signed[key]?.members = group.members.filter { $0 != identifier }
      }
    }
  }

  /// Removes a group's data and ownership.
  ///
  /// - Parameters:
  ///   - name: The group, in any case.
  ///   - isUnsigned: Whether it is the group of unsigned extensions.
  ///   - inUse: Which of the group's members are installed and use it.
  /// - Throws: ``HostError`` with code `.refused` while it is in use, `.notInstalled` if it does
  ///   not exist.
  func forget(
    _ name: String,
    isUnsigned: Bool,
    inUse: ([String]) throws(HostError) -> [String]
  ) throws(HostError) {
    // Under one lock: whoever claims the group meanwhile must neither get its data nor lose its
    // own.
    let result = deciding.withLock { _ -> Result<Void, HostError> in
      do throws(HostError) {
        return .success(try forgetNow(name, isUnsigned: isUnsigned, inUse: inUse))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private func forgetNow(
    _ name: String,
    isUnsigned: Bool,
    inUse: ([String]) throws(HostError) -> [String]
  ) throws(HostError) {
    let key = name.lowercased()
    var records = try read() ?? Records()
    let members = isUnsigned ? records.unsigned[key]?.members : records.signed[key]?.members
    guard let members else {
      throw HostError(
        .notInstalled,
        "no \(isUnsigned ? "unsigned extension" : "developer") has an application group \(name)"
      )
    }
    let users = try inUse(members)
    guard users.isEmpty else {
      throw HostError(
        .refused,
        "the application group \(name) is used by \(users.joined(separator: ", ")); remove it first"
      )
    }
    // The data goes first: an interruption may leave a record without data, but never data without
    // a record.
    if isUnsigned {
      try data.ensureFolder(ExtensionContainers.groupsName)
        .removeTree(records.unsigned[key]?.name ?? name)
      records.unsigned[key] = nil
    } else if let group = records.signed[key] {
      try data.ensureFolder(ExtensionContainers.signedGroupsName).ensureFolder(group.folder)
        .removeTree(group.name)
      records.signed[key] = nil
    }
    try write(records)
  }

  // MARK: The file

  private func change(_ body: (inout Records) -> Void) throws(HostError) {
    let result = deciding.withLock { _ -> Result<Void, HostError> in
      do throws(HostError) {
        let old = try read() ?? Records()
        var records = old
        body(&records)
        if try encoded(records) != encoded(old) { try write(records) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Returns the records; empty if no group was ever used.
  ///
  /// - Throws: ``HostError`` with code `.file` if there are groups of an older version that have
  ///   not been given to their owners.
  private func adopted() throws(HostError) -> Records {
    if let records = try read() { return records }
    for name in [ExtensionContainers.groupsName, ExtensionContainers.signedGroupsName]
    where try !data.ensureFolder(name).names().isEmpty {
      throw HostError(
        .file,
        "\(data.path(of: name)) has groups, and it is not recorded whose they are; see what the "
          + "service says when it starts"
      )
    }
    return Records()
  }

  /// Returns the stored records; nil if none were ever written.
  func read() throws(HostError) -> Records? {
    guard let bytes = try data.ownFile(Self.fileName, atMost: 64 << 20) else { return nil }
    guard let records = try? JSONDecoder().decode(Records.self, from: bytes),
      records.format == Self.format
    else {
      throw HostError(
        .file,
        "\(data.path(of: Self.fileName)), which says whose application groups are, is damaged or of "
          + "a later Tickbird; bring it back from a copy. Until then nothing that has groups is started"
      )
    }
    return records
  }

  private func encoded(_ records: Records) throws(HostError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do { return try encoder.encode(records) } catch {
      throw HostError(.file, "\(data.path(of: Self.fileName)) cannot be written: \(error)")
    }
  }

  func write(_ records: Records) throws(HostError) {
    let bytes = try encoded(records)
    do throws(FileFailure) {
      try data.replaceOwnFile(Self.fileName, with: bytes)
    } catch {
      throw HostError(error)
    }
  }
}
