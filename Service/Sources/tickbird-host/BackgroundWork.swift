internal import BlockingWork
internal import ExtensionGallery
internal import ExtensionHost
internal import ListSubscriptions
internal import PageNotes
internal import ServiceFolders
internal import SharedLinks
internal import TextOutput

/// The service's background work, until its task is cancelled.
enum BackgroundWork {
  /// Settles installations that an earlier process left open, and checks for updates.
  static func update(_ host: AppExtensionHost, _ folders: ServiceFolders) async {
    let installer = ExtensionInstaller(
      folders: folders,
      store: HostBundleStore(host: .service(host))
    )
    do {
      for failure in try await installer.settle() { Report.complain("\(failure.sentence)") }
    } catch is CancellationError {
      return
    } catch {
      Report.complain("updates that were begun could not be ended: \(error)")
    }
    await Updater(installer: installer).run { result in
      switch result {
      case .success(let updates):
        for update in updates where !update.isQuiet { Report.complain("\(update.sentence)") }
      case .failure(let error): Report.complain("looking for updates failed: \(error)")
      }
    }
  }

  /// Fetches feeds and asks Shared Links extensions when they are due.
  static func refreshLinks(_ host: AppExtensionHost, _ folders: ServiceFolders) async {
    var lastFailure: String?
    while !Task.isCancelled {
      do {
        let refresher = LinkRefresher(
          store: try LinkStore(folder: folders.data),
          transport: CurlTransport(),
          extensions: HostLinkSource(host: .service(host))
        )
        _ = try await refresher.refresh(.due)
        lastFailure = nil
      } catch is CancellationError {
        return
      } catch {
        // Reported once, not every minute.
        let failure = "\(error)"
        if lastFailure != failure { Report.complain("links could not be refreshed: \(failure)") }
        lastFailure = failure
      }
      do { try await Task.sleep(for: .seconds(60)) } catch { return }
    }
  }

  /// Updates lists when they are due.
  ///
  /// Several processes may do so; a list that another one updates is left to it.
  static func updateLists(_ folders: ServiceFolders) async {
    let updater = ListsAccess.updater(folders)
    var lastFailure: String?
    while !Task.isCancelled {
      do {
        for report in try await updater.update(.due) {
          // Reported once, not with each try.
          guard case .failed(let error) = report.outcome, report.subscription.failures == 1 else {
            continue
          }
          Report.complain("the list \(report.subscription.id) was not updated: \(error.message)")
        }
        lastFailure = nil
      } catch is CancellationError {
        return
      } catch {
        let failure = "\(error)"
        if lastFailure != failure { Report.complain("lists could not be updated: \(failure)") }
        lastFailure = failure
      }
      do { try await Task.sleep(for: .seconds(60)) } catch { return }
    }
  }

  /// Retries extensions that could not be read when the service started.
  static func takeUpUnread(_ host: AppExtensionHost) async {
    while !Task.isCancelled {
      do { try await Task.sleep(for: .seconds(60)) } catch { return }
      for identifier in await host.takeUpUnread() { try? await host.reload(identifier) }
    }
  }

  /// Synchronises notes every minute, if that is turned on.
  static func synchronize(_ notes: NoteStore) async {
    var told: [String] = []
    while !Task.isCancelled {
      // Another process may hold the lock, or the folder may be on a slow disk.
      let problems = await blocking { NoteAccess.problemsOfSynchronizing(notes) }
      // Reported once, not every minute.
      if problems != told { problems.forEach(NoteAccess.warn) }
      told = problems
      do { try await Task.sleep(for: .seconds(60)) } catch { return }
    }
  }
}
