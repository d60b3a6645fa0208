public import Foundation

/// A network log, and the same loads as the browser's protocol describes them.
public struct NetworkLog: Sendable {
  /// A load by the protocol's frame tree.
  public struct Load: Hashable, Sendable {
    /// The URL.
    public var url: String
    /// The browser's own word for what it is for.
    public var kind: String
    /// Whether it is a document, of a page or a frame.
    public var isDocument: Bool
    /// Whether the main frame starts it.
    public var isTopFrame: Bool
    /// The page's document.
    public var top: String
    /// The document of the frame.
    public var frame: String
  }

  /// The archive.
  public var archive: Data
  /// The loads in their order.
  public var loads: [Load]
}
