public import Foundation

/// A packed extension for Chromium: CRX, version 3.
///
///     "Cr24"  3  header's size  header  ZIP archive
///
/// Numbers have four bytes, little-endian. The header is a protocol buffer:
///
///     2: { 1: public key, 2: signature }      a proof by RSA with SHA-256
///     10000: { 1: the id's 16 bytes }         signed together with the archive
///
/// Not made with `chromium --pack-extension`, so that no browser is needed, and the same folder and
/// key always give the same package.
public struct ChromiumPackage: Sendable {
  /// The file's bytes.
  public let data: Data
  /// The extension's id.
  public let id: String
  /// The extension's version.
  public let version: String

  /// Packs a folder.
  ///
  /// - Parameters:
  ///   - folder: The extension; its manifest's `key` is replaced by the public half of `key`.
  ///   - key: Signs the package.
  /// - Throws: ``PackingError``.
  public init(_ folder: ExtensionFolder, key: PackingKey) throws {
    guard folder.family == .chromium else {
      throw PackingError(.folder, "\(folder.url.path) was not built for Chromium")
    }
    let archive = try folder.archive(key: key.publicKey)
    var signedHeader = ProtocolBuffer()
    signedHeader.add(1, key.idBytes)
    var message = Bytes()
    message.data = Data("CRX3 SignedData\0".utf8)
    message.add(UInt32(signedHeader.data.count))
    message.data += signedHeader.data + archive
    var proof = ProtocolBuffer()
    proof.add(1, key.publicKey)
    proof.add(2, try key.signature(message.data))
    var header = ProtocolBuffer()
    header.add(2, proof.data)
    header.add(10_000, signedHeader.data)
    var file = Bytes()
    file.data = Data("Cr24".utf8)
    file.add(UInt32(3))
    file.add(UInt32(header.data.count))
    data = file.data + header.data + archive
    id = key.chromiumID
    version = folder.version
  }
}

/// Byte fields in the encoding of protocol buffers.
struct ProtocolBuffer {
  private(set) var data = Data()

  mutating func add(_ field: UInt64, _ bytes: Data) {
    addNumber(field << 3 | 2)
    addNumber(UInt64(bytes.count))
    data += bytes
  }

  private mutating func addNumber(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    data.append(UInt8(rest))
  }
}
