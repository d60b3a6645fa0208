public import Foundation

/// A gallery that the user added, and its newest list seen.
public struct KnownGallery: Equatable, Sendable, Codable {
  /// How many seconds a list may be ahead of this machine's clock.
  static let clockTolerance: TimeInterval = 86_400

  /// The address of its list.
  public let url: URL
  /// Its name, from the newest list.
  public let name: String
  /// The key that signs its lists.
  public let pin: PinnedKey
  /// The highest counter that was seen.
  public let counter: UInt64
  /// The SHA-256 of the list with that counter.
  public let digest: Data
  /// When that list was issued.
  public let issued: Date
  /// When that list expires.
  public let expires: Date
  /// The gallery's root key and the signers that it authorizes; nil if the gallery has none.
  public private(set) var root: KnownRoot?
  /// The epoch of the counter; nil means 0, in states written by older versions.
  private let epoch: UInt64?

  /// Accepts the first list of a gallery, and pins its key.
  ///
  /// - Parameters:
  ///   - url: The address of the list.
  ///   - list: The list.
  ///   - keys: The keys document, if the gallery has one; its root key is pinned.
  ///   - now: The current time.
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

  /// Accepts a keys document, and returns the new state of the gallery.
  ///
  /// Store it even if the list is rejected: keys that the document does not name are invalid from
  /// then on.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey`, `.keysReplayed`, `.keysExpired` or `.clock`.
  public func accepting(_ keys: GalleryKeys, now: Date) throws -> KnownGallery {
    var gallery = self
    gallery.root = try root?.accepting(keys, now: now)
    return gallery
  }

  /// Pins the root key of a gallery that had none before, as named in a list signed by the pinned
  /// key.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey`, `.keysExpired` or `.clock`.
  func adopting(_ keys: GalleryKeys, of list: UpdateList, now: Date) throws -> KnownGallery {
    guard root == nil else { return self }
    // The pinned key has to sign this list, whichever keys the document names.
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

  /// Accepts a list, and returns the new state of the gallery.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey`, `.listReplayed`, `.clock` or `.listExpired`.
  public func accepting(_ list: UpdateList, now: Date) throws -> KnownGallery {
    let pin: PinnedKey
    if let root {
      // Only the root key decides: a stolen key could sign a rotation too.
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
    // A new epoch restarts the counter, so that a counter driven to its end does not end the
    // gallery.
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

  /// Returns the address of a package in the list.
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
