internal import BrowserAnswering
internal import ExtensionHost
internal import Foundation
internal import ServiceFolders

/// Connects a browser's port to the host of extensions for as long as a handler serves the browser.
enum HandlerLinks {
  /// Connects to the running service.
  ///
  /// Where none runs, this process is the service until the link is closed: commands and other browsers
  /// reach it by the socket.
  static func link(_ folders: ServiceFolders) async throws -> HandlerLink {
    switch try await HostCaller.access(folders) {
    case .service(let events):
      let calls = try HostClient(socket: folders.hostSocket.path)
      return HandlerLink(events: HostAccess.service(events), calls: HostAccess.service(calls)) {
        events.interrupt()
        calls.interrupt()
      }
    case .own(let host):
      let server = try HostServer(host, socket: folders.hostSocket)
      let serving = Task.detached {
        await server.run()
        // Sessions end, and their next event finds the service.
        await host.stop()
      }
      await host.makeWay { [weak server] in server?.stop() }
      return HandlerLink(events: HostAccess.own(host), calls: HostAccess.own(host)) {
        server.stop()
        await serving.value
      }
    }
  }
}
