internal import ContentBlocking
internal import ExtensionBundles
internal import ExtensionMessages

extension AppExtensionHost {
  /// Takes up what is installed: empties temporary folders, and activates kept lists.
  ///
  /// What cannot be read is reported in its log, and is in ``unread``.
  ///
  /// - Returns: The content blockers that are on and have no usable list.
  func takeUpAll() -> [String] {
    do throws(HostError) {
      let identifiers = try bundles.identifiers()
      unread[""] = nil
      return identifiers.filter(takeUp)
    } catch {
      unread[""] = error
      return []
    }
  }

  /// Tries again to take up what could not be read.
  ///
  /// - Returns: The content blockers that can be read now, are on and have no usable list, for the
  ///   caller to reload.
  public func takeUpUnread() -> [String] {
    unread[""] == nil ? unread.keys.sorted().filter(takeUp) : takeUpAll()
  }

  /// Takes up one extension.
  ///
  /// - Returns: Whether it is to be reloaded.
  private func takeUp(_ identifier: String) -> Bool {
    let before = unread.removeValue(forKey: identifier)
    do throws(HostError) {
      guard let bundle = try bundles.bundle(identifier) else { return false }
      let state = try state(of: bundle)
      // Later it may run.
      if before == nil { containers.emptyTemporaryFolder(identifier) }
      var isToBeReloaded = false
      if state.isOn, !isListInForce(identifier) {
        do throws(RuleListStoreError) {
          setListInForce(try lists.lookUpContentRuleList(forIdentifier: identifier), of: identifier)
        } catch {
          isToBeReloaded = bundle.extensionPoint == .contentBlocker
          // A script's list cannot be made again by the host.
          if !isToBeReloaded, state.listDate != nil { throw HostError(.file, error.message) }
          if state.listDate != nil { log.add(error.message, by: .host, of: identifier) }
        }
      }
      if before != nil { log.add("the extension can be read again", by: .host, of: identifier) }
      return isToBeReloaded
    } catch {
      unread[identifier] = error
      if before != error {
        log.add("the extension is not in use: \(error.message)", by: .host, of: identifier)
      }
      return false
    }
  }

  /// The installed extensions, by identifier, as far as they can be read, and why others cannot.
  ///
  /// - Throws: ``HostError/domain`` if it is unknown which are installed.
  func listed() throws(ErrorReport) -> [(
    identifier: String, found: Result<ExtensionSummary, ErrorReport>
  )] {
    let identifiers: [String]
    do throws(HostError) { identifiers = try bundles.identifiers() } catch { throw error.report }
    return identifiers.compactMap { identifier in
      do throws(ErrorReport) {
        return (identifier, .success(try summary(of: identifier)))
      } catch {
        // No folder of a bundle, or removed meanwhile.
        guard error.domain == HostError.domain else { return nil }
        return (identifier, .failure(error))
      }
    }
  }
}
