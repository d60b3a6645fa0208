/// The ways in which rules say "this host or a host below it".
///
/// Nearly nine of ten rules begin with one of a handful of texts that list makers' converters
/// write. A filter that begins with one of them is filed under the text that follows, and the
/// scanner finds all the places of a URL where that text may stand without running a program. The
/// compiler compares parsed terms, so the spelling of a pattern does not matter.
///
/// ``domainExact`` and ``domainBelow`` are how conditions on domains become patterns; see the rule
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

  /// The pattern that stands before the host.
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

  /// Whether the scanner also knows the anchor for case-sensitive filters.
  public var allowsCaseSensitive: Bool { Self.atStart & bit != 0 }

  /// The anchor as one bit.
  var bit: UInt32 { 1 << UInt32(rawValue) }

  /// The anchors that go on to the labels behind the first dot.
  static let withSubdomains: UInt32 = 0b10_0100_1111
  /// The anchors whose labels hold no colon.
  static let withoutColons: UInt32 = 0b10_0100_0001
  /// The anchors that stand at the beginning of a URL.
  static let atStart: UInt32 = 0b10_0111_1111
  /// The anchors that may stand behind any `://` of a URL.
  static let anywhere: UInt32 = 0b01_1000_0000
}

/// The ways in which rules say "anywhere behind the scheme".
///
/// They are a gap that does not begin at the URL's start.
public enum GapAnchor: UInt8, CaseIterable, Sendable {
  /// Anywhere in the URL.
  case none
  /// Anywhere behind the first colon, unless the URL begins with it.
  case behindColon
  /// Anywhere behind `http://` or `https://`.
  case behindHTTP

  /// The pattern that stands in front, gap included.
  public var pattern: StaticString {
    switch self {
    case .none: #".*"#
    case .behindColon: #"^[^:]+:(//)?.*"#
    case .behindHTTP: #"^https?://.*"#
    }
  }
}
