internal import Crypto
public import Foundation

/// The public half of an Ed25519 key: who signed.
public struct PublicKey: Hashable, Sendable {
  /// The length in bytes.
  static let length = 32

  /// The key's 32 bytes, in the form of RFC 8032.
  public let bytes: Data

  /// Creates a key from 32 bytes.
  ///
  /// - Throws: ``GalleryError`` with code `.key` for any other length.
  public init(bytes: Data) throws {
    guard bytes.count == Self.length else {
      throw GalleryError(.key, "A public key has \(Self.length) bytes, not \(bytes.count)")
    }
    self.bytes = Data(bytes)
  }

  /// Parses 64 hexadecimal digits in lower case.
  init(hexadecimal: some StringProtocol) throws {
    guard let bytes = Hexadecimal.bytes(hexadecimal), bytes.count == Self.length else {
      throw GalleryError(.key, "A public key is written as 64 hexadecimal digits")
    }
    self.bytes = bytes
  }

  /// Parses 64 hexadecimal digits that a person typed, in the form of ``digits``.
  ///
  /// - Throws: ``GalleryError`` with code `.key`.
  public init(digits: String) throws { try self.init(hexadecimal: digits) }

  /// The key's bytes as 64 hexadecimal digits.
  public var digits: String { hexadecimal }

  var hexadecimal: String { Hexadecimal.text(bytes) }

  /// The key's fingerprint, to compare by eye.
  public var fingerprint: KeyFingerprint { KeyFingerprint(of: self) }

  /// Returns whether a signature of a message is valid in a context.
  func isValid(_ signature: Data, for body: Data, in context: SignatureContext) -> Bool {
    guard signature.count == SignedText.signatureLength,
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
    else {
      return false
    }
    return key.isValidSignature(signature, for: context.message(body))
  }
}

/// The SHA-256 of a public key.
public struct KeyFingerprint: Hashable, Sendable, CustomStringConvertible {
  /// The digest's 32 bytes.
  public let bytes: Data

  init(of key: PublicKey) {
    bytes = Data(SHA256.hash(data: key.bytes))
  }

  /// Parses a fingerprint as it is shown; case, spaces, hyphens and colons do not matter.
  ///
  /// - Returns: nil unless there are 64 hexadecimal digits.
  public init?(_ text: String) {
    let digits = text.lowercased().filter { $0 != "-" && $0 != ":" && $0 != " " }
    guard let bytes = Hexadecimal.bytes(digits), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Sixteen groups of four hexadecimal digits, separated by hyphens.
  public var description: String {
    let digits = Array(Hexadecimal.text(bytes))
    return stride(from: 0, to: digits.count, by: 4)
      .map { String(digits[$0..<min($0 + 4, digits.count)]) }
      .joined(separator: "-")
  }
}

/// Bytes as pairs of hexadecimal digits.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 15)])
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes only lower-case digits, so that each value has one spelling.
  static func bytes(_ text: some StringProtocol) -> Data? {
    var result = Data()
    var high: UInt8?
    for unit in text.utf8 {
      let value: UInt8
      switch unit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = unit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = unit - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high {
        result.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? result : nil
  }
}
