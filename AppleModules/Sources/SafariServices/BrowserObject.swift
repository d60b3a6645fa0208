import ExtensionMessages
public import ExtensionRuntime

/// What windows, tabs, pages and toolbar items of a browser have in common: two objects are equal if
/// they stand for the same one.
public class BrowserObject: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: immutable.

  /// The browser's name for it.
  let id: String

  required init(id: String) { self.id = id }

  convenience init?(_ value: MessageValue) {
    guard let id = value.string, !id.isEmpty else { return nil }
    self.init(id: id)
  }

  /// The name as it travels.
  var value: MessageValue { .string(id) }

  /// Whether both stand for the same one.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? BrowserObject else { return false }
    return type(of: other) == type(of: self) && other.id == id
  }

  /// The same for equal objects.
  public override var hash: Int { id.hashValue }

  /// The kind and the browser's name for it.
  public override var description: String { "<\(type(of: self)): \(id)>" }

  /// The object itself, which cannot change.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the browser's name for it.
  public func encode(with coder: NSCoder) { coder.encode(id as NSString, forKey: "id") }

  /// Reads what ``encode(with:)`` wrote.
  public required init?(coder: NSCoder) {
    guard let id = coder.decodeObject(of: NSString.self, forKey: "id") else { return nil }
    self.id = "\(id)"
  }
}

extension MessageValue {
  /// The objects of an array; what is none is passed over.
  func objects<Object: BrowserObject>() -> [Object] {
    (array ?? []).compactMap { $0.string }.map { Object(id: $0) }
  }
}
