internal import Crypto
public import Foundation

/// The private half of an Ed25519 key, and the file that it is kept in.
///
///     tickbird-private-key 1
///     <64 hexadecimal digits>
public struct SigningKey: Sendable {
  private static let firstLine = "tickbird-private-key 1"
  private let key: Curve25519.Signing.PrivateKey

  /// Creates a random key.
  public init() {
    key = Curve25519.Signing.PrivateKey()
  }

  /// Reads a key's file.
  ///
  /// - Throws: ``GalleryError`` with code `.key` if others could read the file, or it contains no
  ///   key; `.file` if it cannot be read.
  public init(contentsOf file: URL) throws {
    let input = try InputFile(file)
    guard input.mode & 0o077 == 0 else {
      throw GalleryError(
        .key,
        "\(file.path) has the mode \(String(input.mode & 0o777, radix: 8)), so others than its "
          + "owner can reach the key; use: chmod 600 '\(file.path)'"
      )
    }
    let text = String(decoding: try input.readAll(limit: 1 << 12, what: file.path), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0] == Self.firstLine, lines[2].isEmpty,
      let bytes = Hexadecimal.bytes(lines[1]), bytes.count == PublicKey.length,
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    else {
      throw GalleryError(
        .key,
        "\(file.path) is not a private key; make one with: tickbird package key new FILE"
      )
    }
    self.key = key
  }

  /// Writes the key to a new file that only its owner can read.
  ///
  /// - Throws: ``GalleryError`` with code `.file`, also if the file exists.
  public func write(to file: URL) throws {
    let text = "\(Self.firstLine)\n\(Hexadecimal.text(key.rawRepresentation))\n"
    guard !FileSystem.exists(file) else {
      throw GalleryError(
        .file,
        "\(file.path) is there already, and a key is never replaced; name another file, or move it away"
      )
    }
    try WritableFile.write(Data(text.utf8), toNew: file, mode: 0o600)
  }

  /// The public half.
  public var publicKey: PublicKey {
    get throws { try PublicKey(bytes: key.publicKey.rawRepresentation) }
  }

  func signature(for body: Data, in context: SignatureContext) throws -> Data {
    do {
      return try key.signature(for: context.message(body))
    } catch {
      throw GalleryError(.key, "The key cannot sign: \(error)")
    }
  }
}
