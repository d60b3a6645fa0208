/// All that devices say of one note, in a form in which what they say can be joined in any order.
///
/// Joining is commutative, associative and idempotent: fields by last writer, texts as a set from
/// which those that somebody replaced are taken, counts by the greater for each device.
///
/// A note exists while it has a text. Deleting replaces all texts that the device knows, so an edit
/// of the text elsewhere, which the deleting device had not seen, outlives the deletion.
struct NoteState: Hashable, Sendable {
  var target: Register<String>?
  var emoji: Register<String>?
  var snoozeMinutes: Register<Int>?
  var created: Register<Int64>?
  var changed: Register<Int64>?
  /// The texts that nobody has replaced, by the name of the version.
  var texts: [String: TextVersion] = [:]
  /// The names of versions that were replaced or deleted.
  var replaced: Set<String> = []
  /// How often the note was shown, left and viewed on each device.
  var counts: [String: NoteCounts] = [:]

  /// Joins what another device, or the same one earlier, says.
  mutating func join(_ other: NoteState) {
    target.join(other.target)
    emoji.join(other.emoji)
    snoozeMinutes.join(other.snoozeMinutes)
    created.join(other.created)
    changed.join(other.changed)
    for (name, version) in other.texts where texts[name].map({ $0 < version }) ?? true {
      texts[name] = version
    }
    replaced.formUnion(other.replaced)
    for name in replaced { texts[name] = nil }
    for (device, count) in other.counts {
      counts[device] = counts[device, default: NoteCounts()].maximum(count)
    }
  }

  /// The texts, the newest first; the first one is the note's text.
  var orderedTexts: [String] {
    texts.sorted { ($1.value, $1.key) < ($0.value, $0.key) }.map(\.value.text)
  }

  /// The name of the version that is the note's text.
  var currentVersion: String? {
    texts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  /// Whether the note exists and is known well enough to be shown.
  var isComplete: Bool { !texts.isEmpty && target != nil }

  /// The greatest clock of all stamps; 0 if there is none.
  var clock: UInt64 {
    let stamps = [
      target?.stamp, emoji?.stamp, snoozeMinutes?.stamp, created?.stamp, changed?.stamp,
    ]
    return max(
      stamps.compactMap { $0?.clock }.max() ?? 0,
      texts.values.map(\.stamp.clock).max() ?? 0
    )
  }

  /// Writes a text in place of the current one.
  mutating func setText(_ text: String, version: String, stamp: Stamp) {
    if let current = currentVersion { drop(current) }
    texts[version] = TextVersion(stamp: stamp, text: text)
  }

  /// Takes all texts but the current one away.
  mutating func settle() {
    guard let current = currentVersion else { return }
    for name in Array(texts.keys) where name != current { drop(name) }
  }

  /// Takes all texts away, and so the note.
  mutating func delete() {
    for name in Array(texts.keys) { drop(name) }
  }

  private mutating func drop(_ version: String) {
    texts[version] = nil
    replaced.insert(version)
  }
}

/// A value, and when it was written.
struct Register<Value: Comparable & Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
  var stamp: Stamp
  var value: Value

  /// Equal stamps occur where a device was restored from a backup; then the greater value wins.
  func isBefore(_ other: Register) -> Bool {
    (stamp, value) < (other.stamp, other.value)
  }
}

extension Optional {
  mutating func join<Value>(_ other: Register<Value>?) where Wrapped == Register<Value> {
    guard let other else { return }
    if let own = self, !own.isBefore(other) { return }
    self = other
  }
}

/// A text, and when it was written.
struct TextVersion: Hashable, Comparable, Codable, Sendable {
  var stamp: Stamp
  var text: String

  static func < (one: TextVersion, other: TextVersion) -> Bool {
    one.stamp != other.stamp
      ? one.stamp < other.stamp : one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }
}

extension NoteState: Codable {
  private enum Key: String, CodingKey {
    case target, emoji, snoozeMinutes, created, changed, texts, replaced, counts
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    target = try container.decodeIfPresent(Register<String>.self, forKey: .target)
    emoji = try container.decodeIfPresent(Register<String>.self, forKey: .emoji)
    snoozeMinutes = try container.decodeIfPresent(Register<Int>.self, forKey: .snoozeMinutes)
    created = try container.decodeIfPresent(Register<Int64>.self, forKey: .created)
    changed = try container.decodeIfPresent(Register<Int64>.self, forKey: .changed)
    texts = try container.decodeIfPresent([String: TextVersion].self, forKey: .texts) ?? [:]
    replaced = Set(try container.decodeIfPresent([String].self, forKey: .replaced) ?? [])
    counts = try container.decodeIfPresent([String: NoteCounts].self, forKey: .counts) ?? [:]
    for name in replaced { texts[name] = nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(target, forKey: .target)
    try container.encodeIfPresent(emoji, forKey: .emoji)
    try container.encodeIfPresent(snoozeMinutes, forKey: .snoozeMinutes)
    try container.encodeIfPresent(created, forKey: .created)
    try container.encodeIfPresent(changed, forKey: .changed)
    if !texts.isEmpty { try container.encode(texts, forKey: .texts) }
    if !replaced.isEmpty { try container.encode(replaced.sorted(), forKey: .replaced) }
    if !counts.isEmpty { try container.encode(counts, forKey: .counts) }
  }
}
