/// A random text that only those who were told it can know: 192 bits, in characters that stand in
/// addresses and cookies as they are.
struct Secret: Sendable {
  /// The text.
  let text: String

  /// Makes a new one from the system's random numbers.
  init() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let bytes = (0..<32).map { _ in alphabet[Int(generator.next() & 63)] }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a text is the secret, in a time that does not tell how much of it is right.
  func matches(_ other: some StringProtocol) -> Bool {
    let own = Array(text.utf8)
    let other = Array(other.utf8)
    guard own.count == other.count else { return false }
    var difference: UInt8 = 0
    for index in own.indices { difference |= own[index] ^ other[index] }
    return difference == 0
  }
}

/// Everything that lets a browser in, made anew at each start and kept in memory alone.
struct Secrets: Sendable {
  /// What the printed address carries.
  let opening = Secret()
  /// What the cookie carries.
  let session = Secret()
  /// What every form carries.
  let form = Secret()
  /// The first part of every page's path, and the cookie's.
  ///
  /// Browsers send cookies to all ports of a host, so that a server which another user runs on this
  /// machine would be given one whose path is `/`. It is not given one whose path it cannot name.
  let folder = Secret()
}
