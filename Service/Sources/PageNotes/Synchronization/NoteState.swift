/// The replicated state of a note: a CRDT whose copies can be merged in any order.
///
/// Every value written is a version with a name of its own, and an edit names the versions that it
/// replaces. Merging takes the union of all versions minus those that anybody has replaced, and the
/// maximum of each device's counts; it is commutative, associative and idempotent. So an edit wins
/// over what its author had seen, whatever the stamps say; stamps only choose among concurrent
/// versions. No stamp, however far ahead, outlives the next edit.
///
/// A note exists while it has a text. Deleting replaces all texts that the device knows; a
/// concurrent edit of the text, which the deleting device had not seen, therefore survives.
struct NoteState: Hashable, Sendable {
  var target = Versions<String>()
  var emoji = Versions<String>()
  var snoozeMinutes = Versions<Int>()
  /// Absent for a note that is always shown and never was not.
  var plan = Versions<NotePlan>()
  var created = Versions<Int64>()
  var changed = Versions<Int64>()
  /// The note's text, and concurrent ones until the user confirms one of them.
  var texts = Versions<String>()
  /// The tombstones of all fields: names of versions that were replaced or deleted.
  private(set) var replaced: Set<String> = []
  /// Each device's counts.
  var counts: [String: NoteCounts] = [:]

  /// Merges the state of another device, or an older one of this device.
  ///
  /// - Returns: Whether anything changed.
  /// - Complexity: O(*n*) in the versions and tombstones of the other state.
  @discardableResult
  mutating func join(_ other: NoteState) -> Bool {
    let isReplaced = replace(other.replaced)
    let parts = [
      target.join(other.target, without: replaced), emoji.join(other.emoji, without: replaced),
      snoozeMinutes.join(other.snoozeMinutes, without: replaced),
      plan.join(other.plan, without: replaced),
      created.join(other.created, without: replaced),
      changed.join(other.changed, without: replaced), texts.join(other.texts, without: replaced),
    ]
    var isCounted = false
    for (device, count) in other.counts {
      let known = counts[device] ?? NoteCounts()
      let joined = known.maximum(count)
      guard joined != known || counts[device] == nil else { continue }
      counts[device] = joined
      isCounted = true
    }
    return isReplaced || parts.contains(true) || isCounted
  }

  /// Replaces versions for good.
  ///
  /// - Returns: Whether one of the names is new.
  @discardableResult
  private mutating func replace(_ names: some Sequence<String>) -> Bool {
    let new = names.filter { replaced.insert($0).inserted }
    guard !new.isEmpty else { return false }
    target.remove(new)
    emoji.remove(new)
    snoozeMinutes.remove(new)
    plan.remove(new)
    created.remove(new)
    changed.remove(new)
    texts.remove(new)
    return true
  }

  /// Whether the note exists, and enough of it has arrived to show it.
  var isComplete: Bool { !texts.byName.isEmpty && !target.byName.isEmpty }

  /// Returns the greatest clock reading of all stamps up to a bound; 0 if there is none.
  func clock(upTo bound: UInt64) -> UInt64 {
    max(
      max(target.clock(upTo: bound), emoji.clock(upTo: bound), snoozeMinutes.clock(upTo: bound)),
      max(plan.clock(upTo: bound), created.clock(upTo: bound)),
      max(changed.clock(upTo: bound), texts.clock(upTo: bound))
    )
  }

  /// The approximate size of the encoded state, in bytes.
  var size: Int {
    func size<Value>(_ versions: Versions<Value>) -> Int { versions.byName.count * 80 }
    let texts = texts.byName.values.reduce(0) { $0 + $1.value.utf8.count + 80 }
    let plans = plan.byName.values.reduce(0) { $0 + $1.value.times.count * 60 + 160 }
    return texts + size(target) + size(emoji) + size(snoozeMinutes) + size(created) + size(changed)
      + plans + replaced.count * 16 + counts.count * 64
  }

  // MARK: Edits

  /// Writes a value that replaces all known ones.
  mutating func write<Value>(
    _ value: Value,
    to field: WritableKeyPath<NoteState, Versions<Value>>,
    name: String,
    stamp: Stamp
  ) {
    replace(Array(self[keyPath: field].byName.keys))
    self[keyPath: field][name] = Version(stamp: stamp, value: value)
  }

  /// Writes a text that replaces the shown one and no other.
  mutating func writeText(_ text: String, name: String, stamp: Stamp) {
    if let current = texts.current { replace([current.name]) }
    // The new text has to be the one shown, so other texts with later stamps, from a clock that is
    // far ahead, get an earlier one.
    for (other, version) in texts.byName where !(version.stamp < stamp) {
      guard version.redated < Version<String>.redatedLimit else {
        replace([other])
        continue
      }
      texts[other]?.redated += 1
      texts[other]?.stamp = Stamp(clock: max(stamp.clock, 1) - 1, device: stamp.device)
    }
    texts[name] = Version(stamp: stamp, value: text)
  }

  /// Removes all texts but the shown one.
  mutating func settle() {
    guard let current = texts.current else { return }
    replace(texts.byName.keys.filter { $0 != current.name })
  }

  /// Removes all texts, and so deletes the note.
  mutating func delete() { replace(Array(texts.byName.keys)) }
}

extension NoteState: Codable {
  private enum Key: String, CodingKey {
    case target, emoji, snoozeMinutes, plan, created, changed, texts, replaced, counts
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func versions<Value>(_ key: Key) throws -> Versions<Value> {
      try container.decodeIfPresent(Versions<Value>.self, forKey: key) ?? Versions()
    }
    target = try versions(.target)
    emoji = try versions(.emoji)
    snoozeMinutes = try versions(.snoozeMinutes)
    plan = try versions(.plan)
    created = try versions(.created)
    changed = try versions(.changed)
    texts = try versions(.texts)
    counts = try container.decodeIfPresent([String: NoteCounts].self, forKey: .counts) ?? [:]
    replace(try container.decodeIfPresent([String].self, forKey: .replaced) ?? [])
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func encode<Value>(_ versions: Versions<Value>, _ key: Key) throws {
      if !versions.byName.isEmpty { try container.encode(versions, forKey: key) }
    }
    try encode(target, .target)
    try encode(emoji, .emoji)
    try encode(snoozeMinutes, .snoozeMinutes)
    try encode(plan, .plan)
    try encode(created, .created)
    try encode(changed, .changed)
    try encode(texts, .texts)
    if !replaced.isEmpty { try container.encode(replaced.sorted(), forKey: .replaced) }
    if !counts.isEmpty { try container.encode(counts, forKey: .counts) }
  }
}
