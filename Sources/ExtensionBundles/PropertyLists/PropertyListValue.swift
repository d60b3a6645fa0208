/// A value of a property list.
public enum PropertyListValue: Equatable, Sendable {
  /// A text.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A whole number beyond `Int64.max`.
  case unsigned(UInt64)
  /// A number with a fraction; XML and binary lists can say infinity and "not a number".
  case real(Double)
  /// True or false.
  case boolean(Bool)
  /// Seconds since the beginning of 2001, UTC.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// Values in their order.
  case array([PropertyListValue])
  /// Values by name.
  case dictionary([String: PropertyListValue])

  /// The text; nil for any other kind of value.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// True or false; nil for any other kind of value, numbers included.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The values; nil for any other kind of value.
  public var array: [PropertyListValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The values by name; nil for any other kind of value.
  public var dictionary: [String: PropertyListValue]? {
    if case .dictionary(let values) = self { values } else { nil }
  }

  /// The texts of an array; nil for any other kind of value, and for an array with anything else.
  public var strings: [String]? {
    guard let array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? texts : nil
  }

  /// The value of a key; nil where this is not a dictionary, or has no such key.
  public subscript(key: String) -> PropertyListValue? { dictionary?[key] }
}

/// How much one property list may hold.
///
/// What counts is what the list expands to. A binary list may name one object from many places, so
/// that 200 bytes stand for more values than memory holds.
public struct PropertyListLimits: Equatable, Sendable {
  /// Bytes of the file.
  public var bytes: Int
  /// Values and keys, each counted as often as it is named.
  public var values: Int
  /// Bytes of texts and data, each counted as often as it is named.
  public var contents: Int
  /// Containers within containers.
  public var depth: Int

  /// Makes limits; the defaults leave an `Info.plist` a hundred times the room that it needs.
  public init(
    bytes: Int = 1 << 20,
    values: Int = 50_000,
    contents: Int = 8 << 20,
    depth: Int = 64
  ) {
    self.bytes = bytes
    self.values = values
    self.contents = contents
    self.depth = depth
  }
}

/// Why bytes are not a property list, or not one that is read here.
public struct PropertyListError: Error, Equatable, Sendable {
  /// What callers distinguish.
  public enum Reason: Sendable {
    /// Neither XML nor binary.
    case otherForm
    /// A fault of form.
    case malformed
    /// A limit is exceeded.
    case tooLarge
  }

  /// What callers distinguish.
  public let reason: Reason
  /// A part of a sentence: what is wrong, and where.
  public let message: String

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}

/// What is left of the limits.
struct PropertyListBudget {
  private let limits: PropertyListLimits
  private var values = 0
  private var contents = 0

  init(_ limits: PropertyListLimits) {
    self.limits = limits
  }

  /// Counts one value, or key, and the bytes in it.
  mutating func take(contents count: Int = 0) throws(PropertyListError) {
    values += 1
    guard values <= limits.values else {
      throw PropertyListError(.tooLarge, "it holds more than \(limits.values) values")
    }
    guard count <= limits.contents - contents else {
      throw PropertyListError(
        .tooLarge,
        "its texts and data hold more than \(limits.contents) bytes"
      )
    }
    contents += count
  }

  /// Refuses a container that is nested too deeply.
  func enter(_ depth: Int) throws(PropertyListError) {
    guard depth <= limits.depth else {
      throw PropertyListError(.tooLarge, "it is nested more than \(limits.depth) deep")
    }
  }
}
