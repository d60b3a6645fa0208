internal import ContentRules
public import ExtensionMessages
public import Foundation

/// Conversion of messages from and to scripts' JSON.
extension MessageValue {
  /// Parses JSON text, whose top-level value may be of any type.
  ///
  /// - Throws: ``HostError`` with code `.badArgument`.
  public init(json: Data) throws(HostError) {
    do {
      self = try Self(
        object: JSONSerialization.jsonObject(with: json, options: [.fragmentsAllowed])
      )
    } catch {
      let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      throw HostError(.badArgument, "this is not JSON: \(reason ?? error.localizedDescription)")
    }
  }

  private init(object: Any) {
    switch object {
    case let text as String: self = .string(text)
    case let elements as [Any]: self = .array(elements.map(Self.init(object:)))
    case let members as [String: Any]: self = .dictionary(members.mapValues(Self.init(object:)))
    case let number as NSNumber:
      switch unsafe String(cString: number.objCType) {
      case "c", "B": self = .bool(number.boolValue)
      case "f", "d": self = .double(number.doubleValue)
      case "Q" where number.uint64Value > UInt64(Int64.max): self = .double(number.doubleValue)
      default: self = .integer(number.int64Value)
      }
    default: self = .null
    }
  }

  /// The value as JSON text with sorted keys.
  ///
  /// Dates, UUIDs and URLs become strings, data becomes base64, and numbers that JSON lacks become
  /// null, like `JSON.stringify` does where it has a counterpart.
  public var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .double(let number): text += number.isFinite ? Self.decimal(number) : "null"
    case .string(let string): Self.quote(string, to: &text)
    case .data(let bytes): Self.quote(Data(bytes).base64EncodedString(), to: &text)
    case .date(let seconds):
      guard seconds.isFinite, abs(seconds) < 8.64e12 else {
        text += "null"
        return
      }
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      Self.quote(Date(timeIntervalSince1970: seconds).formatted(style), to: &text)
    case .uuid(let high, let low):
      let digits = Array((Self.hexadecimal(high) + Self.hexadecimal(low)).uppercased())
      var parts: [String] = []
      for range in [0..<8, 8..<12, 12..<16, 16..<20, 20..<32] {
        parts.append(String(digits[range]))
      }
      Self.quote(parts.joined(separator: "-"), to: &text)
    case .url(let string): Self.quote(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .dictionary(let members):
      text += "{"
      for (index, key) in members.keys.sorted().enumerated() {
        if index > 0 { text += "," }
        Self.quote(key, to: &text)
        text += ":"
        members[key]?.write(to: &text)
      }
      text += "}"
    }
  }

  private static func decimal(_ number: Double) -> String {
    // Whole numbers are written as scripts do: 1 and not 1.0.
    if let whole = Int64(exactly: number) { return String(whole) }
    return "\(number)"
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func quote(_ string: String, to text: inout String) {
    text += "\"\(JSONString.escaped(string))\""
  }
}

extension MessageValue {
  /// Creates the wire format of a UUID.
  public init(_ id: UUID) {
    let b = id.uuid
    func number(_ bytes: UInt8...) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self = .uuid(
      high: number(b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7),
      low: number(b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15)
    )
  }
}
