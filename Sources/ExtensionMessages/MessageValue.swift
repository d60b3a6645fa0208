/// A value in a message: the types of property lists, and null, URLs and UUIDs.
///
/// The same types serve messages of web extensions (JSON), the user info of Shared Links and the
/// contents of attachments, so that the receiver never has to guess a type from a string.
///
/// Note: A JSON integer beyond 64 signed bits becomes a ``double(_:)``, as in JavaScript.
public indirect enum MessageValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case data([UInt8])
  /// A point in time, in seconds since 1970-01-01 00:00:00 UTC.
  case date(Double)
  /// The sixteen bytes of a UUID, the first eight of them in `high`, most significant first.
  case uuid(high: UInt64, low: UInt64)
  /// A URL's text, which the receiver parses again.
  case url(String)
  case array([MessageValue])
  case dictionary([String: MessageValue])
}

extension MessageValue {
  /// The value under a key if this is a dictionary.
  public subscript(key: String) -> MessageValue? {
    guard case .dictionary(let members) = self else { return nil }
    return members[key]
  }

  /// The text if this is a string.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number if this is an integer.
  public var integer: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The elements if this is an array.
  public var array: [MessageValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members if this is a dictionary.
  public var dictionary: [String: MessageValue]? {
    guard case .dictionary(let members) = self else { return nil }
    return members
  }
}
