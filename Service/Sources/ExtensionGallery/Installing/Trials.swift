internal import Foundation

/// First starts, and rolling back.
///
/// An installation is recorded before it begins; the record is removed once the new version has
/// started or the old one is restored. A record that is found later was left by a killed process,
/// or waits for its extension to be turned on.
extension ExtensionInstaller {
  /// How often a first start may be interrupted by the end of the process before it counts as
  /// failed.
  private static let attempts = 2
  /// How many failed versions of one extension are stored.
  private static let failures = 20

  /// The results of settling all open installations.
  struct Settlement: Sendable {
    /// The versions that failed and were rolled back.
    var failed: [FailedStart] = []
    /// The versions that could be neither tried nor rolled back; they stay as they are.
    var pending: [(identifier: String, error: GalleryError)] = []
  }

  /// Settles all open installations as far as possible; an error of one does not stop the others.
  ///
  /// - Throws: ``GalleryError``, except for errors of a single extension.
  @discardableResult
  func settle(_ state: inout GalleryState) async throws -> Settlement {
    var settlement = Settlement()
    for identifier in state.trials.keys.sorted() {
      do {
        guard let failure = try await settle(identifier, &state) else { continue }
        settlement.failed.append(failure)
      } catch let error as GalleryError where error.code == .notTried {
        settlement.pending.append((identifier, error))
      }
    }
    return settlement
  }

  /// Settles one open installation as far as possible.
  ///
  /// - Throws: ``GalleryError``, with code `.notTried` for the store's errors about this extension.
  func settle(_ identifier: String, _ state: inout GalleryState) async throws -> FailedStart? {
    do {
      return try await end(identifier, &state)
    } catch let error as GalleryError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      let version = state.trials[identifier].map { " \($0.version)" } ?? ""
      throw GalleryError(
        .notTried,
        "\(identifier)\(version) is installed, but could not be tried (\(error)); it is tried again"
      )
    }
  }

  private func end(_ identifier: String, _ state: inout GalleryState) async throws -> FailedStart? {
    guard var trial = state.trials[identifier] else { return nil }
    let installed = try await store.installedExtension(identifier)
    guard let installed, installed.isVersion(trial.version, signedBy: trial.identity.pin.key) else {
      try leave(trial, isNothingThere: installed == nil, identifier, &state)
      return nil
    }
    if trial.isInstalled != true {
      trial.isInstalled = true
      state.trials[identifier] = trial
      try file.write(state)
    }
    if trial.failure == nil {
      let start: FirstStart
      do {
        start = try await self.start(identifier, &trial, &state)
      } catch {
        if try await left(trial, identifier, &state) { return nil }
        throw error
      }
      switch start {
      case .waiting: return nil
      case .succeeded:
        state.identities[identifier] = trial.identity
        state.trials[identifier] = nil
        try file.write(state)
        return nil
      case .failed(let reason):
        // What was removed or replaced while it started did not fail.
        if try await left(trial, identifier, &state) { return nil }
        trial.failure = reason
      }
    }
    let reason = trial.failure ?? ""
    state.trials[identifier] = trial
    try file.write(state)
    let isKept = trial.replacesDamaged == true
    // To remove it would remove the data of the damaged one too.
    if isKept { try await store.turnOff(identifier) } else { try await store.goBack(identifier) }
    note(reason, of: trial, identifier, &state)
    state.trials[identifier] = nil
    try file.write(state)
    return FailedStart(
      identifier: identifier,
      version: trial.version,
      reason: reason,
      previous: trial.previous,
      isKept: isKept
    )
  }

  /// Ends the trial of a version that is not in its place any more.
  ///
  /// - Returns: Whether it is gone.
  private func left(
    _ trial: Trial,
    _ identifier: String,
    _ state: inout GalleryState
  ) async throws -> Bool {
    let installed = try await store.installedExtension(identifier)
    guard installed?.isVersion(trial.version, signedBy: trial.identity.pin.key) != true else {
      return false
    }
    try leave(trial, isNothingThere: installed == nil, identifier, &state)
    return true
  }

  private func leave(
    _ trial: Trial,
    isNothingThere: Bool,
    _ identifier: String,
    _ state: inout GalleryState
  ) throws {
    if let failure = trial.failure {
      note(failure, of: trial, identifier, &state)
    } else if trial.isInstalled == true || isNothingThere {
      // Somebody removed or replaced it before its first start. Its key is stored nevertheless,
      // since removing would otherwise be a way around the pin.
      state.identities[identifier] = trial.identity
    }
    // Otherwise the installation never happened: the previous version is still there.
    state.trials[identifier] = nil
    try file.write(state)
  }

  private func start(
    _ identifier: String,
    _ trial: inout Trial,
    _ state: inout GalleryState
  ) async throws -> FirstStart {
    // While it is turned off, nothing is counted or written.
    guard try await store.isOn(identifier) else { return .waiting }
    guard trial.attempts < Self.attempts else {
      return .failed("the service ended each time that it was started")
    }
    trial.attempts += 1
    state.trials[identifier] = trial
    try file.write(state)
    do {
      let start = try await store.firstStart(identifier)
      guard start == .waiting else { return start }
    } catch {
      // A failure of the host says nothing about the extension.
      trial.attempts -= 1
      state.trials[identifier] = trial
      try file.write(state)
      throw error
    }
    trial.attempts = 0
    state.trials[identifier] = trial
    try file.write(state)
    return .waiting
  }

  private func note(
    _ reason: String,
    of trial: Trial,
    _ identifier: String,
    _ state: inout GalleryState
  ) {
    var identity = state.identities[identifier] ?? KnownIdentity(pin: trial.identity.pin)
    let isNoted = identity.failed.last.map { $0.contents == trial.contents } ?? false
    guard !isNoted else { return }
    // A failed version does not undo a rotation that both keys signed: the old key was given up,
    // and may be stolen.
    identity.pin = trial.identity.pin
    identity.failed.append(
      FailedVersion(
        version: trial.version,
        contents: trial.contents,
        package: trial.package,
        reason: String(reason.prefix(500))
      )
    )
    identity.failed = identity.failed.suffix(Self.failures)
    state.identities[identifier] = identity
  }
}
