internal import ExtensionHost
internal import ExtensionMessages
internal import SharedLinks

/// The host's Shared Links extensions, as the stream sees them.
struct HostLinkSource: ExtensionLinkSource {
  let host: HostCaller

  func linkExtensions() async throws -> [LinkExtension] {
    try await host.call(.listExtensions).array?.compactMap { members in
      guard members["kind"]?.string == "shared-links", members["isOn"] == .bool(true),
        let identifier = members["identifier"]?.string
      else { return nil }
      return LinkExtension(
        identifier: identifier,
        displayName: members["name"]?.string ?? identifier
      )
    } ?? []
  }

  func items(of identifier: String) async throws -> [ExtensionItem]? {
    do {
      let answer = try await host.call(.sharedLinks, ["identifier": .string(identifier)])
      return try answer.array?.map { try ExtensionItem($0) }
    } catch let error as ErrorReport {
      throw LinkError(error.isOfHost ? .notAsked : .fetchFailed, error.description)
    } catch let error as HostError {
      throw LinkError(.notAsked, error.message)
    }
  }

  func note(_ notes: [String], for identifier: String) async {
    // A note that cannot be written is no reason to lose the items.
    _ = try? await host.call(
      .addNotes,
      ["identifier": .string(identifier), "notes": .array(notes.map(MessageValue.string))]
    )
  }
}
