import Crypto
import Foundation

/// Signs a fuzzer's input, so that the code behind the signature check is reached.
///
/// Written from the description of the formats, independently of the code that signs.
enum SignedTexts {
  private static let key = try? Curve25519.Signing.PrivateKey(
    rawRepresentation: [UInt8](repeating: 7, count: 32)
  )

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  static var publicKey: String {
    key.map { hexadecimal($0.publicKey.rawRepresentation) } ?? ""
  }

  /// A text of a kind, signed for a context: its first two lines, what is given, and a signature.
  static func signed(_ lines: [UInt8], kind: String, context: String, version: Int = 1) -> Data {
    let body = Data("\(kind) \(version)\nkey \(publicKey)\n".utf8) + lines
    let signature = try? key?.signature(for: Data(context.utf8) + [0] + body)
    return body + Data("signature \(hexadecimal(signature ?? Data()))\n".utf8)
  }
}
