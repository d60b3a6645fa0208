internal import WebURL

/// What a note is attached to.
///
/// Of several notes the most exact one counts for a page: that of the page itself, then that of the
/// longest path, then that of the host, then that of the nearest site. Of two notes with the same
/// target the one that was made last counts.
public struct NoteTarget: Hashable, Sendable, CustomStringConvertible {
  /// How much a note is attached to.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// A host and all below it, on every port.
    case site
    /// One host without those below it, on every port.
    case host
    /// A path of a host and what is below it.
    case path
    /// One page.
    case page
  }

  /// How much it is.
  public let kind: Kind
  /// The host; for paths and pages with the port, path and suffix of ``PageAddress``.
  ///
  /// A path has no final `/`.
  public let address: String

  /// The deepest path that a note may be attached to, in segments; look-ups are bounded by it.
  public static let pathDepth = 64

  /// The target of a kind that a page belongs to.
  ///
  /// The site of `www.example.com` is `example.com`.
  ///
  /// - Throws: ``NoteError`` with code `address` if the path is too deep.
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

  /// Reads a target's address.
  ///
  /// - Throws: ``NoteError`` with code `address`.
  public init(_ kind: Kind, address: String) throws(NoteError) {
    try self.init(kind, of: PageAddress(address))
  }

  /// The kind and the address, as `page example.com/a?b`.
  public var description: String { "\(kind.rawValue) \(address)" }

  /// Whether the target is what the page is, or has it below it.
  public func contains(_ page: PageAddress) -> Bool {
    Self.keys(for: page).contains(key)
  }

  /// The one text by which the store finds the target: a letter for the kind, and the address.
  var key: String { Self.keyPrefix(kind) + address }

  /// Reads a key that the store or a device wrote.
  ///
  /// - Returns: `nil` unless it is in the one form.
  init?(key: String) {
    guard let first = key.first,
      let kind = Kind.allCases.first(where: { Self.keyPrefix($0) == String(first) })
    else { return nil }
    // The site of a name that begins with `www.` was asked for by its key; it stays as it is.
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

  /// The keys of all targets that a page belongs to, the most exact first.
  ///
  /// At most ``pathDepth`` and the number of the host's labels, which is at most 127, and three.
  static func keys(for page: PageAddress) -> [String] {
    var keys = [keyPrefix(.page) + page.authority + page.path + page.suffix]
    var path = Substring(withoutFinalSlashes(page.path))
    var paths: [String] = []
    while true {
      paths.append(keyPrefix(.path) + page.authority + path)
      guard let slash = path.lastIndex(of: "/") else { break }
      path = path[..<slash]
    }
    keys += paths.suffix(pathDepth + 1)
    keys.append(keyPrefix(.host) + page.host)
    keys.append(keyPrefix(.site) + page.host)
    guard page.hostIsName else { return keys }
    var rest = page.host[...]
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      keys.append(keyPrefix(.site) + rest)
    }
    return keys
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
    // `www.co.uk` is a site of its own.
    let suffix = PublicSuffixList.publicSuffix(ofHost: Array(rest.utf8).span)
    return rest.contains(".") && suffix?.lowerBound != 0 ? String(rest) : host
  }
}
