/// The time and device of a change; changes are ordered by their stamps.
///
/// A hybrid logical clock: milliseconds since 1970 in the upper 48 bits, a counter in the lower 16.
/// It follows the device's clock and never falls behind a stamp that the device has seen, unless
/// that is more than ``farAhead`` ahead: a wrong clock, or a hostile line, must not become the
/// clock of all devices. Causality is not derived from stamps but from the names of versions; see
/// ``NoteState``. Written `0199A0B1C2D30004@DEVICE`, with 16 hexadecimal digits in lower case.
///
/// > Source: Kulkarni and others, "Logical Physical Clocks", 2014.
struct Stamp: Hashable, Comparable, Sendable {
  let clock: UInt64
  let device: String

  /// Rejects stamps beyond the year 2248: without a bound, one of them could exhaust the clock.
  static let clockLimit: UInt64 = 1 << (43 + 16)

  /// How far ahead of the device's clock a stamp may be to advance it: a day, in milliseconds.
  static let farAhead: Int64 = 86_400_000

  static func < (one: Stamp, other: Stamp) -> Bool {
    one.clock != other.clock ? one.clock < other.clock : one.device < other.device
  }

  /// Returns the clock's next reading.
  ///
  /// - Parameters:
  ///   - last: The greatest reading that the device has made or seen.
  ///   - milliseconds: The device's clock, since 1970.
  /// - Returns: A reading greater than `last`, unless that is far ahead.
  static func next(after last: UInt64, at milliseconds: Int64) -> UInt64 {
    let now = UInt64(clamping: min(milliseconds, (1 << 43) - 1)) << 16
    // A clock that was led astray, here or by an older version, recovers by itself.
    let last = last > bound(at: milliseconds) ? 0 : last
    return max(now, min(last, clockLimit - 1) + 1)
  }

  /// Returns the greatest reading that is not far ahead.
  ///
  /// - Parameter milliseconds: The device's clock, since 1970.
  /// - Returns: The reading.
  static func bound(at milliseconds: Int64) -> UInt64 {
    let milliseconds = max(0, min(milliseconds, 1 << 43)) + farAhead
    return min(UInt64(milliseconds) << 16, clockLimit)
  }
}

extension Stamp: Codable, CustomStringConvertible {
  var description: String {
    let digits = String(clock, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "@" + device
  }

  init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 16,
      parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      let clock = UInt64(parts[0], radix: 16), clock <= Stamp.clockLimit,
      DeviceID.isOne(String(parts[1]))
    else { return nil }
    self.init(clock: clock, device: String(parts[1]))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let stamp = Stamp(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a stamp")
    }
    self = stamp
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Creates names of devices and versions: random lower-case letters and digits.
enum DeviceID {
  static func isOne(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// Encodes 64 bits as thirteen letters and digits.
  static func make(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 36)
    return String(repeating: "0", count: 13 - digits.count) + digits
  }
}
