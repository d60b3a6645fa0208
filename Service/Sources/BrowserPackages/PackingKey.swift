internal import CLibrary
internal import Crypto
internal import CryptoExtras
internal import DurableFiles
public import Foundation

/// The RSA key that signs packages for Chromium and determines their id.
///
/// The file is PEM, as used by OpenSSL and Chromium. Anybody who has it can make packages that
/// browsers accept as newer versions, so only its owner may read it.
public struct PackingKey: Sendable {
  private static let longestFile = 1 << 16
  private let key: _RSA.Signing.PrivateKey

  /// Creates a key of 2,048 bits, which takes some tenths of a second.
  ///
  /// - Throws: ``PackingError`` with code `.key` if the system has no randomness.
  public init() throws {
    do {
      key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    } catch {
      throw PackingError(.key, "No key can be made: \(error)")
    }
  }

  /// Reads a key's file.
  ///
  /// - Throws: ``PackingError``: `.key` if others could read the file or it contains no RSA key of
  ///   at least 2,048 bits, `.file` if it cannot be read.
  public init(contentsOf file: URL) throws {
    let descriptor = unsafe open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure("\(file.path) cannot be opened") }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw PackingError(.file, "\(file.path) is not a regular file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw PackingError(
        .key,
        "\(file.path) has the mode \(String(status.st_mode & 0o777, radix: 8)), so others than its "
          + "owner can reach the key; use: chmod 600 '\(file.path)'"
      )
    }
    let bytes = try handle.read(upToCount: Self.longestFile) ?? Data()
    do {
      key = try _RSA.Signing.PrivateKey(
        pemRepresentation: String(decoding: bytes, as: UTF8.self)
      )
    } catch {
      throw PackingError(
        .key,
        "\(file.path) has no RSA key of at least 2,048 bits in PEM without a password; make one "
          + "with: openssl genrsa -out KEY.pem 2048"
      )
    }
  }

  /// Reads the key in a file, or creates one and stores it there.
  ///
  /// - Returns: The key, and whether it is new.
  /// - Throws: ``PackingError``; an existing file is never replaced.
  public static func kept(in file: URL) throws -> (key: PackingKey, isNew: Bool) {
    // A dangling link counts as existing.
    if (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil {
      return (try PackingKey(contentsOf: file), false)
    }
    let key = try PackingKey()
    try key.write(to: file)
    return (key, true)
  }

  /// Writes the key to a new file that only its owner can read.
  private func write(to file: URL) throws {
    do throws(FileFailure) {
      try DurableFile.create(file.path, with: Data((key.pemRepresentation + "\n").utf8))
    } catch {
      throw PackingError(.file, error.description)
    }
  }

  private static func failure(_ words: String) -> PackingError {
    PackingError(.file, "\(words): \(FileFailure.reason(errno))")
  }

  /// The public key in DER; the manifest's `key` is its base64.
  public var publicKey: Data { key.publicKey.derRepresentation }

  /// The first 16 bytes of the SHA-256 of the public half.
  var idBytes: Data { Data(SHA256.hash(data: publicKey).prefix(16)) }

  /// The id of an extension packed with this key: those bytes in hexadecimal, written with a to p
  /// for 0 to f.
  public var chromiumID: String {
    let letters = idBytes.flatMap { [$0 >> 4, $0 & 0xF] }.map { 0x61 + $0 }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Signs with RSA PKCS #1 1.5 and SHA-256, which is deterministic.
  func signature(_ message: Data) throws -> Data {
    do {
      // The package format requires this padding.
      return try key.signature(
        for: SHA256.hash(data: message),
        padding: .insecurePKCS1v1_5
      ).rawRepresentation
    } catch {
      throw PackingError(.key, "The key cannot sign: \(error)")
    }
  }
}
