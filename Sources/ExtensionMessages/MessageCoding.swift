/// The version of the encoding, which is the first byte of every message.
public let messageFormatVersion: UInt8 = 1

/// The byte that begins each value.
enum Tag: UInt8 {
  case null = 0x00
  case `false` = 0x01
  case `true` = 0x02
  case integer = 0x03
  case double = 0x04
  case string = 0x05
  case data = 0x06
  case date = 0x07
  case uuid = 0x08
  case url = 0x09
  case array = 0x0A
  case dictionary = 0x0B
}

extension MessageValue {
  /// The message's bytes, without the frame around them.
  ///
  /// Numbers are little-endian. A message is the version's byte and one value; a value is its tag's
  /// byte and then:
  ///
  ///     null 00 · false 01 · true 02   nothing
  ///     integer 03                     8 bytes, two's complement
  ///     double 04 · date 07            8 bytes, IEEE 754
  ///     string 05 · data 06 · url 09   4 bytes of length, that many bytes (UTF-8 except data)
  ///     uuid 08                        8 bytes of high, 8 bytes of low
  ///     array 0A                       4 bytes of count, that many values
  ///     dictionary 0B                  4 bytes of count, that many keys (as string 05 without its
  ///                                    tag) each with its value, keys ascending by their bytes
  ///
  /// The same value gives the same bytes.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.limitExceeded`.
  /// - Complexity: O(*n* log *n*) in the number of a dictionary's keys, else linear in the bytes.
  public func encoded(
    limits: ExtensionMessageLimits = ExtensionMessageLimits()
  ) throws(ExtensionMessageError) -> [UInt8] {
    var writer = ValueWriter(limits: limits)
    try writer.write(self, depth: 0)
    return writer.bytes
  }

  /// Reads a message's bytes.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.truncated`, `.trailingBytes`, `.malformed`,
  ///   `.unsupportedVersion` or `.limitExceeded`.
  /// - Complexity: Linear in the bytes; memory is bounded by them and by `limits.values`.
  public init(
    encoded bytes: [UInt8],
    limits: ExtensionMessageLimits = ExtensionMessageLimits()
  )
    throws(ExtensionMessageError)
  {
    guard bytes.count <= limits.bytes else {
      throw ExtensionMessageError(
        .limitExceeded,
        "a message of \(bytes.count) bytes exceeds \(limits.bytes)"
      )
    }
    guard let version = bytes.first else {
      throw ExtensionMessageError(.truncated, "the message is empty")
    }
    guard version == messageFormatVersion else {
      throw ExtensionMessageError(
        .unsupportedVersion,
        "the message has version \(version), not \(messageFormatVersion)"
      )
    }
    var reader = ValueReader(bytes: bytes, position: 1, limits: limits)
    self = try reader.value(depth: 0)
    guard reader.position == bytes.count else {
      throw ExtensionMessageError(
        .trailingBytes,
        "\(bytes.count - reader.position) bytes follow the message's value"
      )
    }
  }
}

private struct ValueWriter {
  let limits: ExtensionMessageLimits
  private(set) var bytes: [UInt8] = [messageFormatVersion]
  private var values = 0

  init(limits: ExtensionMessageLimits) {
    self.limits = limits
  }

  mutating func write(_ value: MessageValue, depth: Int) throws(ExtensionMessageError) {
    values += 1
    guard values <= limits.values else {
      throw ExtensionMessageError(
        .limitExceeded,
        "the message has more than \(limits.values) values"
      )
    }
    guard depth <= limits.depth else {
      throw ExtensionMessageError(
        .limitExceeded,
        "the message is nested deeper than \(limits.depth)"
      )
    }
    switch value {
    case .null: put(.null)
    case .bool(let flag): put(flag ? .true : .false)
    case .integer(let number):
      put(.integer)
      put(UInt64(bitPattern: number))
    case .double(let number):
      put(.double)
      put(number.bitPattern)
    case .string(let text):
      put(.string)
      try put(text.utf8)
    case .data(let data):
      put(.data)
      try put(data)
    case .date(let seconds):
      put(.date)
      put(seconds.bitPattern)
    case .uuid(let high, let low):
      put(.uuid)
      put(high)
      put(low)
    case .url(let text):
      put(.url)
      try put(text.utf8)
    case .array(let elements):
      put(.array)
      try putCount(elements.count)
      for element in elements { try write(element, depth: depth + 1) }
    case .dictionary(let members):
      put(.dictionary)
      try putCount(members.count)
      // Sorted, because the order of a dictionary differs between runs.
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (key, member) in sorted {
        try put(key.utf8)
        try write(member, depth: depth + 1)
      }
    }
    try checkSize(adding: 0)
  }

  private mutating func put(_ tag: Tag) {
    bytes.append(tag.rawValue)
  }

  private mutating func put(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private mutating func putCount(_ count: Int) throws(ExtensionMessageError) {
    guard let narrow = UInt32(exactly: count) else {
      throw ExtensionMessageError(.limitExceeded, "\(count) does not fit in 32 bits")
    }
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: narrow >> shift))
    }
  }

  private mutating func put(_ run: some Collection<UInt8>) throws(ExtensionMessageError) {
    let count = run.count
    try checkSize(adding: count)
    try putCount(count)
    bytes.append(contentsOf: run)
  }

  private func checkSize(adding count: Int) throws(ExtensionMessageError) {
    guard count <= limits.bytes, bytes.count <= limits.bytes - count else {
      throw ExtensionMessageError(.limitExceeded, "the message exceeds \(limits.bytes) bytes")
    }
  }
}

private struct ValueReader {
  let bytes: [UInt8]
  var position: Int
  let limits: ExtensionMessageLimits
  private var values = 0

  init(bytes: [UInt8], position: Int, limits: ExtensionMessageLimits) {
    self.bytes = bytes
    self.position = position
    self.limits = limits
  }

  mutating func value(depth: Int) throws(ExtensionMessageError) -> MessageValue {
    values += 1
    guard values <= limits.values else {
      throw ExtensionMessageError(
        .limitExceeded,
        "the message has more than \(limits.values) values"
      )
    }
    guard depth <= limits.depth else {
      throw ExtensionMessageError(
        .limitExceeded,
        "the message is nested deeper than \(limits.depth)"
      )
    }
    let start = position
    guard let tag = Tag(rawValue: try byte()) else {
      throw ExtensionMessageError(.malformed, "no value has the tag \(bytes[start]), byte \(start)")
    }
    switch tag {
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .integer: return .integer(Int64(bitPattern: try number64()))
    case .double: return .double(Double(bitPattern: try number64()))
    case .string: return .string(try text())
    case .data: return .data([UInt8](try run()))
    case .date: return .date(Double(bitPattern: try number64()))
    case .uuid:
      let high = try number64()
      return .uuid(high: high, low: try number64())
    case .url: return .url(try text())
    case .array:
      // Does not reserve capacity by the count, which is untrusted.
      var elements: [MessageValue] = []
      for _ in 0..<(try count()) { elements.append(try value(depth: depth + 1)) }
      return .array(elements)
    case .dictionary:
      var members: [String: MessageValue] = [:]
      for _ in 0..<(try count()) {
        let key = try text()
        let member = try value(depth: depth + 1)
        guard members.updateValue(member, forKey: key) == nil else {
          throw ExtensionMessageError(.malformed, "a dictionary has a key twice, byte \(position)")
        }
      }
      return .dictionary(members)
    }
  }

  private mutating func byte() throws(ExtensionMessageError) -> UInt8 {
    guard position < bytes.count else { throw truncated() }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func number64() throws(ExtensionMessageError) -> UInt64 {
    guard bytes.count - position >= 8 else { throw truncated() }
    var number: UInt64 = 0
    for index in 0..<8 { number |= UInt64(bytes[position + index]) << (8 * index) }
    position += 8
    return number
  }

  private mutating func count() throws(ExtensionMessageError) -> Int {
    guard bytes.count - position >= 4 else { throw truncated() }
    var number: UInt32 = 0
    for index in 0..<4 { number |= UInt32(bytes[position + index]) << UInt32(8 * index) }
    position += 4
    return Int(number)
  }

  private mutating func run() throws(ExtensionMessageError) -> ArraySlice<UInt8> {
    let length = try count()
    guard bytes.count - position >= length else { throw truncated() }
    defer { position += length }
    return bytes[position..<position + length]
  }

  private mutating func text() throws(ExtensionMessageError) -> String {
    let start = position
    guard let text = String(validating: try run(), as: UTF8.self) else {
      throw ExtensionMessageError(.malformed, "the text at byte \(start) is not UTF-8")
    }
    return text
  }

  private func truncated() -> ExtensionMessageError {
    ExtensionMessageError(.truncated, "the message ends inside a value, byte \(position)")
  }
}
