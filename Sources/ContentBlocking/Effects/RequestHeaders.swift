/// The header fields of a request, in order.
///
/// Names compare case-insensitively, as in HTTP, and keep their spelling. Names and values are not
/// validated; code that writes them to a connection must reject line breaks.
///
///     var headers = RequestHeaders([("Accept", "*/*")])
///     headers.value(of: "accept")  // "*/*"
public struct RequestHeaders: Hashable, Sendable {
  /// One header field.
  public struct Field: Hashable, Sendable {
    /// The name as it was spelt.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field from its parts.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in the order of the request; a name may occur more than once.
  public var fields: [Field]

  /// Creates headers from fields.
  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// Creates headers from pairs of name and value.
  public init(_ fields: [(name: String, value: String)]) {
    self.fields = fields.map { Field(name: $0.name, value: $0.value) }
  }

  /// Returns the value of a header, `nil` if there is none.
  ///
  /// - Parameter name: The header's name in any case.
  /// - Returns: The values of all fields of that name, in order, joined by `, `.
  /// - Complexity: O(*n*) in the number of fields.
  public func value(of name: String) -> String? {
    let name = Self.folded(name)
    let values = fields.lazy.filter { Self.folded($0.name) == name }.map { $0.value }
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Returns a name in the form used for comparing.
  static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }
}
