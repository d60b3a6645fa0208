internal import WebURL

/// What a note is attached to.
///
/// If several notes match a page, the most specific one applies: the page's own, then the longest
/// path's, then the host's, then the nearest site's. Of two notes with the same target the newer
/// one applies.
public struct NoteTarget: Hashable, Sendable, CustomStringConvertible {
  /// The scope of a target.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// A host and its subdomains, on every port.
    case site
    /// A host without its subdomains, on every port.
    case host
    /// A path of a host, and everything below it.
    case path
    /// One page.
    case page
  }

  /// The scope.
  public let kind: Kind
  /// The host; for paths and pages with the port, path and suffix of ``PageAddress``.
  ///
  /// A path has no final `/`.
  public let address: String

  /// The deepest path that a note may be attached to, in segments; this bounds look-ups.
  public static let pathDepth = 64

  /// Creates the target of a kind that contains a page.
  public init(_ kind: Kind, of page: PageAddress) throws(NoteError) {
    self.kind = kind
    switch kind {
    case .site: address = page.hostIsName ? Self.withoutWWW(page.host) : page.host
    case .host: address = page.host
    case .path:
      guard page.path.utf8.count(where: { $0 == UInt8(ascii: "/") }) <= Self.pathDepth else {
        throw NoteError(
          .address,
          "A note cannot be attached to a path of more than \(Self.pathDepth) segments"
        )
      }
      address = page.authority + Self.withoutFinalSlashes(page.path)
    case .page: address = page.authority + page.path + page.suffix
    }
  }

  /// Parses a target's address.
  public init(_ kind: Kind, address: String) throws(NoteError) {
    try self.init(kind, of: PageAddress(address))
  }

  /// Parses the address of a target that a file to be imported names.
  init(imported kind: Kind, address: String) throws(NoteError) {
    try self.init(kind, address: address)
    try checkIsOneSite()
  }

  /// The kind and the address, such as `page example.com/a?b`.
  public var description: String { "\(kind.rawValue) \(address)" }

  /// Returns whether the target contains a page.
  public func contains(_ page: PageAddress) -> Bool {
    Self.keys(for: page).contains(key)
  }

  /// Throws if a site is the end of many sites' names: a note for `com` would cover everything there.
  ///
  /// Notes that are there stay as they are, also on other devices: one that a device left out would not be
  /// the same there.
  func checkIsOneSite() throws(NoteError) {
    guard kind == .site, PublicSuffixList.isListed(Array(address.utf8).span) else { return }
    throw NoteError(
      .address,
      "“\(address)” is not one site, but the end of many; a note for it covers a host, a path or a page"
    )
  }

  /// The canonical key in the store: a letter for the kind, then the address.
  var key: String { Self.keyPrefix(kind) + address }

  /// Parses a key that the store or a device wrote.
  ///
  /// - Returns: `nil` unless it is in canonical form.
  init?(key: String) {
    guard let first = key.first,
      let kind = Kind.allCases.first(where: { Self.keyPrefix($0) == String(first) })
    else { return nil }
    // The key names a site beginning with `www.` on purpose, so the prefix stays.
    let address = String(key.dropFirst())
    guard let page = try? PageAddress(address) else { return nil }
    if kind == .site, address == page.host {
      self.kind = .site
      self.address = address
      return
    }
    guard let target = try? NoteTarget(kind, of: page), target.address == address else {
      return nil
    }
    self = target
  }

  /// Returns the keys of all targets that contain a page, most specific first.
  ///
  /// There are at most ``pathDepth`` + 4 keys, plus one for each site above the host of at most
  /// ``labelLimit`` labels.
  static func keys(for page: PageAddress) -> [String] {
    var keys = [keyPrefix(.page) + page.authority + page.path + page.suffix]
    keys += folders(of: page.path).map { keyPrefix(.path) + page.authority + $0 }
    keys.append(keyPrefix(.host) + page.host)
    keys.append(keyPrefix(.site) + page.host)
    guard page.hostIsName else { return keys }
    keys += sites(above: page.host).map { keyPrefix(.site) + $0 }
    return keys
  }

  /// Sites above a host are looked up if they have at most so many labels; no name in the domain name system
  /// has more.
  private static let labelLimit = 128

  /// Returns a path without final slashes and the folders that it lies in, the longest first; of a deep one
  /// only the outermost folders.
  private static func folders(of path: String) -> [Substring] {
    let path = withoutFinalSlashes(path)
    var found: [Substring] = []
    var rest = path[...]
    while found.count <= pathDepth, let slash = rest.firstIndex(of: "/") {
      found.append(path[..<slash])
      rest = rest[path.index(after: slash)...]
    }
    if found.count <= pathDepth { found.append(path[...]) }
    return found.reversed()
  }

  /// Returns the sites above a host, the longest first.
  private static func sites(above host: String) -> [Substring] {
    var found: [Substring] = []
    var rest = host[...]
    while found.count < labelLimit, let dot = rest.lastIndex(of: ".") {
      found.append(host[host.index(after: dot)...])
      rest = rest[..<dot]
    }
    return found.reversed()
  }

  static func keyPrefix(_ kind: Kind) -> String {
    switch kind {
    case .site: "s"
    case .host: "h"
    case .path: "d"
    case .page: "p"
    }
  }

  private static func withoutFinalSlashes(_ path: String) -> String {
    var path = Substring(path)
    while path.last == "/" { path.removeLast() }
    return String(path)
  }

  private static func withoutWWW(_ host: String) -> String {
    guard host.hasPrefix("www.") else { return host }
    let rest = host.dropFirst(4)
    // `www.co.uk` is itself a site.
    let suffix = PublicSuffixList.publicSuffix(ofHost: Array(rest.utf8).span)
    return rest.contains(".") && suffix?.lowerBound != 0 ? String(rest) : host
  }
}
