/// The positions of the components in a serialised URL.
///
/// Offsets are in bytes from the start. Every mark exists for every URL; a missing component has an
/// empty range.
///
///     https://user:pass@example.com:8080/dir/file?query#fragment
///          │  │   │    │          │    │        │     │
///          │  │   │    │          │    │        │     fragmentStart (at "#", or the end)
///          │  │   │    │          │    │        queryStart (at "?", or fragmentStart)
///          │  │   │    │          │    pathStart
///          │  │   │    │          hostEnd
///          │  │   │    hostStart
///          │  │   usernameEnd
///          │  usernameStart
///          schemeEnd (at ":")
///
/// The password is between `usernameEnd` and `hostStart`, without its ":" and "@". A path that
/// begins with "//" under a URL without a host is written after "/.", which is between `hostEnd`
/// and `pathStart`.
struct Layout: Sendable {
  var schemeEnd: UInt32 = 0
  var usernameStart: UInt32 = 0
  var usernameEnd: UInt32 = 0
  var hostStart: UInt32 = 0
  var hostEnd: UInt32 = 0
  var pathStart: UInt32 = 0
  var queryStart: UInt32 = 0
  var fragmentStart: UInt32 = 0
  var port: UInt16 = 0
  var hasPort = false
  var hasOpaquePath = false
  var hostKind = WebURL.HostKind.none
  var scheme = SchemeKind.other

  /// The longest input, in bytes; percent-encoding at worst triples it, so offsets always fit.
  static let maximumInputCount = 1 << 30
}
