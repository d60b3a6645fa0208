public import Foundation

/// The keys document of a gallery, in which its root key states which keys may sign its lists.
///
///     tickbird-gallery-keys 1
///     key <64 hexadecimal digits>        the root key
///     gallery Example gallery            which gallery it is for; never changes
///     version 3                          higher with every document
///     epoch 1                            lists' counters begin again with each
///     issued 2026-11-21T12:00:00Z
///     expires 2027-11-21T12:00:00Z       or: expires never
///     root-rotation …                    none or several; see ``KeyRotation``
///     signer <64 hexadecimal digits>     1 to 16, in the order of their digits
///     signature <128 hexadecimal digits>
///
/// The root key is kept offline. A stolen signing key is useless against users who have a later
/// document without it.
public struct GalleryKeys: Equatable, Sendable {
  static let kind = "tickbird-gallery-keys"
  /// The file's name, beside the list.
  public static let fileName = "tickbird-gallery-keys.txt"
  /// The size limit of a document, in bytes.
  static let sizeLimit = 64 << 10
  private static let signerLimit = 16

  /// The root key.
  public let root: PublicKey
  /// The gallery that it is for.
  public let gallery: String
  /// Higher with every document.
  public let version: UInt64
  /// Lists' counters begin again with each.
  public let epoch: UInt64
  /// When it was issued.
  public let issued: Date
  /// When it expires; nil for never.
  public let expires: Date?
  /// Rotations of the root key.
  public let rotations: [KeyRotation]
  /// The keys that may sign lists.
  public let signers: [PublicKey]
  /// The SHA-256 of the document's bytes.
  public let digest: Data

  /// Parses a document and verifies its signature; ``KnownRoot`` decides whether the key is the
  /// gallery's root and the document is fresh.
  ///
  /// - Throws: ``GalleryError`` with code `.malformed`, `.unsupportedVersion`, `.badSignature`,
  ///   `.badRotation` or `.tooLarge`.
  public init(_ text: Data, from what: String) throws {
    guard text.count <= Self.sizeLimit else {
      throw GalleryError(.tooLarge, "\(what) has more than \(Self.sizeLimit) bytes")
    }
    let signed = try SignedText(text, kind: Self.kind, context: .galleryKeys, what: what)
    var lines = signed.lines
    root = signed.key
    gallery = try lines.shownText("gallery")
    version = try lines.number("version")
    epoch = try lines.number("epoch")
    issued = try lines.date("issued")
    expires = try lines.dateOrNever("expires")
    if let expires, expires <= issued { throw lines.failure("it expires before it was made") }
    rotations = try lines.rotations("root-rotation", of: .root)
    var signers: [PublicKey] = []
    while !lines.isAtEnd {
      let signer = try lines.key("signer")
      guard signers.last.map({ $0.precedes(signer) }) ?? true else {
        throw lines.failure("a signer is there twice, or not in its order")
      }
      guard signers.count < Self.signerLimit else {
        throw lines.failure("there are more than \(Self.signerLimit) signers", code: .tooLarge)
      }
      signers.append(signer)
    }
    guard !signers.isEmpty else { throw lines.failure("no key may sign the gallery's lists") }
    guard !signers.contains(root) else {
      throw lines.failure("the root key is to sign lists itself, and would not be kept offline")
    }
    self.signers = signers
    digest = FileDigest.sha256(of: text)
  }

  /// Reads a document from its file.
  ///
  /// - Throws: As ``init(_:from:)``, and ``GalleryError`` with code `.file`.
  public init(contentsOf file: URL) throws {
    let text = try InputFile(file).readAll(limit: Self.sizeLimit, what: file.path)
    try self.init(text, from: file.path)
  }

  /// The contents of the next document.
  public struct Statement: Sendable {
    /// The gallery that it is for; nil keeps that of the old document.
    public var gallery: String?
    /// The keys that may sign lists; empty keeps those of the old document.
    public var signers: [PublicKey] = []
    /// Whether a new epoch begins, so that lists' counters restart.
    public var resetsCounters = false
    /// For how many seconds the document is valid; nil for ever.
    public var life: TimeInterval?
    /// Rotations of the root key to add to those of the old document.
    public var rotations: [KeyRotation] = []

    /// Creates contents that repeat the old document.
    public init() {}
  }

  /// Signs the next document and writes it to a file atomically.
  ///
  /// - Parameters:
  ///   - statement: Its contents.
  ///   - file: The file, with the old document if there is one.
  ///   - key: The root key, or one that a rotation leads to from the old root key.
  ///   - now: The current time.
  /// - Returns: The document.
  /// - Throws: ``GalleryError``; then the file is unchanged.
  @discardableResult
  public static func sign(
    _ statement: Statement,
    into file: URL,
    with key: SigningKey,
    now: Date = Date()
  ) throws -> GalleryKeys {
    let before = FileSystem.exists(file) ? try GalleryKeys(contentsOf: file) : nil
    var rotations = before?.rotations ?? []
    for rotation in statement.rotations where !rotations.contains(rotation) {
      rotations.append(rotation)
    }
    if let before {
      _ = try PinnedKey(before.root).following(
        rotations,
        to: try key.publicKey,
        for: "The new keys document (give the rotation from the old root key with --rotation)"
      )
      guard statement.gallery ?? before.gallery == before.gallery else {
        throw GalleryError(
          .malformed,
          "\(file.path) is for the gallery \"\(before.gallery)\", which cannot be changed: users "
            + "take no other"
        )
      }
    }
    guard let gallery = before?.gallery ?? statement.gallery else {
      throw GalleryError(.malformed, "A new keys document needs the gallery's name: --name \"…\"")
    }
    guard BundleInformation.isShownText(gallery) else {
      throw GalleryError(.malformed, "A gallery's name has 1 to 200 bytes in one line")
    }
    let signers = statement.signers.isEmpty ? before?.signers ?? [] : statement.signers
    guard !signers.isEmpty else {
      throw GalleryError(
        .malformed,
        "A new keys document needs a key that may sign the lists: --signer PUBLIC-KEY, which "
          + "tickbird package key show --public says"
      )
    }
    let time = max(now, before?.issued ?? now).timeIntervalSince1970.rounded(.down)
    let issued = Date(timeIntervalSince1970: time)
    let expires = statement.life.map { issued.addingTimeInterval($0) }
    var lines = [
      "gallery \(gallery)", "version \((before?.version ?? 0) + 1)",
      "epoch \((before?.epoch ?? 0) + (statement.resetsCounters ? 1 : 0))",
      "issued \(issued.formatted(.iso8601))",
      "expires \(expires?.formatted(.iso8601) ?? SignedLines.never)",
    ]
    lines += rotations.map { "root-\($0.line)" }
    lines += Set(signers).sorted { $0.precedes($1) }.map { "signer \($0.hexadecimal)" }
    let text = try SignedText.sign(lines, kind: kind, context: .galleryKeys, with: key)
    // Verify the result like a stranger's.
    let keys = try GalleryKeys(text, from: file.path)
    try FileSystem.replace(file, with: text, mode: 0o644)
    return keys
  }
}

/// The root key of a gallery, and its newest document seen.
public struct KnownRoot: Equatable, Sendable, Codable {
  /// The root key.
  public let pin: PinnedKey
  /// The gallery that its documents are for.
  public let gallery: String
  /// The highest version that was seen.
  public let version: UInt64
  /// The SHA-256 of the document with that version.
  public let digest: Data
  /// When that document was issued.
  public let issued: Date
  /// The epoch of lists' counters.
  public let epoch: UInt64
  /// The keys that may sign lists.
  public let signers: [PublicKey]

  /// Accepts the first document of a trusted root key.
  ///
  /// - Throws: ``GalleryError`` with code `.clock` or `.keysExpired`.
  init(first keys: GalleryKeys, now: Date) throws {
    try self.init(keys, pin: PinnedKey(keys.root), now: now)
  }

  private init(_ keys: GalleryKeys, pin: PinnedKey, now: Date) throws {
    let name = "The keys document of the gallery \(keys.gallery)"
    guard keys.issued <= now.addingTimeInterval(KnownGallery.clockTolerance) else {
      throw GalleryError(
        .clock,
        "\(name) was made at \(keys.issued.formatted(.iso8601)), but this machine's clock says "
          + "\(now.formatted(.iso8601)); set the clock"
      )
    }
    if let expires = keys.expires, expires <= now {
      throw GalleryError(
        .keysExpired,
        "\(name) expired at \(expires.formatted(.iso8601)). It is old, or somebody holds the newer "
          + "one back; nothing is updated until there is a new one"
      )
    }
    self.pin = pin
    gallery = keys.gallery
    version = keys.version
    digest = keys.digest
    issued = keys.issued
    epoch = keys.epoch
    signers = keys.signers
  }

  /// Returns whether a fingerprint is that of the root key, or of one that it replaced.
  func knows(_ root: KeyFingerprint) -> Bool {
    ([pin.key] + pin.retired).contains { $0.fingerprint == root }
  }

  /// Rejects a list that the root key does not authorize.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey` or `.listReplayed`.
  func check(_ list: UpdateList) throws {
    guard signers.contains(list.signer) else {
      throw GalleryError(
        .otherKey,
        "\(list.name): its list is signed by \(list.signer.fingerprint), which the gallery's root "
          + "key \(pin.key.fingerprint) does not name, or does not name any more"
      )
    }
    guard list.epoch == epoch else {
      let words =
        list.epoch < epoch
        ? "somebody serves an old list" : "its keys document is older than its list"
      throw GalleryError(
        .listReplayed,
        "\(list.name): its list is of the epoch \(list.epoch), but \(epoch) has begun; \(words)"
      )
    }
  }

  /// Returns the pin after accepting a list of a signer.
  func pinned(_ signer: PublicKey, after before: PinnedKey) -> PinnedKey {
    if signer == before.key { return before }
    let retired = (before.retired + [before.key]).filter { !signers.contains($0) }
    return PinnedKey(signer, retired: retired)
  }

  /// Accepts a document, and returns the new state of the root.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey`, `.keysReplayed`, `.keysExpired` or `.clock`.
  func accepting(_ keys: GalleryKeys, now: Date) throws -> KnownRoot {
    let name = "The keys document of the gallery \(gallery)"
    let pin = try pin.following(keys.rotations, to: keys.root, for: name)
    guard keys.gallery == gallery else {
      throw GalleryError(.otherKey, "\(name) is one of another gallery, \(keys.gallery)")
    }
    guard keys.version >= version else {
      throw GalleryError(
        .keysReplayed,
        "\(name) has the version \(keys.version), but \(version) was seen already; somebody serves "
          + "an old one"
      )
    }
    guard keys.version > version || keys.digest == digest else {
      throw GalleryError(.keysReplayed, "\(name): there are two with the version \(version)")
    }
    guard keys.epoch >= epoch, keys.issued >= issued else {
      throw GalleryError(
        .keysReplayed,
        "\(name) with the version \(keys.version) goes back behind the one with \(version)"
      )
    }
    return try KnownRoot(keys, pin: pin, now: now)
  }
}

extension PublicKey {
  fileprivate func precedes(_ other: PublicKey) -> Bool {
    bytes.lexicographicallyPrecedes(other.bytes)
  }
}

extension SignedLines {
  static let never = "never"

  fileprivate mutating func dateOrNever(_ name: String) throws -> Date? {
    var ahead = self
    if try ahead.value(name) == Self.never {
      self = ahead
      return nil
    }
    return try date(name)
  }
}
