public import Foundation

/// A statement, signed by two keys, that one replaces the other.
///
///     tickbird-key-rotation 1
///     from <64 hexadecimal digits>
///     to <64 hexadecimal digits>
///     signature-from <128 hexadecimal digits>
///     signature-to <128 hexadecimal digits>
///
/// Both sign the first three lines. In a package or a list a rotation is one line, `rotation FROM
/// TO SIGNATURE-FROM SIGNATURE-TO`.
///
/// A rotation of root keys begins with `tickbird-root-rotation 1`, and occurs only in keys
/// documents.
public struct KeyRotation: Equatable, Sendable {
  /// What the two keys are for; rotations of one kind are never accepted for the other.
  public enum Role: String, Sendable {
    /// Keys that sign packages and lists.
    case signing = "tickbird-key-rotation"
    /// Root keys of galleries.
    case root = "tickbird-root-rotation"

    fileprivate var context: SignatureContext { self == .root ? .rootRotation : .keyRotation }
  }

  /// The most rotations in a package or a list.
  static let limit = 32

  /// What the two keys are for.
  public let role: Role
  /// The old key.
  public let from: PublicKey
  /// The key that replaces it.
  public let to: PublicKey
  private let signatureFrom: Data
  private let signatureTo: Data

  /// Signs a rotation with both keys.
  ///
  /// - Throws: ``GalleryError`` with code `.badRotation` if they are the same key.
  public init(from: SigningKey, to: SigningKey, of role: Role = .signing) throws {
    let body = Self.body(role, from: try from.publicKey, to: try to.publicKey)
    try self.init(
      role: role,
      from: try from.publicKey,
      to: try to.publicKey,
      signatureFrom: try from.signature(for: body, in: role.context),
      signatureTo: try to.signature(for: body, in: role.context)
    )
  }

  /// Reads a rotation's file.
  ///
  /// - Throws: ``GalleryError`` with code `.malformed`, or `.badRotation` if a signature is wrong.
  public init(contentsOf file: URL, of role: Role = .signing) throws {
    let data = try InputFile(file).readAll(limit: 1 << 12, what: file.path)
    try self.init(text: data, of: role, what: file.path)
  }

  init(text: Data, of role: Role = .signing, what: String) throws {
    let bytes = [UInt8](text)
    var lines = SignedLines(bytes[...], what: what)
    _ = try lines.first(kind: role.rawValue, highest: 1)
    let from = try lines.key("from")
    let to = try lines.key("to")
    let signatureFrom = Hexadecimal.bytes(try lines.value("signature-from"))
    let signatureTo = Hexadecimal.bytes(try lines.value("signature-to"))
    guard let signatureFrom, let signatureTo, lines.isAtEnd else {
      throw lines.failure("expected two signatures and nothing more")
    }
    try self.init(
      role: role,
      from: from,
      to: to,
      signatureFrom: signatureFrom,
      signatureTo: signatureTo
    )
  }

  /// Parses the rest of a line that begins with `rotation `.
  init(line: String, of role: Role, in lines: SignedLines) throws {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, let signatureFrom = Hexadecimal.bytes(parts[2]),
      let signatureTo = Hexadecimal.bytes(parts[3]),
      let from = try? PublicKey(hexadecimal: parts[0]),
      let to = try? PublicKey(hexadecimal: parts[1])
    else {
      throw lines.failure("a rotation has two keys and two signatures")
    }
    try self.init(
      role: role,
      from: from,
      to: to,
      signatureFrom: signatureFrom,
      signatureTo: signatureTo
    )
  }

  private init(
    role: Role,
    from: PublicKey,
    to: PublicKey,
    signatureFrom: Data,
    signatureTo: Data
  ) throws {
    guard from != to else {
      throw GalleryError(.badRotation, "The key \(from.fingerprint) cannot take its own place")
    }
    let body = Self.body(role, from: from, to: to)
    for (key, signature, age) in [(from, signatureFrom, "old"), (to, signatureTo, "new")]
    where !key.isValid(signature, for: body, in: role.context) {
      throw GalleryError(
        .badRotation,
        "The rotation from \(from.fingerprint) to \(to.fingerprint) is not signed by the \(age) "
          + "key; both have to sign"
      )
    }
    self.role = role
    self.from = from
    self.to = to
    self.signatureFrom = signatureFrom
    self.signatureTo = signatureTo
  }

  private static func body(_ role: Role, from: PublicKey, to: PublicKey) -> Data {
    Data("\(role.rawValue) 1\nfrom \(from.hexadecimal)\nto \(to.hexadecimal)\n".utf8)
  }

  /// The line for a manifest or a list.
  var line: String {
    "rotation \(from.hexadecimal) \(to.hexadecimal) \(Hexadecimal.text(signatureFrom)) "
      + Hexadecimal.text(signatureTo)
  }

  /// The contents of the rotation's file.
  public var text: Data {
    let signatures =
      "signature-from \(Hexadecimal.text(signatureFrom))\n"
      + "signature-to \(Hexadecimal.text(signatureTo))\n"
    return Self.body(role, from: from, to: to) + Data(signatures.utf8)
  }

  /// Writes the rotation to a new file.
  ///
  /// - Throws: ``GalleryError`` with code `.file`, also if the file exists.
  public func write(to file: URL) throws {
    try WritableFile.write(text, toNew: file, mode: 0o644)
  }
}

/// The key trusted for something, and the keys that it has replaced.
public struct PinnedKey: Equatable, Sendable, Codable {
  /// The key that has to sign now.
  public let key: PublicKey
  /// Keys that were trusted before; none of them is trusted again.
  public let retired: [PublicKey]

  /// Pins a key.
  public init(_ key: PublicKey, retired: [PublicKey] = []) {
    self.key = key
    self.retired = retired
  }

  /// Returns the pin after accepting something that a key signed.
  ///
  /// - Parameters:
  ///   - rotations: The rotations that came along, in any order, already verified.
  ///   - signer: The key that signed.
  ///   - what: What the key is pinned for, for the error.
  /// - Returns: The pin.
  /// - Throws: ``GalleryError`` with code `.otherKey`, with both fingerprints.
  /// - Complexity: O(*r*²) for *r* rotations.
  public func following(
    _ rotations: [KeyRotation],
    to signer: PublicKey,
    for what: String
  ) throws -> PinnedKey {
    guard signer != key else { return self }
    if retired.contains(signer) {
      throw GalleryError(
        .otherKey,
        "\(what) is signed by \(signer.fingerprint), whose place \(key.fingerprint) has taken; "
          + "a key that was replaced is not taken again"
      )
    }
    var cameFrom: [PublicKey: PublicKey] = [:]
    var reached = [key]
    while let last = reached.popLast(), cameFrom[signer] == nil {
      for rotation in rotations
      where rotation.from == last && cameFrom[rotation.to] == nil && rotation.to != key
        && !retired.contains(rotation.to)
      {
        cameFrom[rotation.to] = last
        reached.append(rotation.to)
      }
    }
    guard cameFrom[signer] != nil else {
      throw GalleryError(
        .otherKey,
        "\(what) is signed by another key. Known: \(key.fingerprint). This one: "
          + "\(signer.fingerprint). No rotation that both signed leads from one to the other"
      )
    }
    var passed: [PublicKey] = []
    var step = signer
    while let before = cameFrom[step] {
      passed.append(before)
      step = before
    }
    return PinnedKey(signer, retired: retired + passed.reversed())
  }
}

extension PublicKey: Codable {
  /// Decodes 64 hexadecimal digits.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    try self.init(hexadecimal: try container.decode(String.self))
  }

  /// Encodes 64 hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hexadecimal)
  }
}
