internal import Crypto
public import Foundation

/// The SHA-256 of a file's contents.
public enum FileDigest {
  /// Hashes a file, reading 64 KiB at a time.
  ///
  /// - Throws: ``GalleryError`` with code `.file`.
  public static func sha256(of file: URL) throws -> Data {
    try sha256(of: try InputFile(file))
  }

  static func sha256(of bytes: Data) -> Data { Data(SHA256.hash(data: bytes)) }

  static func sha256(of input: InputFile) throws -> Data {
    try input.seek(to: 0)
    var hash = SHA256()
    while true {
      let part = try input.read(PackageWriter.chunk)
      if part.isEmpty { break }
      hash.update(data: part)
    }
    return Data(hash.finalize())
  }
}
