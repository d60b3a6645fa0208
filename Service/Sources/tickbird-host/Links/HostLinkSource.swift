internal import ExtensionHost
internal import ExtensionMessages
internal import SharedLinks

/// Adapts the host's Shared Links extensions to the stream.
struct HostLinkSource: ExtensionLinkSource {
  let host: HostCaller

  func linkExtensions() async throws -> [LinkExtension] {
    try await ask(ListExtensions())
      .filter { $0.kind == "shared-links" && $0.isOn }
      .map { LinkExtension(identifier: $0.identifier, displayName: $0.name) }
  }

  func items(of identifier: String) async throws -> [ExtensionItem]? {
    try await ask(AskForLinks(identifier: identifier))
  }

  /// Calls the host, and tells by ``LinkError`` whether it could be asked at all.
  private func ask<Call: HostFunction>(_ call: Call) async throws -> Call.Reply {
    do {
      return try await host.call(call)
    } catch let error as ErrorReport {
      throw LinkError(error.isOfHost ? .notAsked : .fetchFailed, error.description)
    } catch let error as HostError {
      throw LinkError(.notAsked, error.message)
    }
  }

  func note(_ notes: [String], for identifier: String) async {
    // A note that cannot be written must not lose the items.
    _ = try? await host.call(AddNotes(identifier: identifier, notes: notes))
  }
}
