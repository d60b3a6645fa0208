package import ExtensionMessages
package import Foundation

/// Converts between Foundation's values and message values.
package struct ValueCoding {
  /// Sentences about values that messages cannot have and that became null.
  package private(set) var notes: [String] = []

  // The depth limit, with room for what wraps a value.
  private static let deepest = ExtensionMessageLimits().depth - 8
  private static let mostNotes = 20

  package init() {}

  /// Converts any value; what messages cannot have becomes null with a note.
  package mutating func value(of any: Any, at place: String, depth: Int = 0) -> MessageValue {
    guard depth < Self.deepest else {
      return refuse("\(place) is nested deeper than \(Self.deepest) levels")
    }
    // `["echo": message]` with `message: Any?` holds an optional, at any depth of them.
    guard let any = unwrapped(any) else { return .null }
    switch any {
    case is NSNull: return .null
    case let text as String: return .string(text)
    case let text as Substring: return .string(String(text))
    case let data as Data: return .data([UInt8](data))
    case let date as Date: return .date(date.timeIntervalSince1970)
    case let url as URL: return .url(url.absoluteString)
    case let id as UUID: return .uuid(id)
    case let text as NSAttributedString: return .string(text.string)
    default: break
    }
    if let number = any as? NSNumber { return Self.value(of: number, typed: any) }
    switch any {
    case let elements as [Any]:
      return .array(
        elements.enumerated().map { index, element in
          value(of: element, at: "\(place)[\(index)]", depth: depth + 1)
        }
      )
    case let members as [AnyHashable: Any]:
      return .dictionary(self.members(members, at: place, depth: depth))
    case let elements as Set<AnyHashable>:
      return .array(
        elements.map { value(of: $0.base, at: place, depth: depth + 1) }
          .sorted { String(describing: $0) < String(describing: $1) }
      )
    default:
      return refuse("\(place) is a \(type(of: any)), which cannot be sent")
    }
  }

  /// Converts a dictionary; skips keys other than strings with a note.
  package mutating func members(
    _ members: [AnyHashable: Any],
    at place: String,
    depth: Int = 0
  ) -> [String: MessageValue] {
    var values: [String: MessageValue] = [:]
    for (key, member) in members {
      guard let name = key.base as? String else {
        _ = refuse("\(place) has the key \(key), which is no string")
        continue
      }
      values[name] = value(of: member, at: "\(place).\(name)", depth: depth + 1)
    }
    return values
  }

  private mutating func refuse(_ note: String) -> MessageValue {
    if notes.count < Self.mostNotes { notes.append(note) }
    return .null
  }

  private static func value(of number: NSNumber, typed any: Any) -> MessageValue {
    // A small integer and a boolean have the same Objective-C type, "c".
    let isSmall = any is Int8 && type(of: any) == Int8.self
    switch unsafe String(cString: number.objCType) {
    case "c" where !isSmall, "B": return .bool(number.boolValue)
    case "f", "d": return .double(number.doubleValue)
    case "Q" where number.uint64Value > UInt64(Int64.max): return .double(number.doubleValue)
    default: return .integer(number.int64Value)
    }
  }

  private func unwrapped(_ any: Any) -> Any? {
    var any = any
    while let optional = any as? any AnyOptional {
      guard let inner = optional.inner else { return nil }
      any = inner
    }
    return any
  }
}

private protocol AnyOptional {
  var inner: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var inner: Any? { self }
}

extension MessageValue {
  /// The value as handlers get it: property-list objects, `NSNull`, `URL`, `UUID`.
  package var object: Any {
    switch self {
    case .null: NSNull()
    case .bool(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .string(let text): text
    case .data(let bytes): Data(bytes)
    case .date(let seconds): Date(timeIntervalSince1970: seconds)
    case .uuid(let high, let low): UUID(high: high, low: low)
    case .url(let text): URL(string: text).map { $0 as Any } ?? text
    case .array(let elements): elements.map(\.object)
    case .dictionary(let members): members.mapValues(\.object)
    }
  }

  package static func uuid(_ id: UUID) -> MessageValue {
    let b = id.uuid
    let high = [b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7]
    let low = [b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15]
    func number(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    return .uuid(high: number(high), low: number(low))
  }
}

extension UUID {
  fileprivate init(high: UInt64, low: UInt64) {
    func byte(_ number: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: number >> (56 - 8 * index))
    }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
        byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
        byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      )
    )
  }
}

extension ErrorReport {
  /// Creates a report of an error, without null values of its user info.
  package init(of error: any Error) {
    if let report = error as? ErrorReport {
      self = report
      return
    }
    let error = error as NSError
    var coding = ValueCoding()
    let userInfo = [AnyHashable: Any](
      error.userInfo.map { (AnyHashable($0.key), $0.value) },
      uniquingKeysWith: { $1 }
    )
    self.init(
      domain: error.domain,
      code: Int64(error.code),
      description: error.localizedDescription,
      userInfo: coding.members(userInfo, at: "userInfo").filter { $0.value != .null }
    )
  }

  /// The error as an app or handler gets it.
  package var nsError: NSError {
    var userInfo = userInfo.mapValues(\.object)
    userInfo[NSLocalizedDescriptionKey] = description
    return NSError(domain: domain, code: Int(code), userInfo: userInfo)
  }
}
