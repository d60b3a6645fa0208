/// Migration of folders from before ownership was recorded.
extension GroupOwners {
  /// Gives the groups of an older version to their owners, once.
  ///
  /// Before, any extension could use a group by its name. A group goes to a developer if all
  /// installed extensions that name it are signed by that developer, and stays with unsigned ones
  /// if all are unsigned, since they already shared it. Any other group is moved to
  /// `UnownedGroups`: the first to install after an update must not inherit a stranger's data.
  ///
  /// - Parameter installed: The installed extensions with the groups that they name.
  /// - Returns: A sentence for each group that was moved away.
  /// - Throws: ``HostError`` with code `.file`; the rest is done at the next start.
  func adopt(
    _ installed: [(claimant: Claimant, groups: [String])]
  ) throws(HostError) -> [String] {
    guard try read() == nil else { return [] }
    var records = Records()
    var sentences: [String] = []
    let groups = try data.ensureFolder(ExtensionContainers.groupsName)
    let signed = try data.ensureFolder(ExtensionContainers.signedGroupsName)
    for name in try groups.names() where try groups.kind(of: name) == .folder {
      let users = installed.filter { $0.groups.contains(name) }.map(\.claimant)
      let owner = users.map(\.signer).first { signer in
        users.allSatisfy { signer.continues($0.signer) }
      }
      let members = users.map(\.identifier).sorted()
      let key = name.lowercased()
      let isTaken = records.unsigned[key] != nil || records.signed[key] != nil
      switch isTaken ? nil : owner {
      case nil:
        try putAside(name, from: groups)
        sentences.append(
          "the application group \(name) was put aside in "
            + "\(data.path(of: ExtensionContainers.unownedGroupsName)), since nothing shows whose "
            + "it is"
        )
      case let owner? where owner.isUnsigned:
        records.unsigned[key] = Unsigned(name: name, members: members)
      case let owner?:
        let folder = try signed.ensureFolder(owner.description)
        try groups.move(name, to: folder, as: name)
        try folder.synchronize()
        records.signed[key] = Signed(
          name: name,
          owner: owner,
          folder: owner.description,
          members: members
        )
      }
    }
    // Groups moved before an interruption, or whose records were lost.
    for fingerprint in try signed.names() {
      guard let owner = try? Signer(fingerprint: fingerprint) else { continue }
      for name in try signed.folder(fingerprint).names()
      where records.signed[name.lowercased()] == nil {
        let users = installed.filter {
          $0.groups.contains(name) && $0.claimant.signer.continues(owner)
        }
        records.signed[name.lowercased()] = Signed(
          name: name,
          owner: users.map(\.claimant.signer).first ?? owner,
          folder: fingerprint,
          members: users.map(\.claimant.identifier).sorted()
        )
      }
    }
    try groups.synchronize()
    try signed.synchronize()
    try write(records)
    return sentences
  }

  private func putAside(_ name: String, from groups: Folder) throws(HostError) {
    let aside = try data.ensureFolder(ExtensionContainers.unownedGroupsName)
    var number = 0
    var free = name
    while try aside.kind(of: free) != nil {
      number += 1
      free = "\(name)-\(number)"
    }
    try groups.move(name, to: aside, as: free)
    try aside.synchronize()
  }
}
