/// Bytes as a dictionary key, hashed eight at a time instead of one by one as an array is.
struct ByteKey: Hashable, Sendable {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}
