/// The ways in which rules say "this host or a host below it".
///
/// Nearly nine of ten rules begin with one of a handful of patterns, which the converters of filter
/// lists write. Such a filter is indexed under the text behind the anchor, and the scanner finds
/// all the places of a URL where that text may occur without running a program. The compiler
/// compares parsed terms, so the spelling of a pattern does not matter.
///
/// ``domainExact`` and ``domainBelow`` are the patterns of conditions on domains; see the rule
/// language, section 6.4.
public enum HostAnchor: UInt8, CaseIterable, Sendable {
  case anySchemeSlashes
  case anySchemeOptionalSlashes
  case http
  case webScheme
  case webSchemeExact
  case httpExact
  case httpLabels
  case domainExact
  case domainBelow
  case httpSlashes

  /// The pattern before the host.
  public var pattern: StaticString {
    switch self {
    case .anySchemeSlashes: #"^[^:]+://+([^:/]+\.)?"#
    case .anySchemeOptionalSlashes: #"^[^:]+:(//)?([^/]+\.)?"#
    case .http: #"^https?://([^/]+\.)?"#
    case .webScheme: #"^[htpsw]+://([a-z0-9-]+\.)?"#
    case .webSchemeExact: #"^[htpsw]+://"#
    case .httpExact: #"^https?://"#
    case .httpLabels: #"^https?://([^/:]*\.)?"#
    case .domainExact: #"[a-z][a-z+.-]*://"#
    case .domainBelow: #"[a-z][a-z+.-]*://([^/]*\.)*"#
    case .httpSlashes: #"^https?:/+([^/:]+\.)?"#
    }
  }

  /// Whether the scanner also supports the anchor for case-sensitive filters.
  public var allowsCaseSensitive: Bool { Self.atStart & bit != 0 }

  /// The anchor as one bit.
  var bit: UInt32 { 1 << UInt32(rawValue) }

  /// The anchors that may skip labels, each up to a dot.
  static let withSubdomains: UInt32 = 0b10_0100_1111
  /// The anchors whose skipped labels contain no colon.
  static let withoutColons: UInt32 = 0b10_0100_0001
  /// The anchors at the start of a URL.
  static let atStart: UInt32 = 0b10_0111_1111
  /// The anchors that may follow any `://` of a URL.
  static let anywhere: UInt32 = 0b01_1000_0000
}

/// The ways in which rules say "anywhere behind the scheme".
///
/// Such a filter begins with a gap that does not start at the URL's beginning.
public enum GapAnchor: UInt8, CaseIterable, Sendable {
  /// Anywhere in the URL.
  case none
  /// Anywhere behind the first colon, unless the URL begins with it.
  case behindColon
  /// Anywhere behind `http://` or `https://`.
  case behindHTTP

  /// The pattern of the anchor, gap included.
  public var pattern: StaticString {
    switch self {
    case .none: #".*"#
    case .behindColon: #"^[^:]+:(//)?.*"#
    case .behindHTTP: #"^https?://.*"#
    }
  }
}
