internal import ContentBlocking
public import ExtensionMessages
public import Foundation

/// Returns who signed what an older version installed, which did not record it.
public typealias SignerLookUp =
  @Sendable (_ identifier: String, _ bundle: URL) throws(HostError) -> Signer

/// What the user explicitly allows for an installation.
public struct InstallConsent: Equatable, Sendable {
  /// Whether an unsigned bundle, or one signed with a different key, may replace a signed one.
  public var replacesSigned: Bool
  /// Whether an unsigned bundle may share the groups of other unsigned ones.
  public var sharesGroups: Bool
  /// Whether a bundle gets the data of the damaged one that it replaces, of which it is not known who signed it.
  public var keepsData: Bool

  /// Creates a consent, by default to nothing.
  public init(replacesSigned: Bool = false, sharesGroups: Bool = false, keepsData: Bool = false) {
    self.replacesSigned = replacesSigned
    self.sharesGroups = sharesGroups
    self.keepsData = keepsData
  }
}

extension AppExtensionHost {
  // MARK: Which bundle may take which one's place

  /// Checks whether a bundle may be installed under its identifier.
  ///
  /// - Parameters:
  ///   - new: The bundle, with its signer.
  ///   - isInstalled: Whether anything, even damaged, is installed under its identifier.
  ///   - signer: Who signed that; nil if unknown.
  ///   - consent: What the user allows.
  /// - Throws: ``HostError`` with code `.refused`.
  nonisolated func checkPlace(
    of new: InstalledBundle,
    isInstalled: Bool,
    signer: Signer?,
    _ consent: InstallConsent
  ) throws(HostError) {
    let identifier = new.identifier
    let twin = try bundles.identifiers()
      .first { $0 != identifier && $0.lowercased() == identifier.lowercased() }
    if let twin {
      throw HostError(
        .refused,
        "\(identifier) differs from the installed \(twin) in letters' case alone; remove that first"
      )
    }
    guard isInstalled, !consent.replacesSigned else { return }
    // A bundle without a known signer counts as unsigned.
    let newSigner = new.signer ?? .unsigned
    let way =
      "to replace it all the same, give --replace-signed to tickbird extensions install or go-back, or first: "
      + "tickbird extensions remove \(identifier); it is then off, and the data, the grants and the "
      + "groups of the signed one are not handed over"
    guard let signer else {
      if consent.keepsData { return }
      throw HostError(
        .refused,
        "it is unknown who signed the installed \(identifier), which is damaged; if you trust this one with its data, "
          + "give --keep-data to tickbird install or extensions install; it is then off; \(way)"
      )
    }
    guard !signer.isUnsigned, !newSigner.continues(signer) else { return }
    throw HostError(
      .refused,
      newSigner.isUnsigned
        ? "the installed \(identifier) is signed by \(signer), and this bundle by nobody; \(way)"
        : "the installed \(identifier) is signed by \(signer), and this one by \(newSigner); \(way)"
    )
  }

  /// Returns who signed what is installed, from any available source.
  nonisolated func knownSigner(of identifier: String) -> Signer? {
    // A damaged record must not let anybody replace a signed extension.
    let recorded = try? bundles.signer(of: identifier)
    return recorded ?? (try? states.state(of: identifier))?.owner
  }

  // MARK: What was decided about another one

  /// Returns the user's decisions about a bundle; none if they were about another developer's.
  nonisolated func state(of bundle: InstalledBundle) throws(HostError) -> ExtensionState {
    let state = try states.state(of: bundle.identifier)
    guard state.isAbout(bundle.signer) else {
      var new = ExtensionState()
      new.owner = bundle.signer
      return new
    }
    return state
  }

  /// Returns the state for a change, after removing anything left by another developer's extension
  /// of the same identifier.
  func stateToChange(of identifier: String) throws(HostError) -> ExtensionState {
    var state: ExtensionState
    var isDamaged = false
    do throws(HostError) {
      state = try states.state(of: identifier)
    } catch {
      // A file that cannot be read now holds the user's decisions, and must not be overwritten.
      guard error.code == .damaged else { throw error }
      // A damaged file is replaced; otherwise turning the extension on or off could never repair
      // it.
      log.add(error.message, by: .host, of: identifier)
      state = ExtensionState()
      isDamaged = true
    }
    // An older version did not record the signer; until it is known, everything keeps its owner.
    // Of a damaged bundle it is not known either.
    let signer: Signer?
    do throws(HostError) { signer = try bundles.bundle(identifier)?.signer } catch {
      guard error.code == .badBundle else { throw error }
      return state
    }
    guard let signer else { return state }
    // A state without an owner may have been lost: what is not the bundle's was taken away before that was installed.
    if !isDamaged, !state.isAbout(signer) {
      try containers.remove(identifier)
      try removeKeptList(of: identifier)
      setListInForce(nil, of: identifier)
      forgetMessages(of: identifier)
      state = ExtensionState()
    }
    state.owner = signer
    return state
  }

  /// Takes away from a bundle, before it is installed, what under its identifier is not its developer's.
  ///
  /// Where it is known whose that is, the state says so from then on, and the next change empties the container; where
  /// nobody knows, the container goes at once, unless the bundle may have it.
  nonisolated func secure(
    _ identifier: String,
    for signer: Signer?,
    isInstalled: Bool,
    keepsData: Bool = false
  ) throws(HostError) {
    let state = try states.undamagedState(of: identifier)
    var installed: Signer?
    if isInstalled { installed = (try? bundles.signer(of: identifier)) ?? nil }
    let owner = state?.owner ?? installed
    if let owner, signer?.continues(owner) ?? false { return }
    if let owner, var state {
      guard state.owner == nil else { return }
      state.owner = owner
      return try states.set(state, of: identifier)
    }
    if keepsData {
      var found = state ?? ExtensionState()
      found.owner = signer
      // That was decided about one whose developer nobody knows.
      (found.isOn, found.isNetworkGranted) = (false, false)
      return try states.set(found, of: identifier)
    }
    try containers.remove(identifier)
    try removeKeptList(of: identifier)
  }

  /// Removes the compiled list that is kept for an extension, if there is one.
  ///
  /// Were another developer's left behind, turning the extension on would put it in force.
  nonisolated func removeKeptList(of identifier: String) throws(HostError) {
    do throws(RuleListStoreError) {
      try lists.removeContentRuleListIfPresent(forIdentifier: identifier)
    } catch {
      throw HostError(.file, error.message)
    }
  }

  /// Turns off an extension that has replaced another developer's, and empties its container.
  func beginAnew(_ identifier: String) async -> Result<Void, ErrorReport> {
    stopRuns(of: identifier, "another developer's extension takes its place")
    return await inOrder(identifier) {
      await self.waitForProcesses(of: identifier)
      return await self.change(identifier) { _ in }
    }
  }

  // MARK: Older versions

  /// Records who signed what an older version installed, and to whom its states and groups belong.
  ///
  /// Data without a provable owner is given to nobody.
  func adoptOlder(_ lookUp: SignerLookUp) throws(HostError) {
    try bundles.recordSigners(lookUp) { identifier, signer throws(HostError) in
      guard var state = try states.undamagedState(of: identifier), state.owner == nil else {
        return
      }
      state.owner = signer
      try states.set(state, of: identifier)
    }
    var installed: [(claimant: GroupOwners.Claimant, groups: [String])] = []
    for bundle in try bundles.bundles() {
      guard let signer = bundle.signer else { continue }
      let claimant = GroupOwners.Claimant(identifier: bundle.identifier, signer: signer)
      installed.append((claimant, bundle.entitlements?.groups ?? []))
    }
    for sentence in try groupOwners.adopt(installed) { adoptions.append(sentence) }
  }

  // MARK: Whom an extension reaches

  /// Returns whether an extension may ask about another one, send it messages, or have it reloaded.
  ///
  /// It reaches itself and other extensions signed by its developer. Unsigned ones reach each other
  /// if the user let them share a group.
  func mayReach(_ target: String, from bundle: InstalledBundle) -> Bool {
    guard let own = bundle.signer, let other = try? bundles.signer(of: target) else {
      return false
    }
    // The identifier may belong to another developer by now.
    if target == bundle.identifier { return own.continues(other) || other.continues(own) }
    guard own.isUnsigned else { return own.continues(other) }
    guard other.isUnsigned, let shared = try? groupOwners.sharers(of: bundle.identifier) else {
      return false
    }
    return shared.values.contains { $0.contains(target) }
  }

  // MARK: Groups

  /// Returns the groups of a bundle, claiming their folders for it.
  func groups(of bundle: InstalledBundle) throws(HostError) -> [String: GroupOwners.Place] {
    let names = bundle.entitlements?.groups ?? []
    guard !names.isEmpty else { return [:] }
    guard let signer = bundle.signer else {
      throw HostError(
        .refused,
        "it is not known who signed \(bundle.identifier), so that it has no groups; install it again"
      )
    }
    return try groupOwners.claim(
      names,
      by: GroupOwners.Claimant(identifier: bundle.identifier, signer: signer)
    )
  }

  /// Returns the other extensions that share a bundle's groups, by group.
  func sharers(of bundle: InstalledBundle) -> [String: [String]] {
    let names = bundle.entitlements?.groups ?? []
    guard !names.isEmpty, let signer = bundle.signer else { return [:] }
    if signer.isUnsigned { return (try? groupOwners.sharers(of: bundle.identifier)) ?? [:] }
    var result: [String: [String]] = [:]
    for name in names {
      let users = try? groupOwners.users(ofSigned: name, but: bundle.identifier)
      if let users, !users.isEmpty { result[name] = users }
    }
    return result
  }

  /// Removes a group's data and ownership.
  ///
  /// - Parameters:
  ///   - name: The group.
  ///   - isUnsigned: Whether it is the group of unsigned extensions, not of a developer.
  /// - Throws: ``HostError/domain`` if an installed extension uses it, or it does not exist.
  public func forgetGroup(_ name: String, isUnsigned: Bool) throws(ErrorReport) {
    do throws(HostError) {
      let bundles = bundles
      try groupOwners.forget(name, isUnsigned: isUnsigned) { members throws(HostError) in
        try bundles.bundles().filter { bundle in
          bundle.signer?.isUnsigned == isUnsigned && members.contains(bundle.identifier)
            && bundle.entitlements?.groups.contains { $0.lowercased() == name.lowercased() }
              ?? false
        }
        .map(\.identifier)
      }
    } catch {
      throw error.report
    }
  }
}
