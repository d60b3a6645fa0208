internal import ExtensionHost
internal import ExtensionMessages
internal import SharedLinks

/// Adapts the host's Shared Links extensions to the stream.
struct HostLinkSource: ExtensionLinkSource {
  let host: HostCaller

  func linkExtensions() async throws -> [LinkExtension] {
    try await host.call(ListExtensions())
      .filter { $0.kind == "shared-links" && $0.isOn }
      .map { LinkExtension(identifier: $0.identifier, displayName: $0.name) }
  }

  func items(of identifier: String) async throws -> [ExtensionItem]? {
    do {
      return try await host.call(AskForLinks(identifier: identifier))
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
