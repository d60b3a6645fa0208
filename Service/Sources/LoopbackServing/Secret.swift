/// A random token of 192 bits, in characters that need no escaping in addresses and cookies.
public struct Secret: Equatable, Sendable {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
  )
  private static let length = 32

  /// The text.
  public let text: String

  /// Creates a new token from the system's random numbers.
  public init() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<Self.length).map { _ in Self.alphabet[Int(generator.next() & 63)] }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Parses a token.
  ///
  /// - Returns: nil for a text that cannot be one.
  public init?(_ text: String) {
    guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.alphabet.contains) else {
      return nil
    }
    self.text = text
  }

  /// Compares in constant time.
  public func matches(_ other: some StringProtocol) -> Bool {
    let own = Array(text.utf8)
    let other = Array(other.utf8)
    guard own.count == other.count else { return false }
    var difference: UInt8 = 0
    for index in own.indices { difference |= own[index] ^ other[index] }
    return difference == 0
  }
}
