/// The signer of an installed extension.
///
/// The host trusts whoever installs: the gallery, which has verified the package. Bundles installed
/// from a folder, and plain lists, are unsigned.
public struct Signer: Codable, Hashable, Sendable {
  /// The key's fingerprint: sixteen groups of four hexadecimal digits; nil if unsigned.
  public let fingerprint: String?
  /// The fingerprints of keys that this one has replaced, by rotations that both signed.
  public let replaced: [String]

  /// No signer.
  public static let unsigned = Signer(key: nil, replaced: [])

  private init(key: String?, replaced: [String]) {
    fingerprint = key
    self.replaced = replaced
  }

  /// Creates a signer from a key's fingerprint.
  ///
  /// - Throws: ``HostError`` with code `.badArgument` if a text is not a fingerprint.
  public init(fingerprint: String, replaced: [String] = []) throws(HostError) {
    for text in [fingerprint] + replaced where !Self.isFingerprint(text) {
      throw HostError(
        .badArgument,
        "\"\(text)\" is not a key's fingerprint, which is sixteen groups of four hexadecimal digits "
          + "in lower case with hyphens between them"
      )
    }
    self.init(key: fingerprint, replaced: replaced)
  }

  /// Decodes a signer in ``Signer``'s own format; anything else is an error.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard let fingerprint = try values.decodeIfPresent(String.self, forKey: .fingerprint) else {
      self = .unsigned
      return
    }
    try self.init(
      fingerprint: fingerprint,
      replaced: try values.decode([String].self, forKey: .replaced)
    )
  }

  /// Whether there is no signer.
  public var isUnsigned: Bool { fingerprint == nil }

  /// Returns whether this signer is the developer of what another one signed: the same key, or one
  /// that has replaced it.
  ///
  /// Not vice versa: a replaced key may have been stolen.
  public func continues(_ other: Signer) -> Bool {
    guard let fingerprint, let others = other.fingerprint else {
      return isUnsigned && other.isUnsigned
    }
    return fingerprint == others || replaced.contains(others)
  }

  private static func isFingerprint(_ text: String) -> Bool {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.count == 16
      && groups.allSatisfy { group in
        group.count == 4
          && group.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      }
  }
}

extension Signer: CustomStringConvertible {
  /// The fingerprint, or `unsigned`.
  public var description: String { fingerprint ?? "unsigned" }
}
