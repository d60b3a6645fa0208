internal import ContentBlocking
internal import ExtensionBundles
internal import ExtensionMessages

extension AppExtensionHost {
  /// Starts using what is installed: empties temporary folders, and activates stored lists.
  ///
  /// What cannot be read is reported in its log and added to ``unread``.
  ///
  /// - Returns: The content blockers that are turned on and have no usable list.
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

  /// Retries what could not be read.
  ///
  /// - Returns: The content blockers that can be read now, are turned on and have no usable list;
  ///   the caller should reload them.
  public func takeUpUnread() -> [String] {
    unread[""] == nil ? unread.keys.sorted().filter(takeUp) : takeUpAll()
  }

  /// Starts using one extension.
  ///
  /// - Returns: Whether it has to be reloaded.
  private func takeUp(_ identifier: String) -> Bool {
    let before = unread.removeValue(forKey: identifier)
    do throws(HostError) {
      guard let bundle = try bundles.bundle(identifier) else { return false }
      let state = try state(of: bundle)
      // On a retry one of its processes may be running.
      if before == nil { containers.emptyTemporaryFolder(identifier) }
      var isToBeReloaded = false
      if state.isOn, !isListInForce(identifier) {
        do throws(RuleListStoreError) {
          setListInForce(try lists.lookUpContentRuleList(forIdentifier: identifier), of: identifier)
        } catch {
          isToBeReloaded = bundle.hasList
          // The host cannot rebuild a list set by a script.
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

  /// Returns the installed extensions, sorted by identifier, each with its bundle or the error in
  /// reading it.
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
        // Not a bundle's folder, or removed meanwhile.
        guard error.domain == HostError.domain else { return nil }
        return (identifier, .failure(error))
      }
    }
  }
}
