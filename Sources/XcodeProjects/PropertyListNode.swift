/// A value of a property list, with its place.
struct PropertyListNode: Equatable, Sendable {
  /// A place in a text; both numbers begin at 1, columns count bytes.
  struct Place: Equatable, Sendable {
    var line: Int
    var column: Int
  }

  /// A value without its place.
  enum Value: Equatable, Sendable {
    case string(String)
    case data([UInt8])
    case array([PropertyListNode])
    case dictionary([String: PropertyListNode])
  }

  var value: Value
  /// The place; `nil` in XML, binary and JSON lists.
  var place: Place?

  init(_ value: Value, at place: Place? = nil) {
    self.value = value
    self.place = place
  }

  var string: String? {
    if case .string(let text) = value { text } else { nil }
  }

  var array: [PropertyListNode]? {
    if case .array(let nodes) = value { nodes } else { nil }
  }

  var dictionary: [String: PropertyListNode]? {
    if case .dictionary(let nodes) = value { nodes } else { nil }
  }

  /// The strings of an array; a single string counts as an array of one.
  var strings: [String] {
    switch value {
    case .string(let text): [text]
    case .array(let nodes): nodes.compactMap(\.string)
    default: []
    }
  }
}
