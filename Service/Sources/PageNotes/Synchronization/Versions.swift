/// What a field of a note can hold.
protocol FieldValue: Codable, Hashable, Sendable {
  /// An order of which all devices are of one mind; where neither of two values precedes the other,
  /// they are the same to the byte.
  func precedes(_ other: Self) -> Bool
}

extension String: FieldValue {
  // By bytes: strings that are equal to Swift may be composed differently.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension Int: FieldValue {
  func precedes(_ other: Int) -> Bool { self < other }
}

extension Int64: FieldValue {
  func precedes(_ other: Int64) -> Bool { self < other }
}

/// A value that some device wrote, and when.
struct Version<Value: FieldValue>: Hashable, Sendable {
  /// How often the version was given another stamp than the one that it was written with.
  var redated = 0
  var stamp: Stamp
  var value: Value

  /// How often a version can be given another stamp.
  static var redatedLimit: Int { 1000 }

  /// Whether this one is shown after, or instead of, another.
  func isShownAfter(_ other: Version) -> Bool {
    stamp != other.stamp ? stamp < other.stamp : value.precedes(other.value)
  }

  /// Whether, of two with one name, the other is the one that counts.
  func isOutdated(by other: Version) -> Bool {
    redated != other.redated ? redated < other.redated : isShownAfter(other)
  }
}

extension Version: Codable {
  private enum Key: String, CodingKey {
    case redated, stamp, value
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    redated = try container.decodeIfPresent(Int.self, forKey: .redated) ?? 0
    stamp = try container.decode(Stamp.self, forKey: .stamp)
    value = try container.decode(Value.self, forKey: .value)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    if redated > 0 { try container.encode(redated, forKey: .redated) }
    try container.encode(stamp, forKey: .stamp)
    try container.encode(value, forKey: .value)
  }
}

/// What devices wrote into a field and nobody has replaced, by the names of the versions.
///
/// There are several only while devices wrote without knowing of each other.
struct Versions<Value: FieldValue>: Hashable, Sendable {
  private(set) var byName: [String: Version<Value>] = [:]

  /// The version that is shown: the one with the greatest stamp.
  var current: (name: String, version: Version<Value>)? {
    byName.max { Self.isShownAfter($0, $1) }.map { ($0.key, $0.value) }
  }

  /// The value that is shown.
  var value: Value? { current?.version.value }

  /// The values, the one that is shown first.
  var ordered: [Value] { byName.sorted { Self.isShownAfter($1, $0) }.map(\.value.value) }

  private typealias Named = (key: String, value: Version<Value>)

  private static func isShownAfter(_ one: Named, _ other: Named) -> Bool {
    if one.value.isShownAfter(other.value) { return true }
    return !other.value.isShownAfter(one.value) && one.key < other.key
  }

  subscript(name: String) -> Version<Value>? {
    get { byName[name] }
    set { byName[name] = newValue }
  }

  /// Takes in what another device knows, but for what was replaced.
  ///
  /// - Returns: Whether anything is different now.
  /// - Complexity: O(*n*) for *n* versions of the other device.
  mutating func join(_ other: Versions, without replaced: Set<String>) -> Bool {
    var isChanged = false
    for (name, version) in other.byName where !replaced.contains(name) {
      if let own = byName[name], !own.isOutdated(by: version) { continue }
      byName[name] = version
      isChanged = true
    }
    return isChanged
  }

  mutating func remove(_ names: some Sequence<String>) {
    guard !byName.isEmpty else { return }
    for name in names { byName[name] = nil }
  }
}

extension Versions: Codable {
  init(from decoder: any Decoder) throws {
    byName = try decoder.singleValueContainer().decode([String: Version<Value>].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(byName)
  }
}
