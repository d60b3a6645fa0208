internal import CLibrary
internal import DurableFiles
public import Foundation
public import NativeMessaging

/// Native messaging manifests, and the way back.
extension SetupChanges {
  /// Registers the program with a user's browser.
  ///
  /// - Parameters:
  ///   - browser: The browser.
  ///   - installation: The program and the places of the user's browsers.
  ///   - file: The manifest's place.
  ///   - extensions: The ids that may start it.
  /// - Returns: What was done.
  /// - Throws: ``SetupError``.
  public func register(
    _ browser: Browser,
    _ installation: HostInstallation,
    at file: URL,
    extensions: [String]
  ) throws(SetupError) -> Outcome {
    _ = try checked(file.path)
    if let reason = installation.refusal(browser) { return .left(file.path, reason: reason) }
    let wanted = extensions.filter { browser.family.isExtensionID($0) }
    var present: [String] = []
    if case .manifest(let old) = HostManifest.read(file, family: browser.family) {
      present = old.callers
    }
    let added = wanted.filter { !present.contains(browser.family.caller($0)) }
    if installation.status(browser, extensions: wanted).isReady { return .unchanged(file.path) }
    guard !isTrial else { return .written(file.path) }
    try makeFolder(Self.folder(of: file.path))
    if let known = record.hosts.firstIndex(where: { $0.path == file.path }) {
      let old = record.hosts[known].extensions
      record.hosts[known].extensions += added.filter { !old.contains($0) }
    } else if !added.isEmpty {
      record.hosts.append(.init(path: file.path, browser: browser.rawValue, extensions: added))
    }
    try save()
    do {
      switch try installation.install(browser, extensions: wanted) {
      case .refused(_, let reason): return .left(file.path, reason: reason)
      case .unchanged: return .unchanged(file.path)
      default: return .written(file.path)
      }
    } catch {
      throw SetupError(.file, "\(file.path) cannot be written: \(FileFailure.reason(of: error))")
    }
  }

  /// Removes everything that the record names and that is still as setup has written it.
  ///
  /// What somebody has changed is left, said and forgotten. A failure leaves in the record what is not
  /// removed yet, so that another call completes it.
  ///
  /// - Returns: What was done to each.
  /// - Throws: ``SetupError``.
  public func undo() throws(SetupError) -> [Outcome] {
    isUndoing = true
    var outcomes: [Outcome] = []
    for host in record.hosts {
      if let outcome = try unregister(host) { outcomes.append(outcome) }
      record.hosts.removeAll { !isTrial && $0 == host }
      try save()
    }
    for entry in record.entries {
      if let outcome = try takeOut(entry) { outcomes.append(outcome) }
      record.entries.removeAll { !isTrial && $0 == entry }
      try save()
    }
    // What lets browsers use others goes first.
    for known in record.files.reversed() {
      if let outcome = try remove(known) { outcomes.append(outcome) }
      record.files.removeAll { !isTrial && $0 == known }
      try save()
    }
    guard !isTrial else { return outcomes }
    if isForAll { removeDrafts(Self.folder(of: recordFile.path)) }
    for folder in record.folders.reversed() { removeDrafts(try root.real(folder)) }
    try end()
    return outcomes
  }

  /// Removes one file of setup's own; what somebody has changed stays, and stays in the record.
  func takeBack(_ known: SetupRecord.File) throws(SetupError) -> Outcome? {
    let outcome = try remove(known)
    if case .left = outcome { return outcome }
    record.files.removeAll { !isTrial && $0 == known }
    try save()
    return outcome
  }

  /// Takes one value out again; what somebody has changed stays, and stays in the record.
  func takeBack(_ entry: SetupRecord.Entry) throws(SetupError) -> Outcome? {
    let outcome = try takeOut(entry)
    if case .left = outcome { return outcome }
    record.entries.removeAll { !isTrial && $0 == entry }
    try save()
    return outcome
  }

  private func unregister(_ host: SetupRecord.Host) throws(SetupError) -> Outcome? {
    let place = try checked(host.path)
    guard let browser = Browser(rawValue: host.browser), DurableFile.isThere(place) else {
      return nil
    }
    guard !isTrial else { return .takenOut(place) }
    // Whose manifest it is follows from what it says; the program may have been moved since.
    let places = BrowserPlaces(
      home: URL(filePath: "/"),
      configuration: URL(filePath: "/"),
      programs: []
    )
    let installation = HostInstallation(places: places, program: URL(filePath: "/tickbird-host"))
    do {
      let outcome = try installation.uninstall(
        at: URL(filePath: place),
        browser.family,
        extensions: host.extensions
      )
      removeDrafts(Self.folder(of: place))
      switch outcome {
      case .removed: return .removed(place)
      case .kept: return .takenOut(place)
      case .refused(_, let reason): return .left(place, reason: reason)
      default: return nil
      }
    } catch {
      throw SetupError(.file, "\(place) cannot be removed: \(FileFailure.reason(of: error))")
    }
  }

  private func remove(_ known: SetupRecord.File) throws(SetupError) -> Outcome? {
    let place = try checked(known.path)
    defer { if !isTrial { removeDrafts(Self.folder(of: place)) } }
    switch Self.look(at: place) {
    case .absent: return nil
    case .other(let reason): return .left(place, reason: reason)
    case .file(let found):
      guard known.digests.contains(Self.digest(found)) else {
        return .left(place, reason: Self.changed)
      }
      if !isTrial { try file { try DurableFile.remove(place) } }
      return .removed(place)
    }
  }

  /// Removes what an interrupted write has left behind.
  private func removeDrafts(_ folder: String) {
    let names = (try? DurableFolder.names(in: folder)) ?? []
    for name in names where name.hasPrefix(DurableFile.draftPrefix) {
      let path = folder + "/" + name
      var status = stat()
      guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == geteuid()
      else { continue }
      _ = try? DurableFile.remove(path)
    }
  }
}
