/// A change of a list's text that does away with a diagnostic.
///
///     // {"trigger": {"url-filter": "/ad", "if-domain": ["A.com"]}, …}
///     Correction(53..<58, "a.com", keepsMeaning: true)
public struct Correction: Hashable, Sendable {
  /// Bytes of the text, and what stands there instead.
  public struct Edit: Hashable, Sendable {
    /// The bytes that go, half open, from 0; empty where something is only put in.
    public var byteRange: Range<Int>
    /// What comes in their place, as it stands in the JSON text.
    public var replacement: String

    /// Creates an edit from its parts.
    public init(_ byteRange: Range<Int>, _ replacement: String) {
      self.byteRange = byteRange
      self.replacement = replacement
    }
  }

  /// The edits, in the order of the text; none overlaps another.
  public var edits: [Edit]
  /// Whether no more than the text changes.
  ///
  /// The rules do what they did before, or, of a list that WebKit refuses, what can only have been
  /// meant. Anything else is a guess about what the author wants, for the author to decide.
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
