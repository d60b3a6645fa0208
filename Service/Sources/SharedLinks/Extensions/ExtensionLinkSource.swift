public import ExtensionMessages

/// What the stream needs of the host of Shared Links extensions.
public protocol ExtensionLinkSource: Sendable {
  /// Returns the Shared Links extensions that are turned on.
  func linkExtensions() async throws -> [LinkExtension]

  /// Starts an extension and returns the items of its answer.
  ///
  /// - Returns: The items; nil if the handler returned nil.
  /// - Throws: An error whose `localizedDescription` (for ``LinkError``: whose message) tells the
  ///   user what went wrong.
  func items(of identifier: String) async throws -> [ExtensionItem]?

  /// Tells an extension's developer what is wrong with its answer.
  func note(_ notes: [String], for identifier: String) async
}

/// A Shared Links extension.
public struct LinkExtension: Equatable, Sendable {
  /// The bundle identifier.
  public var identifier: String
  /// The bundle's display name.
  public var displayName: String
  /// The icon of its app: the contents of an image file.
  public var icon: [UInt8]?

  /// Makes a description.
  public init(identifier: String, displayName: String, icon: [UInt8]? = nil) {
    self.identifier = identifier
    self.displayName = displayName
    self.icon = icon
  }
}
