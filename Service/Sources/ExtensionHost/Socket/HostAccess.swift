internal import BlockingWork
public import ExtensionMessages
internal import Foundation
public import ServiceFolders

/// The way of a command to the host: a running service, or else one of its own.
///
/// A command's own host has the lock that a service has, so that at any time one process alone
/// changes what is kept.
public enum HostAccess: HostCalling {
  /// A service that runs.
  case service(HostClient)
  /// No service runs; the work is done in this process.
  case own(AppExtensionHost)

  /// Finds the running service, or takes its place.
  ///
  /// - Parameters:
  ///   - folders: Where things are kept.
  ///   - waiting: How many seconds to wait for another command, or for a service that just starts.
  ///   - launcher: Starts the processes of an own host.
  ///   - olderSigner: Says who signed what an older version installed.
  /// - Throws: ``HostError`` with code `.locked` or `.file`.
  public init(
    _ folders: ServiceFolders,
    waiting: Int = 30,
    launcher: any ProcessLauncher,
    olderSigner: @escaping SignerLookUp
  ) async throws(HostError) {
    let end = System.milliseconds + Int64(waiting) * 1000
    while true {
      if let client = try? HostClient(socket: folders.hostSocket.path) {
        self = .service(client)
        return
      }
      do throws(HostError) {
        let host = try await blocking { () throws(HostError) in
          try AppExtensionHost(
            data: folders.data,
            launcher: launcher,
            holder: "a command",
            olderSigner: olderSigner
          )
        }
        _ = await host.start()
        self = .own(host)
        return
      } catch {
        // Whoever has the lock may be a service that does not listen yet.
        guard error.code == .locked, System.milliseconds < end else { throw error }
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// Calls a function of the host.
  ///
  /// - Throws: The host's error.
  public func call<Call: HostFunction>(_ call: Call) async throws(ErrorReport) -> Call.Reply {
    switch self {
    case .service(let client): try await client.call(call)
    case .own(let host):
      try Call.reply(try await host.reply(to: HostCall(id: 1, call)).get())
    }
  }

  /// Waits until nothing of an own host runs any more.
  public func close() async {
    guard case .own(let host) = self else { return }
    await host.waitForProcesses()
  }
}
