/// Who signed an installed extension.
///
/// The host takes a signer's word from whoever installs: the gallery, which has checked the package.
/// A bundle that came as a folder, and a list alone, are unsigned.
public struct Signer: Codable, Hashable, Sendable {
  /// The fingerprint of the key: sixteen groups of four hexadecimal digits; nil for unsigned.
  public let fingerprint: String?
  /// The fingerprints of keys whose place the key has taken, by rotations that both signed.
  public let replaced: [String]

  /// Nobody signed it.
  public static let unsigned = Signer(key: nil, replaced: [])

  private init(key: String?, replaced: [String]) {
    fingerprint = key
    self.replaced = replaced
  }

  /// Names the key that signed.
  ///
  /// - Throws: ``HostError`` with code `.badArgument` for a text that is not a fingerprint.
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

  /// Reads a signer as ``Signer`` writes it; anything else is an error.
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

  /// Whether nobody signed it.
  public var isUnsigned: Bool { fingerprint == nil }

  /// Whether what this one signed comes from the developer of what another one signed: it is the
  /// same key, or one that has taken its place.
  ///
  /// Not the other way round: a key that was replaced may have been stolen.
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
  /// The fingerprint, or that there is none.
  public var description: String { fingerprint ?? "unsigned" }
}
