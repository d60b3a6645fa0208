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

  /// Takes the first list of a gallery, and pins its key.
  ///
  /// - Throws: ``GalleryError`` with code `.clock` or `.listExpired`.
  public init(url: URL, first list: UpdateList, now: Date) throws {
    try self.init(url: url, list: list, pin: PinnedKey(list.signer), now: now)
  }

  private init(url: URL, list: UpdateList, pin: PinnedKey, now: Date) throws {
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
  }

  /// Takes a list, and gives what is known of the gallery afterwards.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey`, `.listReplayed`, `.clock` or `.listExpired`.
  public func accepting(_ list: UpdateList, now: Date) throws -> KnownGallery {
    let pin = try pin.following(
      list.rotations,
      to: list.signer,
      for: "The list of the gallery \(name)"
    )
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
        "\(name): its list with the counter \(list.counter) was made before the one with \(counter)"
      )
    }
    return try KnownGallery(url: url, list: list, pin: pin, now: now)
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
