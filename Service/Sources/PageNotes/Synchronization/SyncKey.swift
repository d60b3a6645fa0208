internal import Crypto
internal import Foundation

/// The secret key shared by all of a user's devices.
///
/// It seals every line in the folder: without it a line can be neither read nor made. It has 128
/// random bits and is written `tbk1-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX`, in Crockford's base 32,
/// which avoids similar letters; the last 22 bits are a checksum.
///
/// A line is `2 ID BOX`: the format, the key's ``id``, and, in base 64, the line's bytes sealed by
/// ChaCha20-Poly1305 with a random nonce, and with format and id as additional authenticated data.
public struct SyncKey: Equatable, Sendable {
  private let secret: Data
  private let sealing: SymmetricKey
  private let beginning: Data
  /// The key's id: eight letters and digits that reveal nothing of the key.
  public let id: String

  static let format = 2
  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private static let prefix = "tbk1"
  private static let length = 30

  /// Creates a random key.
  public init() {
    self.init(secret: Data(Self.bytes(SymmetricKey(size: .bits128))))
  }

  private init(secret: Data) {
    self.secret = secret
    func derived(_ purpose: String, _ count: Int) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: secret),
        info: Data("tickbird notes 2: \(purpose)".utf8),
        outputByteCount: count
      )
    }
    sealing = derived("lines", 32)
    id = Self.text(Self.bytes(derived("name", 5)))
    beginning = Data("\(Self.format) \(id) ".utf8)
  }

  private static func bytes(_ key: SymmetricKey) -> [UInt8] {
    unsafe key.withUnsafeBytes { unsafe Array($0) }
  }

  // MARK: Text

  /// Parses a key as a person types it; case, spaces and hyphens do not matter.
  ///
  /// - Throws: ``NoteError`` with code `key`, whose message does not repeat the input.
  public init(_ text: String) throws(NoteError) {
    let typed = text.lowercased().unicodeScalars.filter {
      $0 != "-" && !$0.properties.isWhitespace
    }
    let digits = String(String.UnicodeScalarView(typed))
      .replacing("o", with: "0").replacing("i", with: "1").replacing("l", with: "1")
    guard digits.hasPrefix(Self.prefix) else {
      throw NoteError(
        .key,
        "A key begins with “tbk1-”. “tickbird notes key show” shows it on a device that has it"
      )
    }
    let values = digits.dropFirst(Self.prefix.count).utf8.map { Self.letters.firstIndex(of: $0) }
    guard values.count == Self.length else {
      throw NoteError(
        .key,
        "A key has \(Self.length) letters and digits after “tbk1-”; here are \(values.count)"
      )
    }
    // The letters encode two bits more than secret and checksum have.
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for value in values {
      bits = bits << 5 | UInt32(value ?? 0)
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    let key = SyncKey(secret: Data(bytes.prefix(16)))
    guard !values.contains(nil), key.text.utf8.filter({ $0 != 0x2D }) == Array(digits.utf8) else {
      throw NoteError(
        .key,
        """
        The key has a typing error. Copy it, or compare it letter by letter with what \
        “tickbird notes key show” shows on a device that has it
        """
      )
    }
    self = key
  }

  /// The key as text, for the user to enter on another device.
  public var text: String {
    let digest = SHA256.hash(data: Data(Self.prefix.utf8) + secret)
    // 128 bits and 22 bits make thirty letters.
    let letters = Array(Self.text(Array(secret) + Array(digest.prefix(3))).utf8.prefix(Self.length))
    let groups = stride(from: 0, to: letters.count, by: 5).map {
      String(decoding: letters[$0..<$0 + 5], as: UTF8.self)
    }
    return ([Self.prefix] + groups).joined(separator: "-")
  }

  private static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(letters[Int(bits >> count & 31)])
      }
      bits &= 1 << count - 1
    }
    if count > 0 { text.append(letters[Int(bits << (5 - count) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Lines

  /// Why a line cannot be opened.
  enum Fault: Error, Equatable {
    /// It was cut off, damaged or forged.
    case damaged
    /// It was sealed with the key of that id.
    case otherKey(String)
    /// It was written by a newer version.
    case newer
  }

  /// Seals bytes as a line with its line end.
  func seal(_ bytes: Data) throws -> Data {
    let box = try ChaChaPoly.seal(bytes, using: sealing, authenticating: beginning)
    return beginning + box.combined.base64EncodedData() + [UInt8(ascii: "\n")]
  }

  /// Opens a sealed line, given without its line end.
  func open(_ line: Data) throws(Fault) -> Data {
    guard let id = Self.id(of: line) else {
      throw Self.isNewer(line) ? .newer : .damaged
    }
    guard id == self.id else { throw .otherKey(id) }
    let text = line.dropFirst(beginning.count)
    // Base 64 ignores the last letter's unused bits; comparing enforces one canonical form.
    guard let combined = Data(base64Encoded: text), combined.base64EncodedData() == text,
      let box = try? ChaChaPoly.SealedBox(combined: combined),
      let bytes = try? ChaChaPoly.open(box, using: sealing, authenticating: beginning)
    else { throw .damaged }
    return bytes
  }

  /// Returns the id of the key that a line names; `nil` if the line does not begin like a sealed
  /// one.
  static func id(of line: Data) -> String? {
    let parts = Array(line.prefix(11))
    guard parts.count == 11, parts[0] == 0x30 + UInt8(format), parts[1] == 0x20, parts[10] == 0x20,
      parts[2..<10].allSatisfy(letters.contains)
    else { return nil }
    return String(decoding: parts[2..<10], as: UTF8.self)
  }

  private static func isNewer(_ line: Data) -> Bool {
    guard let first = line.first else { return false }
    return (0x30 + UInt8(format) + 1...0x39).contains(first) && line.dropFirst().first == 0x20
  }
}
