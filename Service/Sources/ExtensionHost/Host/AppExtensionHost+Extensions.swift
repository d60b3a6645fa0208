internal import BlockingWork
internal import ContentBlocking
public import ExtensionBundles
public import ExtensionMessages
public import ExtensionSandbox
public import Foundation

/// An installed extension as it is listed.
public struct ExtensionSummary: Equatable, Sendable {
  /// The installed bundle.
  public let bundle: InstalledBundle
  /// What the user decided, and the outcome.
  public let state: ExtensionState
  /// Whether it may open connections.
  public let allowsNetwork: Bool
  /// Whether a compiled list of it is active.
  public let hasListInForce: Bool
  /// What holds its process to which limits; empty for one that has no process.
  public let limits: [LimitHolder]
  /// The other extensions that have its groups, by group.
  public let sharers: [String: [String]]
  /// Which walls the machine offers now for its process and which not, and why; nil where it has
  /// none.
  ///
  /// Those of the last start are in ``state``.
  public let walls: String?
}

extension AppExtensionHost {
  /// All installed extensions that can be read, by identifier.
  public func extensions() throws(ErrorReport) -> [ExtensionSummary] {
    try listed().compactMap { try? $0.found.get() }
  }

  /// One installed extension.
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
      limits: bundle.executable == nil ? [] : limitHolders,
      sharers: sharers(of: bundle),
      walls: bundle.executable == nil ? nil : launcher.walls(network: allowsNetwork(bundle))
    )
  }

  private var limitHolders: [LimitHolder] {
    let ownLimit = LimitHolder(
      resource: "processor time of all requests",
      amount: "\(configuration.processorTimePerHour) s within an hour",
      holder: "the host, at each start"
    )
    return Sandbox.holders(of: configuration.processLimits) + [ownLimit]
  }

  /// Installs a bundle, or puts it in the place of the installed one of its identifier.
  ///
  /// A new extension is off. One that is on stays on, and a content blocker is reloaded; a list that
  /// fails then is on record, and the old one stays active. Where another developer's takes the
  /// place, or an unsigned one a signed one's, it is off, and nothing of the one before is handed over.
  ///
  /// - Parameters:
  ///   - bundle: The folder `NAME.appex`; it is copied.
  ///   - signer: Who signed it.
  ///   - onlyNewer: Whether to refuse what is no later version than the installed one.
  ///   - consent: What the user allows beyond that.
  /// - Returns: The installed bundle.
  /// - Throws: ``HostError/domain`` for a bundle that cannot be installed, or may not come in the
  ///   place of what is installed, or names a group of somebody else's.
  @discardableResult
  public func install(
    _ bundle: URL,
    signedBy signer: Signer = .unsigned,
    onlyNewer: Bool = false,
    consent: InstallConsent = InstallConsent()
  ) async throws(ErrorReport) -> InstalledBundle {
    try checkRunning()
    let (store, owners, containers) = (bundles, groupOwners, containers)
    // All installations in a row: of which identifier a bundle is shows once it is copied.
    let result: Result<InstalledBundle, ErrorReport> = await inOrder(Self.installing) {
      do throws(HostError) {
        return .success(
          try await blocking { () throws(HostError) in
            let placed = try store.install(bundle, signedBy: signer) {
              new,
              installed throws(HostError) in
              try self.checkPlace(
                of: new,
                isInstalled: store.identifiers().contains(new.identifier),
                signer: self.knownSigner(of: new.identifier),
                consent
              )
              try owners.claim(
                new.entitlements?.groups ?? [],
                by: GroupOwners.Claimant(identifier: new.identifier, signer: signer),
                isSharing: consent.sharesGroups,
                isTrial: true
              )
              guard onlyNewer, let installed, !new.isNewer(than: installed) else { return }
              throw HostError(
                .badBundle,
                "\(new.identifier) \(new.version) (\(new.build)) is not newer than the installed "
                  + "\(installed.version) (\(installed.build))"
              )
            }
            // Before the next one is installed, so that nobody has them first.
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
    try await settleChange(installed)
    return installed
  }

  /// The queue of installations; no identifier has this form.
  private static let installing = "/install"

  /// Makes the version before the installed one again.
  ///
  /// - Throws: ``HostError/domain`` where there is none, or it may not come in the place of a signed
  ///   one.
  @discardableResult
  public func goBack(
    _ identifier: String,
    consent: InstallConsent = InstallConsent()
  ) async throws(ErrorReport) -> InstalledBundle {
    _ = try installed(identifier)
    let store = bundles
    let result: Result<InstalledBundle, ErrorReport> = await inOrder(Self.installing) {
      do throws(HostError) {
        return .success(
          try store.goBack(identifier) { previous, current throws(HostError) in
            // The developer's own earlier version, also where its key was replaced since.
            if let current, let signer = previous.signer, current.continues(signer) { return }
            try self.checkPlace(of: previous, isInstalled: true, signer: current, consent)
          }
        )
      } catch {
        return .failure(error.report)
      }
    }
    let bundle = try result.get()
    log.add("version \(bundle.version) was put back", by: .host, of: identifier)
    try await settleChange(bundle)
    return bundle
  }

  /// Does what another bundle under an identifier makes necessary.
  private func settleChange(_ bundle: InstalledBundle) async throws(ErrorReport) {
    let kept: ExtensionState?
    do throws(HostError) {
      kept = try states.state(of: bundle.identifier)
    } catch {
      guard error.code == .damaged else { throw error.report }
      kept = nil
    }
    guard kept?.isAbout(bundle.signer) ?? true else {
      return try await beginAnew(bundle.identifier).get()
    }
    guard bundle.extensionPoint == .contentBlocker, kept?.isOn ?? false else { return }
    // Its failure is on record.
    try? await reload(bundle.identifier)
  }

  /// Removes an extension with its container, its list and what was decided about it.
  ///
  /// A removal that was cut short, or that failed, leaves an extension that is off; another call goes
  /// on with what is left. Folders of application groups stay, since others may use them.
  ///
  /// - Throws: `SFErrorDomain` 1 if there is nothing of it, ``HostError/domain``.
  public func remove(_ identifier: String) async throws(ErrorReport) {
    // Of a removal that was cut short the container may be all that is left.
    if !ExtensionNames.isBundleIdentifier(identifier) || !containers.has(identifier) {
      _ = try installed(identifier)
    }
    stopRuns(of: identifier, "the extension is being removed")
    let result: Result<Void, ErrorReport> = await inOrder(identifier) {
      await self.removeNow(identifier)
    }
    try result.get()
  }

  private func removeNow(_ identifier: String) async -> Result<Void, ErrorReport> {
    let (store, containers) = (bundles, containers)
    do throws(HostError) {
      // First, so that what is cut short leaves no extension that is on with half of its things.
      try states.remove(identifier)
      setListInForce(nil, of: identifier)
      try? lists.removeContentRuleList(forIdentifier: identifier)
      // A container may hold any number of files.
      try await blocking { () throws(HostError) in try containers.remove(identifier) }
      try groupOwners.leave(identifier)
      try log.remove(identifier)
      forgetMessages(of: identifier)
      toldWalls[identifier] = nil
      // The bundle last: as long as it is there, the user sees that there is something to remove.
      let result: Result<Void, HostError> = await inOrder(Self.installing) {
        do throws(HostError) {
          try await blocking { () throws(HostError) in
            do throws(HostError) {
              try store.remove(identifier)
            } catch  where error.code == .notInstalled {
              // It was removed by a call that did not come to its end.
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

  /// Removes all that an extension has written; its list, and what was decided about it, stay.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - groups: Whether the folders of its application groups are emptied too, in which other
  ///     extensions may keep something.
  /// - Throws: `SFErrorDomain` 1 if it is not installed; ``HostError/domain`` where a file resists.
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
  /// - Throws: As ``reload(_:)``. The extension is on even so, with the list it had before.
  public func turnOn(_ identifier: String) async throws(ErrorReport) {
    let bundle = try installed(identifier)
    let result: Result<Void, ErrorReport> = await inOrder(identifier) {
      let result = await self.change(identifier) { $0.isOn = true }
      if case .success = result { await self.takeKeptListIntoForce(identifier) }
      return result
    }
    try result.get()
    if bundle.extensionPoint == .contentBlocker { try await reload(identifier) }
  }

  private func takeKeptListIntoForce(_ identifier: String) {
    guard let list = try? lists.lookUpContentRuleList(forIdentifier: identifier) else { return }
    setListInForce(list, of: identifier)
  }

  /// Turns an extension off: its list is inactive, and nothing of it is started.
  public func turnOff(_ identifier: String) async throws(ErrorReport) {
    _ = try installed(identifier)
    stopRuns(of: identifier, "the extension is being turned off")
    let result: Result<Void, ErrorReport> = await inOrder(identifier) {
      let result = await self.change(identifier) { $0.isOn = false }
      await self.setListInForce(nil, of: identifier)
      return result
    }
    try result.get()
  }

  /// Records whether the user lets an extension without entitlements open connections.
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
    log.add(
      isGranted ? "the user granted the network" : "the user took the network back",
      by: .host,
      of: identifier
    )
  }

  /// Whether an extension is on.
  ///
  /// - Throws: `SFErrorDomain` 1 if it is not installed, or of another kind.
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

  /// What an extension printed, and what happened to its requests, oldest line first.
  public func logText(of identifier: String) throws(ErrorReport) -> String {
    _ = try installed(identifier)
    do throws(HostError) { return try log.text(of: identifier) } catch { throw error.report }
  }

  // MARK: Parts

  func installed(_ identifier: String) throws(ErrorReport) -> InstalledBundle {
    let bundle: InstalledBundle?
    do throws(HostError) { bundle = try bundles.bundle(identifier) } catch { throw error.report }
    guard let bundle else {
      throw .notInstalled(identifier)
    }
    return bundle
  }

  /// The bundle of an extension that is on.
  func turnedOn(_ identifier: String) throws(ErrorReport) -> InstalledBundle {
    let bundle = try installed(identifier)
    guard try isOn(identifier) else {
      throw .noExtensionFound("the extension \(identifier) is off; the user has to turn it on")
    }
    return bundle
  }

  /// Changes an extension's state on the disk.
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
