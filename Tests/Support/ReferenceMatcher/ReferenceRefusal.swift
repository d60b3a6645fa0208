/// Why the reference refuses a rule list or a pattern.
public struct ReferenceRefusal: Error, Hashable, Sendable {
  /// The name of the error in WebKit, such as `JSONInvalidTrigger` or `JSONInvalidRegex`.
  public var name: String
  /// For `JSONInvalidRegex`, the status of the pattern, such as `Disjunction`.
  public var patternStatus: String?

  /// Names an error, and the status of the pattern if one is at fault.
  public init(name: String, patternStatus: String? = nil) {
    self.name = name
    self.patternStatus = patternStatus
  }

  static func pattern(_ status: String) -> Self {
    .init(name: "JSONInvalidRegex", patternStatus: status)
  }
}
