/// All that devices say of one note, in a form in which what they say can be joined in any order.
///
/// Every value that is written is a version with a name of its own, and an edit names the versions
/// that it takes the place of. Joining is the union of all versions without those that anybody has
/// replaced, and for counts the greater for each device; it is commutative, associative and
/// idempotent. So an edit counts for more than what it was made in view of, whatever the stamps say;
/// these only choose among versions that were written without knowing of each other. No stamp, however
/// far ahead, outlives the next edit.
///
/// A note exists while it has a text. Deleting replaces all texts that the device knows, so an edit
/// of the text elsewhere, which the deleting device had not seen, outlives the deletion.
struct NoteState: Hashable, Sendable {
  var target = Versions<String>()
  var emoji = Versions<String>()
  var snoozeMinutes = Versions<Int>()
  var created = Versions<Int64>()
  var changed = Versions<Int64>()
  /// The note's text and, as long as nobody has settled which is right, those written at the same
  /// time.
  var texts = Versions<String>()
  /// The names of versions that were replaced or deleted, of all fields.
  private(set) var replaced: Set<String> = []
  /// How often the note was shown, left and viewed on each device.
  var counts: [String: NoteCounts] = [:]

  /// Joins what another device, or the same one earlier, says.
  ///
  /// - Returns: Whether anything is different now.
  /// - Complexity: O(*n*) for *n* versions and names of the other device.
  @discardableResult
  mutating func join(_ other: NoteState) -> Bool {
    let isReplaced = replace(other.replaced)
    let parts = [
      target.join(other.target, without: replaced), emoji.join(other.emoji, without: replaced),
      snoozeMinutes.join(other.snoozeMinutes, without: replaced),
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

  /// Takes versions away for good.
  ///
  /// - Returns: Whether one of the names is new.
  @discardableResult
  private mutating func replace(_ names: some Sequence<String>) -> Bool {
    let new = names.filter { replaced.insert($0).inserted }
    guard !new.isEmpty else { return false }
    target.remove(new)
    emoji.remove(new)
    snoozeMinutes.remove(new)
    created.remove(new)
    changed.remove(new)
    texts.remove(new)
    return true
  }

  /// Whether the note exists and is known well enough to be shown.
  var isComplete: Bool { !texts.byName.isEmpty && !target.byName.isEmpty }

  /// The greatest clock of all stamps that are not above a bound; 0 if there is none.
  func clock(upTo bound: UInt64) -> UInt64 {
    func clock<Value>(_ versions: Versions<Value>) -> UInt64 {
      versions.byName.values.lazy.map(\.stamp.clock).filter { $0 <= bound }.max() ?? 0
    }
    return max(
      max(clock(target), clock(emoji), clock(snoozeMinutes)),
      max(clock(created), clock(changed), clock(texts))
    )
  }

  /// About how many bytes the state has when it is written.
  var size: Int {
    func size<Value>(_ versions: Versions<Value>) -> Int { versions.byName.count * 80 }
    let texts = texts.byName.values.reduce(0) { $0 + $1.value.utf8.count + 80 }
    return texts + size(target) + size(emoji) + size(snoozeMinutes) + size(created) + size(changed)
      + replaced.count * 16 + counts.count * 64
  }

  // MARK: Edits

  /// Writes a value in place of all that are known.
  mutating func write<Value>(
    _ value: Value,
    to field: WritableKeyPath<NoteState, Versions<Value>>,
    name: String,
    stamp: Stamp
  ) {
    replace(Array(self[keyPath: field].byName.keys))
    self[keyPath: field][name] = Version(stamp: stamp, value: value)
  }

  /// Writes a text in place of the current one, and of no other.
  mutating func writeText(_ text: String, name: String, stamp: Stamp) {
    if let current = texts.current { replace([current.name]) }
    // What was just written is what is shown: texts with stamps ahead of it, of a clock that is far
    // wrong, are kept, behind it.
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

  /// Takes all texts but the current one away.
  mutating func settle() {
    guard let current = texts.current else { return }
    replace(texts.byName.keys.filter { $0 != current.name })
  }

  /// Takes all texts away, and so the note.
  mutating func delete() { replace(Array(texts.byName.keys)) }
}

extension NoteState: Codable {
  private enum Key: String, CodingKey {
    case target, emoji, snoozeMinutes, created, changed, texts, replaced, counts
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func versions<Value>(_ key: Key) throws -> Versions<Value> {
      try container.decodeIfPresent(Versions<Value>.self, forKey: key) ?? Versions()
    }
    target = try versions(.target)
    emoji = try versions(.emoji)
    snoozeMinutes = try versions(.snoozeMinutes)
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
    try encode(created, .created)
    try encode(changed, .changed)
    try encode(texts, .texts)
    if !replaced.isEmpty { try container.encode(replaced.sorted(), forKey: .replaced) }
    if !counts.isEmpty { try container.encode(counts, forKey: .counts) }
  }
}
