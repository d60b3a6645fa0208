public import ExtensionMessages

/// The host of Shared Links extensions, as far as the stream needs it.
public protocol ExtensionLinkSource: Sendable {
  /// The Shared Links extensions that are on.
  func linkExtensions() async throws -> [LinkExtension]

  /// Starts an extension and takes its answer.
  ///
  /// - Returns: The items; nil where the handler returned nil.
  /// - Throws: What went wrong, in a sentence for the user as its `localizedDescription` or, as
  ///   ``LinkError``, its message.
  func items(of identifier: String) async throws -> [ExtensionItem]?

  /// Tells an extension's developer what was wrong with its answer.
  func note(_ notes: [String], for identifier: String) async
}

/// A Shared Links extension.
public struct LinkExtension: Equatable, Sendable {
  /// The bundle identifier.
  public var identifier: String
  /// The bundle's display name.
  public var displayName: String
  /// The icon of its app, as a file's bytes.
  public var icon: [UInt8]?

  /// Makes a description.
  public init(identifier: String, displayName: String, icon: [UInt8]? = nil) {
    self.identifier = identifier
    self.displayName = displayName
    self.icon = icon
  }
}
