internal import ExtensionBundles
public import ExtensionMessages
internal import Foundation

extension AppExtensionHost {
  /// Sends a web extension's native half a message of its script.
  ///
  /// - Parameters:
  ///   - message: The message, as of JSON.
  ///   - identifier: The extension.
  ///   - profile: The browser's profile; absent for the default one.
  /// - Returns: The answer; null where the handler answered with nothing.
  /// - Throws: As ``reload(_:)``, as far as it applies.
  public func ask(
    _ message: MessageValue,
    of identifier: String,
    profile: MessageValue? = nil
  ) async throws(ErrorReport) -> MessageValue {
    let bundle = try turnedOn(identifier)
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
  /// - Throws: As ``reload(_:)``, as far as it applies.
  public func sharedLinks(
    of identifier: String
  ) async throws(ErrorReport) -> [ExtensionItem] {
    let bundle = try turnedOn(identifier)
    guard bundle.extensionPoint == .sharedLinks else {
      throw .noExtensionFound("\(identifier) is no Shared Links extension")
    }
    await takeSlot(identifier)
    return try await ask(bundle, ExtensionItem()) { await self.freeSlot(identifier) } ?? []
  }

  /// Tells an extension's developer, in its log, what is wrong with what it answered.
  ///
  /// At most a hundred sentences are taken.
  ///
  /// - Throws: `SFErrorDomain` 1 if it is not installed.
  public func addNotes(_ notes: [String], to identifier: String) throws(ErrorReport) {
    _ = try installed(identifier)
    for note in notes.prefix(100) {
      log.add(String(note.prefix(2000)), by: .note, of: identifier)
    }
  }

  /// Leaves a message of an app, or of another extension, for the script of an extension.
  ///
  /// - Parameters:
  ///   - name: The message's name.
  ///   - userInfo: What the sender has to say; nothing is read from it or put into it.
  ///   - identifier: The extension with the script.
  ///   - sender: The extension that sends, which the host knows by its channel; nil for an app.
  /// - Throws: `SFErrorDomain` 1 if there is no such web extension, or it is off.
  public func dispatchMessage(
    _ name: String,
    userInfo: MessageValue,
    to identifier: String,
    from sender: String? = nil
  ) throws(ErrorReport) {
    guard try turnedOn(identifier).extensionPoint == .webExtension else {
      throw .noExtensionFound("\(identifier) is no web extension")
    }
    messages(of: identifier).add(ScriptMessage(name: name, userInfo: userInfo, sender: sender))
  }

  /// Waits for the next message for a script.
  ///
  /// - Returns: nil when there will be none.
  public func nextMessage(for identifier: String) async throws(ErrorReport) -> ScriptMessage? {
    guard try turnedOn(identifier).extensionPoint == .webExtension else {
      throw .noExtensionFound("\(identifier) is no web extension")
    }
    return await messages(of: identifier).next()
  }
}
