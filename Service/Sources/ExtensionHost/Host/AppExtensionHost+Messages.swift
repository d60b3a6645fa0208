internal import ExtensionBundles
public import ExtensionMessages
internal import Foundation

extension AppExtensionHost {
  /// Sends a message of a web extension's script to its native handler.
  ///
  /// - Parameters:
  ///   - message: The message: JSON values only.
  ///   - identifier: The extension.
  ///   - profile: The browser's profile; nil for the default one.
  ///   - owner: Whose extension is meant; nil for anybody's.
  /// - Returns: The answer; null if the handler returned nothing.
  /// - Throws: As ``reload(_:)``, where applicable; ``HostError/domain`` with code `.refused` if the
  ///   extension is another developer's.
  public func ask(
    _ message: MessageValue,
    of identifier: String,
    profile: MessageValue? = nil,
    owner: ExtensionOwner? = nil
  ) async throws(ErrorReport) -> MessageValue {
    let bundle = try turnedOn(identifier, owner: owner)
    guard bundle.extensionPoint == .webExtension else {
      throw .noExtensionFound("\(identifier) is no web extension")
    }
    var userInfo = ["message": message]
    if let profile {
      guard case .uuid = profile else {
        throw HostError(.badArgument, "a profile is a UUID").report
      }
      userInfo["profile"] = profile
    }
    await takeSlot(identifier)
    let items = try await ask(bundle, ExtensionItem(userInfo: userInfo)) {
      await self.freeSlot(identifier)
    }
    return items?.first?.userInfo["message"] ?? .null
  }

  /// Asks a Shared Links extension for its items.
  ///
  /// - Throws: As ``reload(_:)``, where applicable.
  public func sharedLinks(
    of identifier: String
  ) async throws(ErrorReport) -> [ExtensionItem] {
    let bundle = try turnedOn(identifier)
    guard bundle.extensionPoint == .sharedLinks else {
      throw .noExtensionFound("\(identifier) is not a Shared Links extension")
    }
    await takeSlot(identifier)
    return try await ask(bundle, ExtensionItem()) { await self.freeSlot(identifier) } ?? []
  }

  /// Writes notes about an extension's answer into its log, for its developer.
  ///
  /// At most a hundred notes are written.
  ///
  /// - Throws: `SFErrorDomain` 1 if it is not installed.
  public func addNotes(_ notes: [String], to identifier: String) throws(ErrorReport) {
    _ = try installed(identifier)
    for note in notes.prefix(100) {
      log.add(String(note.prefix(2000)), by: .note, of: identifier)
    }
  }

  /// Queues a message of an app, or of another extension, for the script of an extension.
  ///
  /// - Parameters:
  ///   - name: The message's name.
  ///   - userInfo: The message's contents, passed on unchanged.
  ///   - identifier: The extension with the script.
  ///   - sender: The sending extension, known by its channel; nil for an app.
  /// - Throws: `SFErrorDomain` 1 if there is no such extension with a script, or it is off.
  public func dispatchMessage(
    _ name: String,
    userInfo: MessageValue,
    to identifier: String,
    from sender: String? = nil
  ) throws(ErrorReport) {
    let point = try turnedOn(identifier).extensionPoint
    guard point == .webExtension || point == .appExtension else {
      throw .noExtensionFound("\(identifier) is no web extension and no Safari app extension")
    }
    messages(of: identifier).add(ScriptMessage(name: name, userInfo: userInfo, sender: sender))
    if point == .appExtension { deliverMessages(of: identifier) }
  }

  /// Waits for the next message for a script.
  ///
  /// - Returns: nil when there will be no more messages.
  public func nextMessage(
    for identifier: String,
    owner: ExtensionOwner? = nil
  ) async throws(ErrorReport) -> ScriptMessage? {
    guard try turnedOn(identifier, owner: owner).extensionPoint == .webExtension else {
      throw .noExtensionFound("\(identifier) is no web extension")
    }
    return await messages(of: identifier).next()
  }
}
