internal import DurableFiles
internal import Foundation

/// What is in the folders of a store beside the bundles: what killed processes and earlier versions left, and what is
/// others'.
extension BundleStore {
  /// Throws if there is something in an extension's folder that the store does not make: a user may have put it
  /// there, and it would be removed with the extension.
  ///
  /// - Throws: ``HostError`` with code `.file`.
  func checkIsOwn(_ identifier: String) throws(HostError) {
    guard try has(identifier), try root.kind(of: identifier) == .folder else { return }
    let folder = try root.folder(identifier)
    var others: [String] = []
    for entry in try folder.names() where entry != Self.recordName {
      if try !isOwn(entry, in: folder) { others.append(folder.path(of: entry)) }
    }
    guard !others.isEmpty else { return }
    throw HostError(
      .file,
      "\(identifier) is not removed, since \(others.joined(separator: ", ")) would go with it, which is not"
        + " Tickbird's; move it away, and remove the extension then"
    )
  }

  /// Removes unfinished changes of a process that was killed.
  ///
  /// - Throws: ``HostError`` with code `.file`.
  public func removeLeftovers() throws(HostError) {
    let root = try root
    // Also for what an earlier version installed, which made no mark.
    if try !namesOfBundles().isEmpty { place.noteContents() }
    for name in try root.names() {
      if name.hasPrefix(Self.stagingPrefix) {
        try root.removeTree(name)
      } else if try root.kind(of: name) == .folder {
        let folder = try root.folder(name)
        // Without a readable record it is unknown what may be removed.
        guard let record = try? record(in: folder) else { continue }
        let entries = try folder.names()
        // One that names what is not there may be damaged, and another version the one that is meant.
        guard entries.contains(record.current) else { continue }
        for entry in entries
        where ![record.current, record.previous, Self.recordName].contains(entry) {
          if try isOwn(entry, in: folder) { try folder.removeTree(entry) }
        }
      }
    }
  }

  /// Whether an entry of an extension's folder has the form of what the store makes there: drafts of the record, and
  /// folders of versions with nothing but a bundle.
  private func isOwn(_ entry: String, in folder: Folder) throws(HostError) -> Bool {
    let kind = try folder.kind(of: entry)
    if DurableFile.isDraftName(entry) { return kind == .file }
    guard let mark = entry.split(separator: "-").last, mark.utf8.count == 8,
      mark.allSatisfy({ "0123456789ABCDEF".contains($0) }), kind == .folder
    else { return false }
    return try folder.folder(entry).names().allSatisfy { $0.hasSuffix(".appex") }
  }

  /// Records the signers of bundles for which an older version did not record them.
  ///
  /// - Parameters:
  ///   - signer: Returns who signed a bundle of an identifier.
  ///   - willRecord: Called before the signer of a current bundle is recorded.
  /// - Throws: ``HostError`` with code `.file`, or the errors of the closures; what was recorded
  ///   stays.
  func recordSigners(
    _ signer: (_ identifier: String, _ bundle: URL) throws(HostError) -> Signer,
    willRecord: (_ identifier: String, _ signer: Signer) throws(HostError) -> Void
  ) throws(HostError) {
    for identifier in try identifiers() {
      guard let folder = try unlessDamaged({ () throws(HostError) in try folderInUse(identifier) })
      else { continue }
      // A damaged bundle stays without a signer until it is installed again.
      guard var record = try? record(in: folder), record.signer == nil,
        let current = try? bundle(in: folder, record.current)
      else { continue }
      let found = try signer(identifier, current.location)
      record.signer = found
      if let previous = record.previous, let bundle = try? bundle(in: folder, previous) {
        record.previousSigner = try signer(identifier, bundle.location)
      }
      try willRecord(identifier, found)
      try write(record, in: folder)
    }
  }
}
