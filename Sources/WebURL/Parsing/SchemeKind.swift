/// The special schemes of the URL standard, and all others as one.
enum SchemeKind: UInt8, Sendable {
  case other
  case http
  case https
  case ws
  case wss
  case ftp
  case file

  var isSpecial: Bool {
    self != .other
  }

  /// The default port, which a URL of this scheme never shows.
  var defaultPort: UInt16? {
    switch self {
    case .http, .ws: 80
    case .https, .wss: 443
    case .ftp: 21
    case .file, .other: nil
    }
  }

  /// Creates the kind of a scheme in lower case, without its colon.
  init(_ scheme: Span<UInt8>) {
    func equals(_ word: StaticString) -> Bool {
      guard word.utf8CodeUnitCount == scheme.count else { return false }
      return word.withUTF8Buffer { word in
        for index in scheme.indices where unsafe word[index] != scheme[index] { return false }
        return true
      }
    }
    switch scheme.count {
    case 2 where equals("ws"): self = .ws
    case 3 where equals("wss"): self = .wss
    case 3 where equals("ftp"): self = .ftp
    case 4 where equals("http"): self = .http
    case 4 where equals("file"): self = .file
    case 5 where equals("https"): self = .https
    default: self = .other
    }
  }
}
