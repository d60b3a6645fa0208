/// A value that a field of a note can hold.
protocol FieldValue: Codable, Hashable, Sendable {
  /// Orders values the same way on all devices; values of which neither precedes the other are
  /// byte-for-byte equal.
  func precedes(_ other: Self) -> Bool
}

extension String: FieldValue {
  // Compares bytes: Swift's equality ignores differences in composition.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension Int: FieldValue {
  func precedes(_ other: Int) -> Bool { self < other }
}

extension NotePlan: FieldValue {
  /// Compares the plans as JSON with sorted keys.
  func precedes(_ other: NotePlan) -> Bool { json.precedes(other.json) }
}

extension Int64: FieldValue {
  func precedes(_ other: Int64) -> Bool { self < other }
}

/// A value that a device wrote, and when.
struct Version<Value: FieldValue>: Hashable, Sendable {
  /// How often the version was given a new stamp.
  var redated = 0
  var stamp: Stamp
  var value: Value

  /// The limit on new stamps of a version.
  static var redatedLimit: Int { 1000 }

  /// Returns whether this version is shown after another one, or instead of it.
  func isShownAfter(_ other: Version) -> Bool {
    stamp != other.stamp ? stamp < other.stamp : value.precedes(other.value)
  }

  /// Returns whether another version of the same name supersedes this one.
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

/// The versions of a field that nobody has replaced, by name.
///
/// There are several only if devices wrote concurrently.
struct Versions<Value: FieldValue>: Hashable, Sendable {
  private(set) var byName: [String: Version<Value>] = [:]

  /// The version to show: the one with the greatest stamp.
  var current: (name: String, version: Version<Value>)? {
    byName.max { Self.isShownAfter($0, $1) }.map { ($0.key, $0.value) }
  }

  /// The value to show.
  var value: Value? { current?.version.value }

  /// Returns the greatest clock reading of all stamps up to a bound; 0 if there is none.
  func clock(upTo bound: UInt64) -> UInt64 {
    var latest: UInt64 = 0
    for version in byName.values where version.stamp.clock <= bound {
      latest = max(latest, version.stamp.clock)
    }
    return latest
  }

  /// The values, the one to show first.
  var ordered: [Value] {
    // A field nearly always has one version: no pairs are copied and sorted for it.
    guard byName.count > 1 else { return byName.values.map(\.value) }
    return byName.sorted { Self.isShownAfter($1, $0) }.map(\.value.value)
  }

  private typealias Named = (key: String, value: Version<Value>)

  private static func isShownAfter(_ one: Named, _ other: Named) -> Bool {
    if one.value.isShownAfter(other.value) { return true }
    return !other.value.isShownAfter(one.value) && one.key < other.key
  }

  subscript(name: String) -> Version<Value>? {
    get { byName[name] }
    set { byName[name] = newValue }
  }

  /// Merges the versions of another device, except those that were replaced.
  ///
  /// - Returns: Whether anything changed.
  /// - Complexity: O(*n*) in the versions of the other device.
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
