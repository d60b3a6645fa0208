/// What reading, keeping and showing links may cost.
///
/// Whatever exceeds a limit is left out, with a note; what is within it stays.
public struct LinkLimits: Sendable, Equatable {
  /// Bytes of a feed or page, after decompression.
  public var documentBytes = 10 << 20
  /// Items taken from one document or one extension's answer; the first ones count.
  public var itemsPerDocument = 2_000
  /// Items kept for one source.
  ///
  /// Beyond it those go that are no longer in the document, read ones first and then by age.
  public var itemsPerSource = 5_000
  /// Elements inside each other in XML, and arrays and objects in JSON.
  public var depth = 100
  /// Characters of a title that are kept and searched.
  public var titleCharacters = 500
  /// Characters of a text that are kept and searched.
  public var textCharacters = 4_000
  /// Bytes of a field before its markup is taken out.
  public var fieldBytes = 1 << 20
  /// Bytes of an address or identifier; a longer one counts as missing.
  public var addressBytes = 4_096
  /// Bytes of an icon.
  public var iconBytes = 256 << 10
  /// Redirects that are followed for one fetch.
  public var redirects = 5
  /// Seconds for one fetch, from its beginning to its last byte.
  public var fetchSeconds = 30.0
  /// Notes kept for one fetch.
  public var notes = 20
  /// Characters of a title that are shown, the ellipsis included.
  public static let shownTitleCharacters = 120
  /// Characters of a text that are shown, the ellipsis included.
  public static let shownTextCharacters = 280

  /// The limits that the documentation names.
  public init() {}
}
