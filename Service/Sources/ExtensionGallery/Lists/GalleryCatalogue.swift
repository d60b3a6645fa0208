public import ExtensionBundles
public import Foundation

/// What a gallery shows of the packages in one of its lists.
///
/// It is beside the list, in ``folderName``, under the digest of that list, so that a new list never
/// appears with the texts of an old one. Versions of Tickbird that do not know it go without.
///
///     tickbird-gallery-catalogue 1
///     key <64 hexadecimal digits>        the key that signed the list
///     list <SHA-256 of the list>
///     package com.example.blocker        in the list's order; those that show something
///     summary …                          see ``Presentation``
///     asks connections to the network    at most 64
///     version 1.2 2026-11-21T12:00:00Z 81920 <SHA-256>     newest first, at most 50; since when it is listed
///     signature <128 hexadecimal digits>
///
/// Nothing is decided by it: what is installed, and what is asked before, comes from the package.
public struct GalleryCatalogue: Equatable, Sendable {
  static let kind = "tickbird-gallery-catalogue"
  /// The folder of the catalogue, the images and the pages, beside the list.
  public static let folderName = "tickbird-gallery"
  /// The size limit of a catalogue, in bytes.
  static let sizeLimit = 16 << 20
  private static let requestLimit = 64
  static let versionLimit = 50

  /// What is shown of one package.
  public struct Entry: Equatable, Sendable {
    /// A version that the gallery has.
    public struct Version: Equatable, Sendable {
      /// The version.
      public let version: BundleVersion
      /// Since when the gallery lists it.
      public let listed: Date
      /// The size of the package in bytes.
      public let size: UInt64
      /// The package's SHA-256.
      public let digest: Data
    }

    /// The identifier.
    public let identifier: String
    /// Texts and pictures, as the package has them.
    public let presentation: Presentation
    /// What it asks for.
    public let requests: [String]
    /// The versions, the newest first.
    public let versions: [Version]
  }

  /// Who signed.
  public let signer: PublicKey
  /// The SHA-256 of the list.
  public let list: Data
  /// The packages, by identifier.
  public let entries: [String: Entry]

  /// Nothing about any package of a list.
  public init(emptyFor list: UpdateList) {
    signer = list.signer
    self.list = list.digest
    entries = [:]
  }

  /// Parses a catalogue and verifies that the signer of a list made it for that list.
  ///
  /// - Throws: ``GalleryError`` with code `.malformed`, `.unsupportedVersion`, `.badSignature`,
  ///   `.otherKey`, `.listReplayed` or `.tooLarge`.
  public init(_ text: Data, of list: UpdateList, from what: String) throws {
    guard text.count <= Self.sizeLimit else {
      throw GalleryError(.tooLarge, "\(what) has more than \(Self.sizeLimit) bytes")
    }
    let signed = try SignedText(text, kind: Self.kind, context: .galleryCatalogue, what: what)
    guard signed.key == list.signer else {
      throw GalleryError(.otherKey, "\(what) is signed by another key than the gallery's list")
    }
    var lines = signed.lines
    signer = signed.key
    self.list = try lines.digest("list")
    guard self.list == list.digest else {
      throw GalleryError(.listReplayed, "\(what) is of another list than the gallery's")
    }
    var entries: [String: Entry] = [:]
    var rest = list.entries[...]
    while !lines.isAtEnd {
      let identifier = try lines.bundleIdentifier("package")
      // In the list's order, each once.
      guard let index = rest.firstIndex(where: { $0.identifier == identifier }) else {
        throw lines.failure("\(identifier) is not in the list, or not in its order")
      }
      let listed = rest[index]
      rest = rest[(index + 1)...]
      let presentation = try Presentation(&lines)
      var requests: [String] = []
      while lines.upcoming == "asks" {
        guard requests.count < Self.requestLimit else {
          throw lines.failure("it asks for more than \(Self.requestLimit) things", code: .tooLarge)
        }
        requests.append(try lines.shortText("asks"))
      }
      var versions: [Entry.Version] = []
      while lines.upcoming == "version" {
        guard versions.count < Self.versionLimit else {
          throw lines.failure("there are more than \(Self.versionLimit) versions", code: .tooLarge)
        }
        let version = try Entry.Version(&lines)
        guard versions.last.map({ version.version < $0.version }) ?? true else {
          throw lines.failure("the versions are not in their order")
        }
        versions.append(version)
      }
      guard
        versions.first.map({ $0.digest == listed.digest && $0.version == listed.version }) == true
      else { throw lines.failure("\(identifier) has another version than in the list") }
      entries[identifier] = Entry(
        identifier: identifier,
        presentation: presentation,
        requests: requests,
        versions: versions
      )
    }
    self.entries = entries
  }

  /// Signs a catalogue of a list.
  static func sign(_ entries: [Entry], of list: UpdateList, with key: SigningKey) throws -> Data {
    var lines = ["list \(Hexadecimal.text(list.digest))"]
    let byIdentifier = Dictionary(uniqueKeysWithValues: entries.map { ($0.identifier, $0) })
    for listed in list.entries {
      guard let entry = byIdentifier[listed.identifier] else { continue }
      lines.append("package \(entry.identifier)")
      lines += entry.presentation.lines
      lines += entry.requests.map { "asks \($0)" }
      lines += entry.versions.map { version in
        "version \(version.version) \(version.listed.formatted(.iso8601)) \(version.size) "
          + Hexadecimal.text(version.digest)
      }
    }
    return try SignedText.sign(lines, kind: kind, context: .galleryCatalogue, with: key)
  }

  /// The path of the catalogue of a list, from the list's folder on.
  static func path(of list: UpdateList) -> String {
    "\(folderName)/\(namePrefix)\(Hexadecimal.text(list.digest)).txt"
  }

  private static let namePrefix = "catalogue-"

  /// Whether a file in the folder of that name is a catalogue.
  static func isFileName(_ name: String) -> Bool { name.hasPrefix(namePrefix) }

  /// The path of an image, from the list's folder on.
  static func path(of image: Presentation.Image) -> String { "\(folderName)/\(image.fileName)" }

  /// The requests as lines that a catalogue takes: at most 64 of at most 1,000 bytes.
  static func requests(_ sentences: [String]) -> [String] {
    let lines = sentences.map { sentence in
      let plain = sentence.unicodeScalars.filter { PackagePath.isPlain(String($0)) }
      let text = String(String.UnicodeScalarView(plain))
      return text.utf8.count <= 1_000 ? text : String(text.prefix(200)) + "…"
    }
    if lines.count <= requestLimit { return lines }
    return lines.prefix(requestLimit - 1) + ["and \(lines.count - requestLimit + 1) more things"]
  }
}

extension GalleryCatalogue.Entry.Version {
  fileprivate init(_ lines: inout SignedLines) throws {
    let parts = try lines.value("version")
      .split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, let version = BundleVersion(published: String(parts[0])),
      let listed = try? Date(String(parts[1]), strategy: .iso8601),
      listed.formatted(.iso8601) == parts[1], let size = SignedLines.number(parts[2]),
      let digest = Hexadecimal.bytes(parts[3]), digest.count == 32
    else { throw lines.failure("expected \"version\", a version, a time, a size and a SHA-256") }
    self.init(version: version, listed: listed, size: size, digest: digest)
  }
}

extension SignedLines {
  fileprivate mutating func shortText(_ name: String) throws -> String {
    let text = try value(name)
    guard text.utf8.count <= 1_000, PackagePath.isPlain(text) else {
      throw failure("\(name) is over 1000 bytes long, or has characters that are not seen")
    }
    return text
  }
}
