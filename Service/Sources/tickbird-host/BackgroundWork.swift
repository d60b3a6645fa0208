internal import BlockingWork
internal import ExtensionGallery
internal import ExtensionHost
internal import PageNotes
internal import ServiceFolders
internal import SharedLinks
internal import TextOutput

/// What the service does by itself, until its task is cancelled.
enum BackgroundWork {
  /// Ends what an earlier process left half installed, and looks for updates.
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

  /// Fetches feeds and asks Shared Links extensions when their time has come.
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
        // Once, not every minute.
        let failure = "\(error)"
        if lastFailure != failure { Report.complain("links could not be refreshed: \(failure)") }
        lastFailure = failure
      }
      do { try await Task.sleep(for: .seconds(60)) } catch { return }
    }
  }

  /// Takes up extensions that could not be read when the service started, as soon as they can be.
  static func takeUpUnread(_ host: AppExtensionHost) async {
    while !Task.isCancelled {
      do { try await Task.sleep(for: .seconds(60)) } catch { return }
      for identifier in await host.takeUpUnread() { try? await host.reload(identifier) }
    }
  }

  /// Exchanges notes with other devices every minute, where that is turned on.
  static func synchronize(_ notes: NoteStore) async {
    var told: [String] = []
    while !Task.isCancelled {
      // Another process may hold the lock, or the folder may be on a slow disk.
      let problems = await blocking { NoteAccess.problemsOfSynchronizing(notes) }
      // Once, not every minute.
      if problems != told { problems.forEach(NoteAccess.warn) }
      told = problems
      do { try await Task.sleep(for: .seconds(60)) } catch { return }
    }
  }
}
