internal import ExtensionHost
internal import ExtensionMessages
internal import ServiceFolders
internal import TextOutput

/// The way to the host of those who call it now and then over a long time.
enum HostCaller: HostCalling {
  /// From a command; the host may be a running service, and is not held between calls.
  case command(ServiceFolders)
  /// From the service itself.
  case service(AppExtensionHost)

  /// Finds the running service, or takes its place.
  static func access(_ folders: ServiceFolders) async throws(HostError) -> HostAccess {
    let access = try await HostAccess(
      folders,
      launcher: SandboxedLauncher(),
      olderSigner: GalleryEnvironment.olderSigner(folders)
    )
    if case .own(let host) = access {
      for sentence in await host.adoptions { Report.complain("\(sentence)") }
    }
    return access
  }

  /// Calls a function of the host.
  ///
  /// - Throws: The host's `ErrorReport`, or a ``HostError`` where there is no way to it.
  func call<Call: HostFunction>(_ call: Call) async throws -> Call.Reply {
    switch self {
    case .service(let host): return try await HostAccess.own(host).call(call)
    case .command(let folders):
      let access = try await Self.access(folders)
      let result: Result<Call.Reply, any Error>
      do { result = .success(try await access.call(call)) } catch {
        result = .failure(error)
      }
      await access.close()
      return try result.get()
    }
  }
}
