internal import DurableFiles
internal import Foundation
internal import Synchronization

/// Whose each application group is.
///
/// A group belongs to the key that signed the extension which first named it. What nobody signed has
/// groups of its own, in another folder, so that the two never share data:
///
///     SignedGroups/FINGERPRINT/GROUP   of the key that used it first
///     Groups/GROUP                     of unsigned extensions, and of apps, which nobody signed either
///
/// Unsigned extensions have nothing to tell one from another but their identifiers. One of them has a
/// group for itself; another one gets it when the user says so.
///
/// The records are in one file, `GroupOwners.json`, which is replaced in one step. Names are compared
/// without regard to letters' case, so that no group looks like another one.
final class GroupOwners: Sendable {
  /// A group of a developer's.
  struct Signed: Codable {
    /// The name as it was first written.
    var name: String
    /// The key, and those whose place it has taken.
    var owner: Signer
    /// The key whose folder it is: the one that used it first.
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

  /// Who names a group.
  struct Claimant {
    var identifier: String
    var signer: Signer
  }

  /// Where a group's folder is, from the data folder on.
  struct Place: Equatable {
    /// The key's fingerprint; nil for a group of unsigned extensions.
    var fingerprint: String?
    var name: String
  }

  private static let format = 1
  private static let fileName = "GroupOwners.json"
  let data: Folder
  /// Claims come from several tasks; each reads, decides and writes.
  private let deciding = Mutex(())

  init(data: URL) throws(HostError) {
    self.data = try Folder(making: data.path)
  }

  // MARK: Claims

  /// Gives an extension its groups, and makes those that nobody has its own.
  ///
  /// - Parameters:
  ///   - names: What its entitlements name.
  ///   - claimant: The extension.
  ///   - isSharing: Whether the user lets it into groups of other unsigned extensions.
  ///   - isTrial: Whether to decide alone, and to record nothing.
  /// - Returns: Where each group's folder is.
  /// - Throws: ``HostError`` with code `.refused` for a group of somebody else's, which the message
  ///   names; `.file` for records that cannot be read or written.
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
      // A rotation moves the group to the new key.
      group.owner = signer
    } else if !(isMember && group.owner.continues(signer)) {
      // An extension that used it before may still be signed by the key before.
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

  /// The extensions that have a group of unsigned ones together with one of them, by group.
  func sharers(of identifier: String) throws(HostError) -> [String: [String]] {
    let records = try read() ?? Records()
    var result: [String: [String]] = [:]
    for group in records.unsigned.values where group.members.contains(identifier) {
      result[group.name] = group.members.filter { $0 != identifier }
    }
    return result.filter { !$0.value.isEmpty }
  }

  /// The extensions that have used a developer's group, but for one of them.
  func users(ofSigned name: String, but identifier: String) throws(HostError) -> [String] {
    let members = try (read() ?? Records()).signed[name.lowercased()]?.members ?? []
    return members.filter { $0 != identifier }
  }

  // MARK: Ending

  /// Takes a removed extension out of the groups that it used.
  ///
  /// Those of a developer stay the key's, and the unsigned group of a single extension stays that
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

  /// Removes a group's data and forgets whose it is.
  ///
  /// - Parameters:
  ///   - name: The group, in any letters' case.
  ///   - isUnsigned: Whether it is the group of unsigned extensions.
  ///   - inUse: Which of the group's members are installed and use it.
  /// - Throws: ``HostError`` with code `.refused` while it is in use, `.notInstalled` where there is
  ///   no such group.
  func forget(
    _ name: String,
    isUnsigned: Bool,
    inUse: ([String]) throws(HostError) -> [String]
  ) throws(HostError) {
    // All of it at once: who claims the group meanwhile must get neither its data nor lose its own.
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
    // The data first: who finds a record finds no data, and not the other way round.
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

  /// The records; none where no group was ever used.
  ///
  /// - Throws: ``HostError`` with code `.file` where there are groups of an older version that were
  ///   not given to their owners.
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

  /// The records; nil where none were ever written.
  func read() throws(HostError) -> Records? {
    guard let bytes = try data.contents(Self.fileName, atMost: 64 << 20) else { return nil }
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
      try data.replaceFile(Self.fileName, with: bytes)
    } catch {
      throw HostError(error)
    }
  }
}
