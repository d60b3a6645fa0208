public import ExtensionBundles
public import Foundation

/// A gallery's signed list of packages.
///
///     tickbird-update-list 1
///     key <64 hexadecimal digits>
///     name Example gallery
///     counter 12
///     epoch 1                            only in a gallery with a root key, from 1 on
///     issued 2026-11-21T12:00:00Z
///     expires 2026-12-21T12:00:00Z
///     root <64 hexadecimal digits>       only in a gallery with a root key
///     rotation …                         none or several; see ``KeyRotation``
///     package com.example.blocker        eight lines for each, in the order of identifiers
///     version 1.2
///     short-version 1.2 beta
///     name My Blocker
///     extension-point com.apple.Safari.content-blocker
///     signer <64 hexadecimal digits>
///     size 81920
///     digest <SHA-256 of the package>
///     path packages/com.example.blocker-1.2.tickbird
///     signature <128 hexadecimal digits>
public struct UpdateList: Equatable, Sendable {
  static let kind = "tickbird-update-list"
  /// The usual name of the file; every web server knows the type of `.txt`.
  public static let fileName = "tickbird-gallery.txt"
  /// The size limit of a list, in bytes.
  static let sizeLimit = 8 << 20
  private static let entryLimit = 10_000
  private static let rotationLimit = 256
  /// The longest validity of a list, in seconds.
  public static let longestLife: TimeInterval = 400 * 86_400

  /// A package in the list.
  public struct Entry: Equatable, Sendable {
    /// The bundle's identifier.
    public let identifier: String
    /// `CFBundleVersion`.
    public let version: BundleVersion
    /// `CFBundleShortVersionString`.
    public let shortVersion: String
    /// The display name.
    public let name: String
    /// `NSExtensionPointIdentifier`.
    public let extensionPoint: String
    /// Who signed the package.
    public let signer: PublicKey
    /// The size of the package in bytes.
    public let size: UInt64
    /// The package's SHA-256.
    public let digest: Data
    /// The path of the package, relative to the list's folder.
    public let path: String
  }

  /// Who signed the list.
  public let signer: PublicKey
  /// The gallery's name.
  public let name: String
  /// Higher with every list of an epoch.
  public let counter: UInt64
  /// Counters restart with each epoch; see ``GalleryKeys``.
  public let epoch: UInt64
  /// When the list was issued.
  public let issued: Date
  /// When the list expires.
  public let expires: Date
  /// The gallery's root key; nil if it has none.
  public let root: PublicKey?
  /// Rotations of the gallery's key, and of those of packages.
  public let rotations: [KeyRotation]
  /// The packages, sorted by identifier without duplicates.
  public let entries: [Entry]
  /// The SHA-256 of the list's bytes.
  public let digest: Data

  /// Parses a list and verifies its signature; ``KnownGallery`` decides whether it is fresh.
  ///
  /// - Throws: ``GalleryError`` with code `.malformed`, `.unsupportedVersion`, `.badSignature`,
  ///   `.badPath`, `.badRotation` or `.tooLarge`.
  public init(_ text: Data, from what: String) throws {
    guard text.count <= Self.sizeLimit else {
      throw GalleryError(.tooLarge, "\(what) has more than \(Self.sizeLimit) bytes")
    }
    let signed = try SignedText(text, kind: Self.kind, context: .updateList, what: what)
    var lines = signed.lines
    signer = signed.key
    name = try lines.shownText("name")
    counter = try lines.number("counter")
    epoch = lines.upcoming == "epoch" ? try lines.number("epoch") : 0
    issued = try lines.date("issued")
    expires = try lines.date("expires")
    guard expires > issued, expires.timeIntervalSince(issued) <= Self.longestLife else {
      throw lines.failure("a list is good for at least a second and at most 400 days")
    }
    root = lines.upcoming == "root" ? try lines.key("root") : nil
    rotations = try lines.rotations(limit: Self.rotationLimit)
    var entries: [Entry] = []
    while !lines.isAtEnd {
      guard entries.count < Self.entryLimit else {
        throw lines.failure("there are more than \(Self.entryLimit) packages", code: .tooLarge)
      }
      let entry = try Self.entry(&lines)
      if let last = entries.last, !last.precedes(entry) {
        throw lines.failure("\(entry.identifier) is there twice, or not in its order")
      }
      entries.append(entry)
    }
    self.entries = entries
    digest = FileDigest.sha256(of: text)
  }

  private static func entry(_ lines: inout SignedLines) throws -> Entry {
    let identifier = try lines.bundleIdentifier("package")
    let version = try lines.version("version")
    let shortVersion = try lines.shownText("short-version")
    let name = try lines.shownText("name")
    let point = try lines.bundleIdentifier("extension-point")
    let signer = try lines.key("signer")
    let size = try lines.number("size")
    let digest = try lines.digest("digest")
    let path = try lines.value("path")
    if let fault = PackagePath.fault(path) {
      throw lines.failure("the path \"\(path)\" is refused: \(fault)", code: .badPath)
    }
    return Entry(
      identifier: identifier,
      version: version,
      shortVersion: shortVersion,
      name: name,
      extensionPoint: point,
      signer: signer,
      size: size,
      digest: digest,
      path: path
    )
  }

  /// Signs a list.
  static func sign(
    name: String,
    counter: UInt64,
    epoch: UInt64 = 0,
    root: PublicKey? = nil,
    issued: Date,
    expires: Date,
    rotations: [KeyRotation],
    entries: [Entry],
    with key: SigningKey
  ) throws -> Data {
    var lines = ["name \(name)", "counter \(counter)"]
    // Without a root key the format is the original one.
    if epoch > 0 { lines.append("epoch \(epoch)") }
    lines += ["issued \(issued.formatted(.iso8601))", "expires \(expires.formatted(.iso8601))"]
    if let root { lines.append("root \(root.hexadecimal)") }
    lines += rotations.map(\.line)
    for entry in entries.sorted(by: { $0.precedes($1) }) {
      lines += [
        "package \(entry.identifier)", "version \(entry.version)",
        "short-version \(entry.shortVersion)", "name \(entry.name)",
        "extension-point \(entry.extensionPoint)", "signer \(entry.signer.hexadecimal)",
        "size \(entry.size)", "digest \(Hexadecimal.text(entry.digest))", "path \(entry.path)",
      ]
    }
    return try SignedText.sign(lines, kind: kind, context: .updateList, with: key)
  }
}

extension UpdateList.Entry {
  fileprivate func precedes(_ other: UpdateList.Entry) -> Bool {
    identifier.utf8.lexicographicallyPrecedes(other.identifier.utf8)
  }

  /// Checks that a package is the one listed.
  ///
  /// - Throws: ``GalleryError`` with code `.notTheListed`.
  func check(_ package: PackageReader) throws {
    let manifest = package.manifest
    guard package.size == size, try package.digest() == digest, manifest.identifier == identifier,
      manifest.version.description == version.description, package.signer == signer
    else {
      throw GalleryError(
        .notTheListed,
        "\(path) is not the package that the list names (\(identifier) \(version)), but "
          + "\(manifest.identifier) \(manifest.version) with other bytes; it serves an old "
          + "or a foreign package"
      )
    }
  }
}

extension SignedLines {
  mutating func date(_ name: String) throws -> Date {
    let text = try value(name)
    // Formatting the date again enforces one canonical spelling.
    guard let date = try? Date(text, strategy: .iso8601), date.formatted(.iso8601) == text else {
      throw failure("\(name) is not a time as 2026-11-21T12:00:00Z")
    }
    return date
  }
}
