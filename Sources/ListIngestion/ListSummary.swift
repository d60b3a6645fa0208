/// What is known of a list once it is compiled: its syntax, its header, and what became of its lines.
public struct ListSummary: Codable, Hashable, Sendable {
  /// The syntaxes of lists; a raw value keeps its name in later versions.
  public enum Format: String, CaseIterable, Codable, Sendable {
    /// WebKit's JSON.
    case webkit
    /// Adblock Plus.
    case abp
    /// AdGuard.
    case adguard
    /// uBlock Origin.
    case ubo
    /// A hosts file, or one domain a line.
    case hosts

    /// The name of the syntax, for people.
    public var name: String {
      switch self {
      case .webkit: "WebKit's JSON"
      case .abp: "Adblock Plus' syntax"
      case .adguard: "AdGuard's syntax"
      case .ubo: "uBlock Origin's syntax"
      case .hosts: "a hosts file"
      }
    }
  }

  /// How many lines had each outcome.
  public struct LineCounts: Codable, Hashable, Sendable {
    /// Lines of which WebKit does what they say.
    public var converted = 0
    /// Lines of which WebKit does something near to it.
    public var approximated = 0
    /// Lines that WebKit cannot do.
    public var impossible = 0
    /// Lines that are no filters.
    public var comments = 0

    /// The lines that are filters.
    public var filters: Int { converted + approximated + impossible }
  }

  /// Why lines were not converted as they stand.
  public struct Reason: Codable, Hashable, Sendable {
    /// Whether the lines have no rule; otherwise they are approximated.
    public var isImpossible: Bool
    /// The reason's stable name.
    public var code: String
    /// The reason of the first line in one sentence without a full stop.
    public var sentence: String
    /// How many lines have it.
    public var lines: Int
    /// The first of them, from 1.
    public var firstLine: Int
  }

  /// The syntax.
  public var format: Format
  /// Whether it came compressed by gzip.
  public var isCompressed: Bool
  /// What the list says of itself.
  public var header: ListHeader
  /// How many rules it has.
  public var rules: Int
  /// What became of the lines; `nil` for WebKit's JSON, which needs no conversion.
  public var lines: LineCounts?
  /// The most frequent reasons, those of impossible lines first.
  public var reasons: [Reason]
  /// The version of the compiled file.
  public var fileVersion: Int
}
