internal import BrowserPackages
internal import CLibrary
internal import DurableFiles
internal import Foundation
internal import NativeMessaging

/// The policy that installs the extension in Chromium's family, beside those of an administrator.
///
/// A browser reads every file in its folder of policies, whatever its name, and takes each key from the
/// last one by name. So the entry stands in exactly one file: in the administrator's last one that has the key,
/// in setup's own if there is none. Where the administrator's cannot be changed, it is for the administrator to
/// add. What earlier setups have put elsewhere is taken back.
extension SystemSetup {
  /// The largest file of policies that is looked into; the record has a copy of what is changed.
  private static let policyLimit = 1 << 20
  /// The largest that is looked into to find out what it says.
  private static let lookLimit = 16 << 20
  private static let settings = "ExtensionSettings"

  /// What a file of the administrator's says about extensions.
  private enum Policies {
    case nothing
    case settings
    /// It says something, or may, and no program can change it, for the given reason.
    case fixed(String)
  }

  /// Puts the policy where it acts, and takes it back from everywhere else.
  ///
  /// - Parameters:
  ///   - id: The package's id.
  ///   - isKnown: Whether it is the one that the package has, or will have.
  ///   - folder: A browser's folder of policies.
  /// - Throws: ``SetupError``.
  func installPolicy(_ id: String, isKnown: Bool, in folder: String) throws {
    let own = folder + "/" + InstallationFiles.chromiumPolicy
    let keys = [Self.settings, id]
    let last = try lastPolicies(in: folder, but: own)
    if isRenewal, try isPolicyGone(id, in: folder, last?.file) { return }
    guard let (file, found) = last else {
      try write(own, try InstallationFiles.chromiumPolicy(id: id, in: Self.ownFolder))
      return try takeBackPolicies(in: folder, but: own, [])
    }
    switch found {
    case .fixed(let reason):
      // Setup's own would take the place of the administrator's, or theirs of setup's.
      try takeBackPolicies(in: folder, but: file, keys)
      let place = try changes.root.place(file)
      if try says(id, file) { return outcome(.unchanged(place)) }
      let entry =
        isKnown
        ? "\"\(id)\": {\"installation_mode\": \"force_installed\", "
          + "\"update_url\": \"\(Self.updateAddress)\"}"
        : "an entry for the extension, which setup says once it has made the extension's id"
      outcome(
        .left(
          place,
          reason: "\(reason); where it has \(Self.settings), add to them: \(entry)"
        )
      )
    default:
      outcome(
        try changes.merge(
          into: file,
          keys,
          ["installation_mode": "force_installed", "update_url": Self.updateAddress],
          limit: Self.policyLimit,
          isEnough: Self.isInstalling
        )
      )
      try takeBackPolicies(in: folder, but: file, keys)
    }
  }

  /// Whether the policy is there, whoever has written it.
  func hasPolicy(_ id: String, in folder: String) throws -> Bool {
    let own = folder + "/" + InstallationFiles.chromiumPolicy
    return try says(id, lastPolicies(in: folder, but: own)?.file ?? own)
  }

  /// The places of the policies that somebody has written as setup says them, and that undoing does not take back.
  func policiesByHand() -> [String] {
    let ids = Self.extensionIDs(root: changes.root)
    let folders = Browser.allCases.filter { $0.family == .chromium }.map(\.policyFolder)
    return Set(folders).sorted().compactMap { folder in
      let own = folder + "/" + InstallationFiles.chromiumPolicy
      // Undoing goes on whatever a folder has.
      guard let file = try? lastPolicies(in: folder, but: own)?.file,
        !changes.record.entries.contains(where: { $0.path == file }),
        ids.contains(where: { (try? says($0, file)) ?? false })
      else { return nil }
      return try? changes.root.place(file)
    }
  }

  /// Whether the policy has to stay away, because it was taken away from where it was; that is then said.
  private func isPolicyGone(_ id: String, in folder: String, _ last: String?) throws -> Bool {
    let own = folder + "/" + InstallationFiles.chromiumPolicy
    let isOwn = changes.record.files.contains { $0.path == own }
    if isOwn, case .file = SetupChanges.look(at: try changes.checked(own)) { return false }
    let entries = changes.record.entries.map(\.path)
      .filter { SetupChanges.folder(of: $0) == folder }
    for file in [own] + [last].compactMap(\.self) + entries where try says(id, file) {
      return false
    }
    outcome(
      .passedOver(
        try changes.root.place(isOwn ? own : entries.first ?? last ?? own),
        reason: "it does not install the extension; a full setup does, or says what to add"
      )
    )
    return true
  }

  /// Whether a file installs the package, also with comments, which no program can keep.
  private func says(_ id: String, _ file: String) throws -> Bool {
    let real = try changes.root.real(file)
    guard let bytes = try? DurableFile.contents(of: real, atMost: Self.lookLimit),
      let settings = CommentedJSON.object(Data(bytes))?[Self.settings] as? [String: Any]
    else { return false }
    return settings[id].map(Self.isInstalling) ?? false
  }

  /// Whether a file of setup's own name installs a package of setup's, whichever id that has.
  func namesPackage(_ file: String) -> Bool {
    guard let real = try? changes.root.real(file),
      let bytes = try? DurableFile.contents(of: real, atMost: Self.lookLimit),
      let settings = CommentedJSON.object(Data(bytes))?[Self.settings] as? [String: Any]
    else { return false }
    return settings.values.contains(where: Self.isInstalling)
  }

  /// Whether an entry installs the package, whatever else it says.
  private static func isInstalling(_ entry: Any) -> Bool {
    guard let entry = entry as? [String: Any], entry["update_url"] as? String == updateAddress
    else { return false }
    return ["force_installed", "normal_installed"].contains(entry["installation_mode"] as? String)
  }

  private static let ownFolder = URL(filePath: folder, directoryHint: .isDirectory)
  private static let updateAddress = ownFolder.appending(path: InstallationFiles.updates)
    .absoluteString

  /// The administrator's last file that says something about extensions.
  private func lastPolicies(
    in folder: String,
    but own: String
  ) throws -> (file: String, found: Policies)? {
    let real = try changes.root.real(folder)
    let names: [String]
    do throws(FileFailure) {
      names = try DurableFolder.names(in: real)
    } catch {
      guard !error.isAbsence else { return nil }
      throw SetupError(.file, error.description)
    }
    for name in names.sorted(by: >) where !name.hasPrefix(DurableFile.draftPrefix) {
      let file = folder + "/" + name
      guard file != own else { continue }
      let found = try policies(file)
      if case .nothing = found { continue }
      return (file, found)
    }
    return nil
  }

  private func policies(_ file: String) throws -> Policies {
    let place = try changes.root.place(file)
    let real = try changes.root.real(file)
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try DurableFile.contents(of: real, atMost: Self.lookLimit)
    } catch {
      // A folder, a pipe, a link to nothing: no browser reads policies from it.
      if error.isAboutFile, error.number != EFBIG { return .nothing }
      return .fixed(
        "it cannot be looked into (\(error.reason)), so nothing was installed beside it"
      )
    }
    let data = Data(bytes)
    guard let object = SetupChanges.object(data) else {
      // A file with comments may say it all the same.
      return String(decoding: data, as: UTF8.self).contains(Self.settings)
        ? .fixed("it names \(Self.settings), and is no JSON that a program can change") : .nothing
    }
    guard let settings = object[Self.settings] else { return .nothing }
    guard settings is [String: Any] else { return .fixed("\(Self.settings) is no object in it") }
    guard bytes.count <= Self.policyLimit else {
      return .fixed("it is larger than \(Self.policyLimit) bytes")
    }
    guard case .file = SetupChanges.look(at: place) else { return .fixed("it is a link") }
    if let weakness = changes.weakness(of: place) {
      return .fixed("it is not used, because others than root could change it: \(weakness)")
    }
    return .settings
  }

  private func takeBackPolicies(
    in folder: String,
    but file: String?,
    _ keys: [String]
  ) throws {
    let own = folder + "/" + InstallationFiles.chromiumPolicy
    for known in changes.record.files where known.path == own && own != file {
      if let done = try changes.takeBack(known) { outcome(done) }
    }
    for entry in changes.record.entries
    where SetupChanges.folder(of: entry.path) == folder && entry.keys.first == Self.settings
      && (entry.path != file || entry.keys != keys)
    {
      if let done = try changes.takeBack(entry) { outcome(done) }
    }
  }
}
