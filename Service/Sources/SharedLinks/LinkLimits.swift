/// Limits on reading, storing and showing links.
///
/// Whatever exceeds a limit is skipped with a note; the rest stays.
public struct LinkLimits: Sendable, Equatable {
  /// Bytes of a feed or page, after decompression.
  public var documentBytes = 10 << 20
  /// Items read from one document or one extension's answer; the first ones are kept.
  public var itemsPerDocument = 2_000
  /// Items kept for one source.
  ///
  /// Beyond that, items that have left the document are removed: read ones first, then the oldest.
  public var itemsPerSource = 5_000
  /// Nesting of elements in XML, and of arrays and objects in JSON.
  public var depth = 100
  /// Characters of a title that are stored and searched.
  public var titleCharacters = 500
  /// Characters of a text that are stored and searched.
  public var textCharacters = 4_000
  /// Bytes of a field before its markup is removed.
  public var fieldBytes = 1 << 20
  /// Bytes of an address or identifier; a longer one counts as missing.
  public var addressBytes = 4_096
  /// Bytes of an icon.
  public var iconBytes = 256 << 10
  /// Redirects followed in one fetch.
  public var redirects = 5
  /// Seconds for one fetch, from start to last byte.
  public var fetchSeconds = 30.0
  /// Notes kept of one fetch.
  public var notes = 20
  /// Characters of a title that are shown, including the ellipsis.
  public static let shownTitleCharacters = 120
  /// Characters of a text that are shown, including the ellipsis.
  public static let shownTextCharacters = 280

  /// Creates the documented limits.
  public init() {}
}
