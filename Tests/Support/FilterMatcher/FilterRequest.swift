/// A request, as filters see it.
public struct FilterRequest: Hashable, Sendable {
  /// The serialised URL, without a fragment.
  public var url: String
  /// The type in the filters' words, such as `script` or `xmlhttprequest`.
  public var type: String
  /// The serialised URL of the page; for a page, its own.
  public var page: String
  /// The serialised URL of the document that makes the request, if it is in a frame of the page.
  public var frame: String?
  /// The method, in lower case.
  public var method: String

  /// Describes a request of a page's main frame, or of a frame in it.
  public init(
    url: String,
    type: String,
    page: String,
    frame: String? = nil,
    method: String = "get"
  ) {
    self.url = url
    self.type = type
    self.page = page
    self.frame = frame
    self.method = method
  }

  /// The URL of the document that makes the request.
  public var document: String { frame ?? page }
}

/// The host part of a serialised URL; empty for none.
func host(of url: String) -> String {
  guard let scheme = url.range(of: "://") else { return "" }
  var authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
  if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
  if authority.hasPrefix("[") {
    return String(authority.prefix { $0 != "]" }) + "]"
  }
  return String(authority.prefix { $0 != ":" })
}

extension String {
  /// The place of the first occurrence of a text.
  func range(of text: String) -> Range<Index>? { self[...].range(of: text) }
}

extension Substring {
  func range(of text: String) -> Range<Index>? { ranges(of: text).first }
}

/// A host and the domains above it, from the most specific one on.
///
/// A numeric address has none above it.
func domains(from host: String) -> [String] {
  guard !host.allSatisfy({ $0.isNumber || $0 == "." }), !host.hasPrefix("[") else { return [host] }
  var all: [String] = []
  var rest = host[...]
  while !rest.isEmpty {
    all.append(String(rest))
    guard let dot = rest.firstIndex(of: ".") else { break }
    rest = rest[rest.index(after: dot)...]
  }
  return all
}
