internal import BlockingWork
internal import ContentBlocking
public import ExtensionBundles
public import ExtensionMessages
public import ExtensionSandbox
public import Foundation

/// An installed extension, for lists.
public struct ExtensionSummary: Equatable, Sendable {
  /// The installed bundle.
  public let bundle: InstalledBundle
  /// The user's decisions, and the last outcome.
  public let state: ExtensionState
  /// Whether it may make connections.
  public let allowsNetwork: Bool
  /// Whether it has an active compiled list.
  public let hasListInForce: Bool
  /// What enforces its process's limits; empty if it has no process.
  public let limits: [LimitHolder]
  /// The other extensions that share its groups, by group.
  public let sharers: [String: [String]]
  /// The folders of its groups, by group; empty if the groups cannot be given to it.
  public let groupFolders: [String: URL]
  /// Describes which walls this machine now offers for its process; nil if it has no process.
  ///
  /// Those of the last start are in ``state``.
  public let walls: String?
}

extension AppExtensionHost {
  /// Returns all installed extensions that can be read, sorted by identifier.
  public func extensions() throws(ErrorReport) -> [ExtensionSummary] {
    try listed().compactMap { try? $0.found.get() }
  }

  /// Returns one installed extension.
  ///
  /// - Throws: `SFErrorDomain` 1 if it is not installed.
  public func summary(of identifier: String) throws(ErrorReport) -> ExtensionSummary {
    let bundle = try installed(identifier)
    do throws(HostError) { return try summary(bundle) } catch { throw error.report }
  }

  private func summary(_ bundle: InstalledBundle) throws(HostError) -> ExtensionSummary {
    ExtensionSummary(
      bundle: bundle,
      state: try state(of: bundle),
      allowsNetwork: allowsNetwork(bundle),
      hasListInForce: isListInForce(bundle.identifier),
      limits: bundle.executable == nil ? [] : limitHolders(of: bundle),
      sharers: sharers(of: bundle),
      groupFolders: groupFolders(of: bundle),
      walls: bundle.executable == nil ? nil : launcher.walls(network: allowsNetwork(bundle))
    )
  }

  private func limitHolders(of bundle: InstalledBundle) -> [LimitHolder] {
    let ownLimit = LimitHolder(
      resource: "processor time of all requests",
      amount: "\(configuration.processorTimePerHour) s within an hour",
      holder: "the host, at each start"
    )
    let isSession = bundle.extensionPoint == .appExtension
    return Sandbox.holders(of: configuration.processLimits(ofSession: isSession)) + [ownLimit]
  }

  /// Installs a bundle, replacing the installed one of its identifier.
  ///
  /// A new extension is turned off. One that is on stays on, and a content blocker is reloaded; if
  /// its list fails, the failure is recorded and the old list stays active. If it replaces another
  /// developer's extension, or an unsigned one replaces a signed one, it is turned off and inherits
  /// nothing.
  ///
  /// - Parameters:
  ///   - bundle: The folder `NAME.appex`; it is copied.
  ///   - signer: Who signed it.
  ///   - onlyNewer: Whether to refuse a version that is not newer than the installed one.
  ///   - consent: What the user additionally allows.
  /// - Returns: The installed bundle.
  /// - Throws: ``HostError/domain`` if the bundle cannot be installed, must not replace the
  ///   installed one, or names a group that belongs to somebody else.
  @discardableResult
  public func install(
    _ bundle: URL,
    signedBy signer: Signer = .unsigned,
    onlyNewer: Bool = false,
    consent: InstallConsent = InstallConsent()
  ) async throws(ErrorReport) -> InstalledBundle {
    try checkRunning()
    let (store, owners, containers, observer) = (bundles, groupOwners, containers, observer)
    // Installations share one queue: a bundle's identifier is known only once it is copied.
    let result: Result<InstalledBundle, ErrorReport> = await inOrder(Self.installing) {
      do throws(HostError) {
        return .success(
          try await blocking { () throws(HostError) in
            let placed = try store.install(bundle, signedBy: signer) {
              new,
              installed throws(HostError) in
              let isInstalled = try store.identifiers().contains(new.identifier)
              let known = self.knownSigner(of: new.identifier)
              try self.checkPlace(
                of: new,
                isInstalled: isInstalled,
                signer: known,
                consent
              )
              try owners.claim(
                new.entitlements?.groups ?? [],
                by: GroupOwners.Claimant(identifier: new.identifier, signer: signer),
                isSharing: consent.sharesGroups,
                isTrial: true
              )
              guard onlyNewer, let installed, !new.isNewer(than: installed) else {
                try observer.check(new)
                return try self.secure(
                  new.identifier,
                  for: signer,
                  isInstalled: isInstalled,
                  keepsData: consent.keepsData && known == nil
                )
              }
              throw HostError(
                .badBundle,
                "\(new.identifier) \(new.version) (\(new.build)) is not newer than the installed "
                  + "\(installed.version) (\(installed.build))"
              )
            }
            // Before the next installation, so that no other extension gets them first.
            try containers.makeGroups(
              owners.claim(
                placed.entitlements?.groups ?? [],
                by: GroupOwners.Claimant(identifier: placed.identifier, signer: signer),
                isSharing: consent.sharesGroups
              )
            )
            return placed
          }
        )
      } catch {
        return .failure(error.report)
      }
    }
    let installed = try result.get()
    log.add(
      "version \(installed.version) was installed, signed by \(signer.fingerprint ?? "nobody")",
      by: .host,
      of: installed.identifier
    )
    await tellObserver(installed.identifier, installed)
    try await settleChange(installed)
    return installed
  }

  /// The name of the queue of installations; no identifier looks like this.
  private static let installing = "/install"

  /// Restores the previous version.
  ///
  /// - Throws: ``HostError/domain`` if there is none, or it must not replace a signed one.
  @discardableResult
  public func goBack(
    _ identifier: String,
    consent: InstallConsent = InstallConsent()
  ) async throws(ErrorReport) -> InstalledBundle {
    try checkIsThere(identifier)
    let (store, observer) = (bundles, observer)
    let result: Result<InstalledBundle, ErrorReport> = await inOrder(Self.installing) {
      do throws(HostError) {
        return .success(
          try store.goBack(identifier) { previous, current throws(HostError) in
            try observer.check(previous)
            // The developer's own previous version, even if the key was rotated since.
            if let current, let signer = previous.signer, current.continues(signer) { return }
            try self.checkPlace(of: previous, isInstalled: true, signer: current, consent)
            try self.secure(identifier, for: previous.signer, isInstalled: true)
          }
        )
      } catch {
        return .failure(error.report)
      }
    }
    let bundle = try result.get()
    log.add("version \(bundle.version) was put back", by: .host, of: identifier)
    await tellObserver(identifier, bundle)
    try await settleChange(bundle)
    return bundle
  }

  /// Handles the consequences of replacing a bundle.
  private func settleChange(_ bundle: InstalledBundle) async throws(ErrorReport) {
    stopHandlers(of: bundle.identifier, "another version was installed")
    let kept: ExtensionState?
    do throws(HostError) {
      kept = try states.undamagedState(of: bundle.identifier)
    } catch {
      throw error.report
    }
    guard kept?.isAbout(bundle.signer) ?? true else {
      return try await beginAnew(bundle.identifier).get()
    }
    guard kept?.isOn ?? false else { return setListInForce(nil, of: bundle.identifier) }
    guard bundle.hasList else { return }
    // A failure is recorded.
    try? await reload(bundle.identifier)
  }

  /// Removes an extension with its container, its list and the user's decisions.
  ///
  /// A removal that failed or was interrupted leaves an extension that is turned off; another call
  /// continues it. Folders of application groups stay, since others may use them. What is damaged is
  /// removed too.
  ///
  /// - Throws: `SFErrorDomain` 1 if nothing of it exists, ``HostError/domain``.
  public func remove(_ identifier: String) async throws(ErrorReport) {
    // An interrupted removal may have left only the container.
    if !ExtensionNames.isBundleIdentifier(identifier) || !containers.has(identifier) {
      try checkIsThere(identifier)
    }
    stopRuns(of: identifier, "the extension is being removed")
    let result: Result<Void, ErrorReport> = await inOrder(identifier) {
      await self.removeNow(identifier)
    }
    try result.get()
    await tellObserver(identifier, nil)
  }

  /// Lets whoever depends on the installed bundles follow a change, after which it is too late to
  /// refuse it.
  private func tellObserver(_ identifier: String, _ bundle: InstalledBundle?) async {
    let observer = observer
    let outcome = await blocking { observer.change(identifier, bundle) }
    guard let outcome, bundle != nil else { return }
    log.add(outcome, by: .host, of: identifier)
  }

  private func removeNow(_ identifier: String) async -> Result<Void, ErrorReport> {
    let (store, containers) = (bundles, containers)
    do throws(HostError) {
      try store.checkIsOwn(identifier)
      // First, so that an interruption never leaves a half-removed extension turned on.
      try states.remove(identifier)
      setListInForce(nil, of: identifier)
      try removeKeptList(of: identifier)
      // A container may contain any number of files.
      try await blocking { () throws(HostError) in try containers.remove(identifier) }
      try groupOwners.leave(identifier)
      try log.remove(identifier)
      forgetMessages(of: identifier)
      crashes[identifier] = nil
      toldWalls[identifier] = nil
      // The bundle goes last: as long as it exists, the user sees that something is left to remove.
      let result: Result<Void, HostError> = await inOrder(Self.installing) {
        do throws(HostError) {
          try await blocking { () throws(HostError) in
            do throws(HostError) {
              try store.remove(identifier)
            } catch  where error.code == .notInstalled {
              // An earlier, interrupted call removed it.
            }
          }
          return .success(())
        } catch {
          return .failure(error)
        }
      }
      try result.get()
      return .success(())
    } catch {
      return .failure(error.report)
    }
  }

  /// Removes everything that an extension has written; its list and the user's decisions stay.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - groups: Whether to empty its application groups too, which other extensions may use.
  /// - Throws: `SFErrorDomain` 1 if it is not installed; ``HostError/domain`` if a file cannot be
  ///   removed.
  public func clear(_ identifier: String, groups: Bool) async throws(ErrorReport) {
    let bundle = try installed(identifier)
    stopRuns(of: identifier, "what the extension has written is being removed")
    let places: [GroupOwners.Place]
    do throws(HostError) {
      places = groups ? Array(try self.groups(of: bundle).values) : []
    } catch {
      throw error.report
    }
    let containers = containers
    let result: Result<Void, ErrorReport> = await inOrder(identifier) {
      do throws(HostError) {
        return .success(
          try await blocking { () throws(HostError) in
            try containers.clear(identifier, groups: places)
          }
        )
      } catch {
        return .failure(error.report)
      }
    }
    try result.get()
    log.add("what the extension had written was removed", by: .host, of: identifier)
  }

  /// Turns an extension on; a content blocker is started and its list compiled.
  ///
  /// - Throws: As ``reload(_:)``. The extension is turned on nevertheless, with its previous list.
  public func turnOn(_ identifier: String) async throws(ErrorReport) {
    let bundle = try installed(identifier)
    let result: Result<Void, ErrorReport> = await inOrder(identifier) {
      let result = await self.change(identifier) { $0.isOn = true }
      if case .success = result { await self.takeKeptListIntoForce(identifier) }
      return result
    }
    try result.get()
    crashes[identifier] = nil
    if bundle.hasList { try await reload(identifier) }
  }

  private func takeKeptListIntoForce(_ identifier: String) {
    guard let list = try? lists.lookUpContentRuleList(forIdentifier: identifier) else { return }
    setListInForce(list, of: identifier)
  }

  /// Turns an extension off: deactivates its list and starts nothing of it.
  ///
  /// Also one that is damaged.
  public func turnOff(_ identifier: String) async throws(ErrorReport) {
    try checkIsThere(identifier)
    stopRuns(of: identifier, "the extension is being turned off")
    let result: Result<Void, ErrorReport> = await inOrder(identifier) {
      let result = await self.change(identifier) { $0.isOn = false }
      await self.setListInForce(nil, of: identifier)
      return result
    }
    try result.get()
  }

  /// Records whether the user lets an extension without entitlements make connections.
  ///
  /// - Throws: ``HostError/domain`` if the bundle has entitlements, which then decide alone.
  public func setNetworkGranted(
    _ isGranted: Bool,
    to identifier: String
  ) async throws(ErrorReport) {
    let bundle = try installed(identifier)
    if isGranted, bundle.entitlements != nil {
      throw HostError(
        .refused,
        "\(identifier) has entitlements, and they alone say whether it may use the network; its "
          + "developer adds com.apple.security.network.client to them"
      ).report
    }
    let result = await inOrder(identifier) {
      await self.change(identifier) { $0.isNetworkGranted = isGranted }
    }
    try result.get()
    stopHandlers(of: identifier, "what it may do has changed")
    log.add(
      isGranted ? "the user granted the network" : "the user took the network back",
      by: .host,
      of: identifier
    )
  }

  /// Returns whether an extension is turned on.
  ///
  /// - Throws: `SFErrorDomain` 1 if it is not installed, or of a different kind.
  public func isOn(
    _ identifier: String,
    point: ExtensionPoint? = nil
  ) throws(ErrorReport) -> Bool {
    let bundle = try installed(identifier)
    if let point, bundle.extensionPoint != point {
      throw .noExtensionFound("\(identifier) is no \(point.templateName)")
    }
    do throws(HostError) { return try state(of: bundle).isOn } catch {
      throw error.report
    }
  }

  /// Returns what an extension printed and what happened to its requests, oldest line first.
  public func logText(of identifier: String) throws(ErrorReport) -> String {
    _ = try installed(identifier)
    do throws(HostError) { return try log.text(of: identifier) } catch { throw error.report }
  }

  // MARK: Parts

  /// Throws if nothing is installed under an identifier, not even a damaged bundle.
  private func checkIsThere(_ identifier: String) throws(ErrorReport) {
    let isThere: Bool
    do throws(HostError) { isThere = try bundles.has(identifier) } catch { throw error.report }
    guard isThere else { throw .notInstalled(identifier) }
  }

  func installed(_ identifier: String) throws(ErrorReport) -> InstalledBundle {
    let bundle: InstalledBundle?
    do throws(HostError) { bundle = try bundles.bundle(identifier) } catch { throw error.report }
    guard let bundle else {
      throw .notInstalled(identifier)
    }
    return bundle
  }

  /// Returns the bundle of an extension that is turned on.
  ///
  /// What is checked is what is started: the caller passes on the bundle, and does not look it up
  /// again.
  func turnedOn(
    _ identifier: String,
    owner: ExtensionOwner? = nil
  ) throws(ErrorReport) -> InstalledBundle {
    let bundle = try installed(identifier)
    if let owner, let reason = bundle.refusal(of: owner) {
      throw HostError(.refused, "\(identifier) \(reason)").report
    }
    guard try isOn(identifier) else {
      throw .noExtensionFound("the extension \(identifier) is off; the user has to turn it on")
    }
    return bundle
  }

  /// Changes an extension's stored state.
  func change(
    _ identifier: String,
    _ body: @Sendable (inout ExtensionState) -> Void
  ) async -> Result<Void, ErrorReport> {
    do throws(HostError) {
      var state = try stateToChange(of: identifier)
      body(&state)
      try states.set(state, of: identifier)
      return .success(())
    } catch {
      return .failure(error.report)
    }
  }
}
