internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import ServiceFolders
internal import TextOutput
internal import WebExtensionInstalling

/// Calls the host on behalf of components that do so now and then over a long time.
enum HostCaller: HostCalling {
  /// In a command: the host may be a running service, and is released between calls.
  case command(ServiceFolders)
  /// In the service itself.
  case service(AppExtensionHost)

  /// Connects to the running service, or opens a host in its place.
  ///
  /// - Parameters:
  ///   - folders: The service's folders.
  ///   - onSilence: See `HostClient`.
  /// - Returns: The host.
  /// - Throws: ``HostError`` with code `.locked` or `.file`.
  static func access(
    _ folders: ServiceFolders,
    onSilence: @escaping @Sendable () -> Void = {}
  ) async throws(HostError) -> HostAccess {
    let access = try await HostAccess(
      folders,
      launcher: SandboxedLauncher(),
      olderSigner: GalleryEnvironment.olderSigner(folders),
      observer: .halves(folders),
      onSilence: onSilence
    )
    if case .own(let host) = access {
      for sentence in await host.adoptions { Report.complain("\(sentence)") }
    }
    return access
  }

  /// Calls a function of the running service alone, until the task is cancelled.
  func callService<Call: HostFunction>(_ call: Call) async throws -> Call.Reply {
    guard case .command(let folders) = self else { return try await self.call(call) }
    let client = try HostClient(socket: folders.hostSocket.path)
    return try await withTaskCancellationHandler {
      try await client.call(call)
    } onCancel: {
      client.interrupt()
    }
  }

  /// Says that a service does not answer, which waits or is stopped.
  @Sendable static func complainOfSilence() {
    Report.complain(
      "the service has not answered for ten seconds, and is waited for; an extension may take thirty; if the service "
        + "hangs, end its process, tickbird run"
    )
  }

  /// Calls a function of the host.
  ///
  /// - Throws: The host's `ErrorReport`, or a ``HostError`` if the host cannot be reached.
  func call<Call: HostFunction>(_ call: Call) async throws -> Call.Reply {
    switch self {
    case .service(let host): return try await HostAccess.own(host).call(call)
    case .command(let folders):
      let access = try await Self.access(folders, onSilence: Self.complainOfSilence)
      let result: Result<Call.Reply, any Error>
      do { result = .success(try await access.call(call)) } catch {
        result = .failure(error)
      }
      await access.close()
      return try result.get()
    }
  }
}
