internal import ArgumentParser
internal import Dispatch
internal import ExtensionGallery
internal import ExtensionHost
internal import Foundation
internal import ServiceFolders

/// The service itself.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the service in the foreground until it is told to end.",
    discussion: """
      Listens on the socket that apps and commands use, and ends on SIGTERM and SIGINT. One service \
      runs at a time for a user; a second one says so and ends with status 1.
      """
  )

  func run() async throws {
    do {
      let folders = ServiceFolders()
      let host = try AppExtensionHost(
        data: folders.data,
        launcher: SandboxedLauncher(),
        holder: "a service",
        // A command that has the folder is done soon.
        waiting: 5
      )
      let reloads = await host.start()
      let server = try HostServer(host, socket: folders.hostSocket)
      let signals = Signals { server.stop() }
      Report.complain("listening at \(folders.hostSocket.path)")
      // Not before listening: a handler may take its time.
      let reloading = Task {
        for identifier in reloads { try? await host.reload(identifier) }
      }
      let updating = Task { await Updates.run(host, folders) }
      await server.run()
      reloading.cancel()
      updating.cancel()
      await host.stop()
      withExtendedLifetime(signals) {}
    } catch {
      throw Report.failure(error)
    }
  }
}

/// What galleries have for the extensions that are installed.
private enum Updates {
  /// Ends what an earlier process left half done, and looks for updates until it is cancelled.
  static func run(_ host: AppExtensionHost, _ folders: ServiceFolders) async {
    let installer = ExtensionInstaller(
      folders: folders,
      store: HostBundleStore(host: .service(host))
    )
    do {
      for failure in try await installer.settle() { Report.complain(failure.sentence) }
    } catch {
      Report.complain("updates that were begun could not be ended: \(words(error))")
    }
    await Updater(installer: installer).run { result in
      switch result {
      case .success(let updates):
        for update in updates where !update.isQuiet { Report.complain(update.sentence) }
      case .failure(let error): Report.complain("looking for updates failed: \(words(error))")
      }
    }
  }

  private static func words(_ error: any Error) -> String {
    (error as? GalleryError)?.message ?? "\(error)"
  }
}

/// Calls a function when the process is told to end.
private final class Signals {
  private var sources: [any DispatchSourceSignal] = []

  init(_ body: @escaping @Sendable () -> Void) {
    // A client that went away shows as an error of writing.
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGTERM, SIGINT] {
      // The source sees signals that are ignored, and only those do not end the process first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: body)
      source.resume()
      sources.append(source)
    }
  }
}
