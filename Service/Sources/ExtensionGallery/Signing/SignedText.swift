internal import Foundation

/// The purpose of a signature: one for a list is never valid for a package.
enum SignatureContext: String {
  case packageManifest = "tickbird package manifest 1"
  case presentedPackage = "tickbird package manifest 2"
  case updateList = "tickbird update list 1"
  case keyRotation = "tickbird key rotation 1"
  case galleryCatalogue = "tickbird gallery catalogue 1"
  case galleryKeys = "tickbird gallery keys 1"
  case rootRotation = "tickbird root rotation 1"

  /// Returns the message to sign: the context, a zero byte, the body.
  func message(_ body: Data) -> Data {
    var message = Data(rawValue.utf8)
    message.append(0)
    message.append(body)
    return message
  }
}

/// Lines of text, signed by the last line.
///
///     tickbird-… 1                      the kind, and the version of its format
///     key <64 hexadecimal digits>       who signed
///     …                                 the statement's own lines
///     signature <128 hexadecimal digits>
///
/// Only the first two lines are parsed before the signature is verified; afterwards exactly the
/// signed bytes are parsed.
struct SignedText {
  static let signatureLength = 64
  private static let tag = "signature "
  /// The length of the last line in bytes, including its line feed.
  static let tailLength = 10 + 2 * signatureLength + 1

  /// The key that signed.
  let key: PublicKey
  /// The version of the format.
  let version: Int
  /// The lines after the first two.
  let lines: SignedLines

  /// Verifies the signature.
  ///
  /// - Parameters:
  ///   - text: The bytes.
  ///   - kind: The first word.
  ///   - context: The context of version 1.
  ///   - second: That of version 2, if there is one.
  ///   - what: What is read, for errors.
  /// - Throws: ``GalleryError`` with code `.malformed`, `.unsupportedVersion` or `.badSignature`.
  init(
    _ text: Data,
    kind: String,
    context: SignatureContext,
    second: SignatureContext? = nil,
    what: String
  ) throws {
    let bytes = [UInt8](text)
    guard bytes.count > Self.tailLength else {
      throw GalleryError(.malformed, "\(what) is too short to be signed")
    }
    let bodyEnd = bytes.count - Self.tailLength
    let tail = String(decoding: bytes[bodyEnd...], as: UTF8.self)
    var reader = SignedLines(bytes[..<bodyEnd], what: what)
    version = try reader.first(kind: kind, highest: second == nil ? 1 : 2)
    let context = version == 2 ? second ?? context : context
    let key = try reader.key("key")
    guard tail.hasPrefix(Self.tag), tail.hasSuffix("\n"),
      bytes[bodyEnd - 1] == SignedLines.lineFeed,
      let signature = Hexadecimal.bytes(tail.dropFirst(Self.tag.count).dropLast())
    else {
      throw GalleryError(.malformed, "\(what) does not end with its signature")
    }
    guard key.isValid(signature, for: Data(bytes[..<bodyEnd]), in: context) else {
      throw GalleryError(
        .badSignature,
        "\(what) is not what the key \(key.fingerprint) signed; it was changed"
      )
    }
    self.key = key
    lines = reader
  }

  /// Signs a statement, given its lines after the first two, without line feeds.
  static func sign(
    _ lines: [String],
    kind: String,
    context: SignatureContext,
    version: Int = 1,
    with key: SigningKey
  ) throws -> Data {
    let head = ["\(kind) \(version)", "key \(try key.publicKey.hexadecimal)"]
    let body = Data((head + lines).map { $0 + "\n" }.joined().utf8)
    let signature = try key.signature(for: body, in: context)
    return body + Data("\(tag)\(Hexadecimal.text(signature))\n".utf8)
  }
}

/// Reads `name value` lines in a fixed order.
///
/// Makes one pass over the bytes and stores nothing, however many lines there are.
struct SignedLines {
  static let lineFeed: UInt8 = 10
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private(set) var line = 0
  let what: String

  init(_ bytes: ArraySlice<UInt8>, what: String) {
    self.bytes = bytes
    position = bytes.startIndex
    self.what = what
  }

  var isAtEnd: Bool { position >= bytes.endIndex }

  func failure(_ words: String, code: GalleryError.Code = .malformed) -> GalleryError {
    GalleryError(code, "\(what), line \(line): \(words)")
  }

  /// Reads the first line, and returns the version of the format.
  mutating func first(kind: String, highest: Int) throws -> Int {
    let first = try next()
    let parts = first.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == kind else {
      throw failure("expected \"\(kind) 1\"")
    }
    guard let version = (1...highest).first(where: { parts[1] == String($0) }) else {
      throw failure(
        "this is version \(parts[1]) of the format; only \(highest == 1 ? "1 is" : "1 and 2 are") "
          + "known here, so update Tickbird",
        code: .unsupportedVersion
      )
    }
    return version
  }

  /// The name of the next line, without consuming it.
  var upcoming: String {
    let end = bytes[position...].prefix { $0 != 0x20 && $0 != Self.lineFeed }.prefix(40)
    return String(decoding: end, as: UTF8.self)
  }

  mutating func value(_ name: String) throws -> String {
    let text = try next()
    guard text.hasPrefix(name + " "), text.utf8.count > name.utf8.count + 1 else {
      throw failure("expected \"\(name) \" and a value")
    }
    return String(text.dropFirst(name.count + 1))
  }

  mutating func key(_ name: String) throws -> PublicKey {
    let text = try value(name)
    do {
      return try PublicKey(hexadecimal: text)
    } catch {
      throw failure("\(name) is not 64 hexadecimal digits")
    }
  }

  mutating func digest(_ name: String) throws -> Data {
    let text = try value(name)
    guard let digest = Hexadecimal.bytes(text), digest.count == 32 else {
      throw failure("\(name) is not 64 hexadecimal digits")
    }
    return digest
  }

  mutating func number(_ name: String) throws -> UInt64 {
    let text = try value(name)
    guard let number = Self.number(text) else {
      throw failure("\(name) is not a whole number")
    }
    return number
  }

  /// Parses a number without sign or leading zeros, up to 2⁶³ − 1.
  static func number(_ text: some StringProtocol) -> UInt64? {
    guard !text.isEmpty, text.utf8.count <= 19, text.utf8.allSatisfy({ (48...57).contains($0) }),
      text == "0" || text.utf8.first != 48, let number = UInt64(text), number <= UInt64(Int64.max)
    else {
      return nil
    }
    return number
  }

  private mutating func next() throws -> String {
    line += 1
    guard !isAtEnd else { throw failure("there is nothing more") }
    let rest = bytes[position...]
    guard let end = rest.firstIndex(of: Self.lineFeed) else {
      throw failure("the line does not end")
    }
    guard end - position <= 4096 else { throw failure("the line is over 4096 bytes long") }
    guard let text = String(validating: rest[..<end], as: UTF8.self) else {
      throw failure("the line is not UTF-8")
    }
    position = end + 1
    return text
  }
}
