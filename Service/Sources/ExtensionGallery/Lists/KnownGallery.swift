public import Foundation

/// A gallery that the user added, and what was seen of it.
public struct KnownGallery: Equatable, Sendable, Codable {
  /// How far a list may be ahead of this machine's clock.
  static let clockTolerance: TimeInterval = 86_400

  /// Where its list is.
  public let url: URL
  /// Its name, as the newest list says.
  public let name: String
  /// The key that signs its lists.
  public let pin: PinnedKey
  /// The highest counter that was seen.
  public let counter: UInt64
  /// The SHA-256 of the list with that counter.
  public let digest: Data
  /// When that list was made.
  public let issued: Date
  /// When that list expires.
  public let expires: Date
  /// The gallery's root key, and which keys it lets sign lists; nil where the gallery has none.
  public private(set) var root: KnownRoot?
  /// The epoch of the counter; nil in states of former versions, for 0.
  private let epoch: UInt64?

  /// Takes the first list of a gallery, and pins its key.
  ///
  /// - Parameters:
  ///   - url: Where the list is.
  ///   - list: The list.
  ///   - keys: The document of the root key, where the gallery has one; its root is pinned.
  ///   - now: The time.
  /// - Throws: ``GalleryError`` with code `.otherKey`, `.clock`, `.listExpired` or `.keysExpired`.
  public init(url: URL, first list: UpdateList, keys: GalleryKeys? = nil, now: Date) throws {
    let root = try keys.map { try KnownRoot(first: $0, now: now) }
    try root?.check(list)
    try self.init(url: url, list: list, pin: PinnedKey(list.signer), root: root, now: now)
  }

  private init(
    url: URL,
    list: UpdateList,
    pin: PinnedKey,
    root: KnownRoot?,
    now: Date
  ) throws {
    guard list.issued <= now.addingTimeInterval(Self.clockTolerance) else {
      throw GalleryError(
        .clock,
        "\(list.name): its list was made at \(list.issued.formatted(.iso8601)), but this machine's "
          + "clock says \(now.formatted(.iso8601)); set the clock"
      )
    }
    guard list.expires > now else {
      throw GalleryError(
        .listExpired,
        "\(list.name): its list expired at \(list.expires.formatted(.iso8601)). It is old, or "
          + "somebody holds the newer one back; nothing is updated until there is a new one"
      )
    }
    self.url = url
    name = list.name
    self.pin = pin
    counter = list.counter
    digest = list.digest
    issued = list.issued
    expires = list.expires
    epoch = list.epoch
    self.root = root
  }

  /// Takes a document of the gallery's root key, and gives what is known of the gallery afterwards.
  ///
  /// To be remembered whatever happens to the list: keys that it does not name are
  /// invalid from then on.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey`, `.keysReplayed`, `.keysExpired` or `.clock`.
  public func accepting(_ keys: GalleryKeys, now: Date) throws -> KnownGallery {
    var gallery = self
    gallery.root = try root?.accepting(keys, now: now)
    return gallery
  }

  /// Pins the root key of a gallery that had none before, which the key that was trusted until now
  /// names in its list.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey`, `.keysExpired` or `.clock`.
  func adopting(_ keys: GalleryKeys, of list: UpdateList, now: Date) throws -> KnownGallery {
    guard root == nil else { return self }
    // Whoever the list names, it is the pinned key that says so.
    _ = try pin.following(list.rotations, to: list.signer, for: "The list of the gallery \(name)")
    guard list.root == keys.root else {
      throw GalleryError(
        .otherKey,
        "\(name): its keys document is not signed by the root key that its list names"
      )
    }
    var gallery = self
    gallery.root = try KnownRoot(first: keys, now: now)
    return gallery
  }

  /// Takes a list, and gives what is known of the gallery afterwards.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey`, `.listReplayed`, `.clock` or `.listExpired`.
  public func accepting(_ list: UpdateList, now: Date) throws -> KnownGallery {
    let pin: PinnedKey
    if let root {
      // What the root key says counts alone: a rotation would be good for a stolen key, too.
      try root.check(list)
      pin = root.pinned(list.signer, after: self.pin)
    } else {
      pin = try self.pin.following(
        list.rotations,
        to: list.signer,
        for: "The list of the gallery \(name)"
      )
      guard list.epoch == 0 else {
        throw GalleryError(.malformed, "\(name): its list has an epoch, but names no root key")
      }
    }
    // Counters begin again, so that one that was driven to its end is not the gallery's end.
    if list.epoch == epoch ?? 0 {
      guard list.counter >= counter else {
        throw GalleryError(
          .listReplayed,
          "\(name): its list has the counter \(list.counter), but \(counter) was seen already; "
            + "somebody serves an old list"
        )
      }
      guard list.counter > counter || list.digest == digest else {
        throw GalleryError(
          .listReplayed,
          "\(name): there are two lists with the counter \(counter); the gallery has to be built "
            + "again, with a higher one"
        )
      }
      guard list.issued >= issued else {
        throw GalleryError(
          .listReplayed,
          "\(name): its list with the counter \(list.counter) was made before the one with "
            + "\(counter)"
        )
      }
    }
    return try KnownGallery(url: url, list: list, pin: pin, root: root, now: now)
  }

  /// Where a package of the list is.
  ///
  /// - Throws: ``GalleryError`` with code `.badPath`.
  func location(of entry: UpdateList.Entry) throws -> URL {
    let path = PackagePath.percentEncoded(entry.path)
    guard let location = URL(string: path, relativeTo: url)?.absoluteURL else {
      throw GalleryError(.badPath, "\(entry.path) cannot be part of an address")
    }
    return location
  }
}
