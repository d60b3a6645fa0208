/// A value of a property list.
public enum PropertyListValue: Equatable, Sendable {
  /// A text.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A whole number beyond `Int64.max`.
  case unsigned(UInt64)
  /// A floating-point number; XML and binary lists allow infinity and "not a number".
  case real(Double)
  /// True or false.
  case boolean(Bool)
  /// Seconds since the start of 2001, UTC.
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

  /// The value of a key; `nil` if this is not a dictionary, or lacks the key.
  public subscript(key: String) -> PropertyListValue? { dictionary?[key] }
}

/// Limits on the contents of a property list.
///
/// They apply to what the list expands to. A binary list may refer to one object from many places,
/// so that 200 bytes expand to more values than memory holds.
public struct PropertyListLimits: Equatable, Sendable {
  /// Bytes of the file.
  public var bytes: Int
  /// Values and keys, each counted as often as it is referenced.
  public var values: Int
  /// Bytes of texts and data, each counted as often as it is referenced.
  public var contents: Int
  /// The depth of nested containers.
  public var depth: Int

  /// Creates limits; the defaults allow an `Info.plist` a hundred times what it needs.
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

/// The error for bytes that are not a valid property list.
public struct PropertyListError: Error, Equatable, Sendable {
  /// The kind of fault.
  public enum Reason: Sendable {
    /// Neither XML nor binary.
    case otherForm
    /// Invalid syntax.
    case malformed
    /// A limit is exceeded.
    case tooLarge
  }

  /// The kind of fault.
  public let reason: Reason
  /// What is wrong, and where, as part of a sentence.
  public let message: String

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}

/// The remaining budget.
struct PropertyListBudget {
  private let limits: PropertyListLimits
  private var values = 0
  private var contents = 0

  init(_ limits: PropertyListLimits) {
    self.limits = limits
  }

  /// Charges one value or key, and its bytes.
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

  /// Throws if a container is nested too deeply.
  func enter(_ depth: Int) throws(PropertyListError) {
    guard depth <= limits.depth else {
      throw PropertyListError(.tooLarge, "it is nested more than \(limits.depth) deep")
    }
  }
}
