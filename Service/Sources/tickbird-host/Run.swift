internal import ArgumentParser
internal import Dispatch
internal import ExtensionHost
internal import Foundation
internal import ServiceFolders
internal import Synchronization

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
    // First, so that whoever finds the service listening can end it.
    let ending = Ending()
    let signals = Signals { ending.ask() }
    defer { withExtendedLifetime(signals) {} }
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
      ending.serve(server)
      Report.complain("listening at \(folders.hostSocket.path)")
      // Not before listening: a handler may take its time.
      let reloading = Task {
        for identifier in reloads { try? await host.reload(identifier) }
      }
      let updating = Task { await BackgroundWork.update(host, folders) }
      let refreshing = Task { await BackgroundWork.refreshLinks(host, folders) }
      await server.run()
      reloading.cancel()
      updating.cancel()
      refreshing.cancel()
      await host.stop()
    } catch {
      throw Report.failure(error)
    }
  }
}

/// Whether the service is to end, which may be asked before there is a server.
private final class Ending: Sendable {
  private struct State {
    var isAsked = false
    var server: HostServer?
  }

  private let state = Mutex(State())

  func ask() {
    let server = state.withLock { state in
      state.isAsked = true
      return state.server
    }
    server?.stop()
  }

  func serve(_ server: HostServer) {
    let isAsked = state.withLock { state in
      state.server = server
      return state.isAsked
    }
    if isAsked { server.stop() }
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
