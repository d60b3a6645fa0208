internal import ContentRules
internal import Foundation
internal import TextOutput

/// The output of commands, for programs (`--format json`) and for people.
enum HostOutput {
  static func write(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    StandardOutput.json(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  static func complain(_ message: OutputText) { StandardError.line(message) }

  /// Formats a time for people, in the local time zone.
  static func time(_ date: Date) -> String {
    let parts = Calendar.current.dateComponents(
      [.year, .month, .day, .hour, .minute],
      from: date
    )
    func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
    return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) "
      + "\(two(parts.hour)):\(two(parts.minute))"
  }

  /// Formats a number with its noun.
  static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(DisplayText.grouped(number)) \(number == 1 ? one : many)"
  }
}
