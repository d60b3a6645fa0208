/// A change of a list's text that removes a diagnostic.
///
///     // {"trigger": {"url-filter": "/ad", "if-domain": ["A.com"]}, …}
///     Correction(53..<58, "a.com", keepsMeaning: true)
public struct Correction: Hashable, Sendable {
  /// A range of bytes and its replacement.
  public struct Edit: Hashable, Sendable {
    /// The bytes to replace, half open, from 0; empty for an insertion.
    public var byteRange: Range<Int>
    /// The replacement, as JSON text.
    public var replacement: String

    /// Creates an edit from its parts.
    public init(_ byteRange: Range<Int>, _ replacement: String) {
      self.byteRange = byteRange
      self.replacement = replacement
    }
  }

  /// The edits in the order of the text, without overlaps.
  public var edits: [Edit]
  /// Whether the correction changes the text but not the meaning.
  ///
  /// The rules do what they did before or, in a list that WebKit refuses, the only thing that can
  /// have been meant. Any other correction is a guess at what the author wants, for the author to
  /// decide.
  public var keepsMeaning: Bool

  /// Creates a correction of several edits.
  public init(_ edits: [Edit], keepsMeaning: Bool) {
    self.edits = edits
    self.keepsMeaning = keepsMeaning
  }

  /// Creates a correction of one edit.
  public init(_ byteRange: Range<Int>, _ replacement: String, keepsMeaning: Bool) {
    self.init([Edit(byteRange, replacement)], keepsMeaning: keepsMeaning)
  }
}
