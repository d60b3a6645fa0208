internal import BlockingWork
public import ExtensionMessages
internal import Foundation
public import ServiceFolders

/// A command's access to the host: the running service, or a host in its own process.
///
/// The command's own host takes the same lock as a service, so that only one process at a time
/// changes the data.
public enum HostAccess: HostCalling {
  /// The running service.
  case service(HostClient)
  /// No service runs; this process does the work.
  case own(AppExtensionHost)

  /// Connects to the running service, or opens a host in its place.
  ///
  /// - Parameters:
  ///   - folders: The service's folders.
  ///   - waiting: For how many seconds to wait for another command, or for a service that is
  ///     starting.
  ///   - launcher: Starts the processes of a host in this process.
  ///   - olderSigner: Returns who signed what an older version installed.
  ///   - observer: Follows what a host in this process installs.
  ///   - onSilence: See ``HostClient/init(socket:onSilence:)``.
  /// - Throws: ``HostError`` with code `.locked` or `.file`.
  public init(
    _ folders: ServiceFolders,
    waiting: Int = 30,
    launcher: any ProcessLauncher,
    olderSigner: @escaping SignerLookUp,
    observer: InstallationObserver = InstallationObserver(),
    onSilence: @escaping @Sendable () -> Void = {}
  ) async throws(HostError) {
    let end = System.milliseconds + Int64(waiting) * 1000
    while true {
      if let client = try? HostClient(socket: folders.hostSocket.path, onSilence: onSilence) {
        self = .service(client)
        return
      }
      do throws(HostError) {
        let host = try await blocking { () throws(HostError) in
          try AppExtensionHost(
            data: folders.data,
            launcher: launcher,
            holder: "a command",
            olderSigner: olderSigner,
            observer: observer
          )
        }
        _ = await host.start()
        self = .own(host)
        return
      } catch {
        // The holder of the lock may be a service that does not listen yet.
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

  /// Waits until nothing runs in this process's own host any more.
  public func close() async {
    guard case .own(let host) = self else { return }
    await host.waitForProcesses()
  }
}
