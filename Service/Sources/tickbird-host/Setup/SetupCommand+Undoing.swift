internal import ArgumentParser
internal import BrowserSetup
internal import DurableFiles
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import TextOutput

/// Undoing a setup.
extension SetupCommand {
  func takeBack() throws {
    // Before anything is done: what a running service has it would write again.
    let locks = try data && !dryRun ? DataRemoval(ServiceFolders()).lock() : []
    defer { withExtendedLifetime(locks) {} }
    isForAll ? try takeBackSystem() : try takeBackUser()
  }

  private func takeBackSystem() throws {
    func undo(isTrial: Bool) throws -> Teller {
      var teller = Teller(isTrial: isTrial)
      let changes = try systemChanges(isTrial: isTrial)
      try SystemSetup(changes: changes) { teller.tell($0) }.undo()
      return teller
    }
    let own = try hasRootsOwn ? takeBackOwn() : Teller(isTrial: false)
    guard
      try SystemSetup.hasFolder(root: systemRoot)
        || !SystemSetup(changes: systemChanges(isTrial: true), outcome: { _ in }).remains().isEmpty
    else {
      StandardOutput.line("Setup has written nothing for all users of this machine.")
      try removeData()
      return try tellOfLeft(own)
    }
    StandardOutput.line("For all users of this machine:")
    _ = try undo(isTrial: true)
    guard !dryRun else { return try removeData() }
    guard try asks("Do this?") else { throw ExitStatus.refused }
    StandardOutput.line("Done:")
    let done = try undo(isTrial: false)
    try removeData()
    try tellOfLeft(own)
    try tellOfLeft(done)
  }

  private func takeBackUser() throws {
    let done = try takeBackOwn()
    if !onlyMe, SystemSetup.hasFolder() { try takeBackSystemBySudo() }
    try removeData()
    try tellOfLeft(done)
  }

  private func takeBackOwn() throws -> Teller {
    func undo(isTrial: Bool) throws -> Teller {
      var teller = Teller(isTrial: isTrial)
      for each in try userChanges(isTrial: isTrial).undo() { teller.tell(each) }
      return teller
    }
    guard SetupChanges.isThere(recordFile: Self.userRecordFile) else {
      StandardOutput.line("Setup has written nothing of your own.")
      try tellOfManifests()
      return Teller(isTrial: false)
    }
    StandardOutput.line("Of your own:")
    _ = try undo(isTrial: true)
    guard !dryRun else { return Teller(isTrial: true) }
    guard try asks("Do this?") else { throw ExitStatus.refused }
    StandardOutput.line("Done:")
    return try undo(isTrial: false)
  }

  /// Whether root has set up something for itself alone, in the system that runs; a home that root was
  /// given and that is another user's does not count.
  private var hasRootsOwn: Bool {
    let file = Self.userRecordFile
    return root == "/" && SetupChanges.isThere(recordFile: file)
      && Trust().weakness(of: file.path) == nil
  }

  /// Names manifests of the user's that setup has no record of: who has written them cannot be told.
  private func tellOfManifests() throws {
    let places = BrowserPlaces()
    let installation = HostInstallation(
      places: places,
      program: try BrowserCommand.Options.programFile(nil)
    )
    for browser in Browser.allCases {
      let status = installation.status(browser, extensions: [])
      guard status.isManifestThere, installation.refusal(browser) == nil else { continue }
      StandardOutput.line(
        """
        \(path: status.manifest.path) lets \(browser.title) start Tickbird, and setup has no record of it; \
        “tickbird browser uninstall” removes it.
        """
      )
    }
  }

  private func takeBackSystemBySudo() throws {
    let words = try ownWords + ["--undo"]
    if !dryRun, let sudo = Sudo.program,
      try asks("Remove the extension for all users of this machine by sudo?"),
      Sudo(program: sudo, mayAsk: isatty(STDIN_FILENO) == 1).run(words + ["--yes"])
    {
      return
    }
    StandardOutput.line(
      """
      The extension is installed for all users of this machine; root removes it: \
      sudo \(words.joined(separator: " "))
      """
    )
    if !dryRun { throw ExitStatus.refused }
  }

  /// Removes what the user has in Tickbird, if that is wanted.
  private func removeData() throws {
    guard data else { return }
    let removal = DataRemoval(ServiceFolders())
    guard !removal.isEmpty else { return }
    try removal.check()
    StandardOutput.line("Your lists, notes, links, extensions, keys and settings:")
    removal.plan().forEach { StandardOutput.line("  \(asIs: $0.text)") }
    guard !dryRun else { return }
    guard try asks("Remove them? They cannot be brought back.") else { throw ExitStatus.refused }
    let done = removal.remove()
    done.lines.forEach { StandardOutput.line("  \(asIs: $0.text)") }
    if done.isRefused { throw ExitStatus.refused }
  }

  private func tellOfLeft(_ done: Teller) throws {
    guard done.isRefused else { return }
    StandardOutput.line(
      "What was left is no longer setup's own; remove it by hand if it is not needed."
    )
    throw ExitStatus.refused
  }
}
