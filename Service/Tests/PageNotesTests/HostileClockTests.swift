import Foundation
import GRDB
import TestSupport
import Testing

@testable import PageNotes

@Suite("Clocks that are far wrong, and stamps that lie")
struct HostileClockTests {
  /// A state in which everything is in the far future.
  private func poison(_ texts: [String], emoji: String = "💀") -> NoteState {
    var state = NoteState()
    state.write("sevil.example", to: \.target, name: "p0", stamp: farStamp)
    state.write(emoji, to: \.emoji, name: "p1", stamp: farStamp)
    state.write(1, to: \.snoozeMinutes, name: "p2", stamp: farStamp)
    state.write(1 << 50, to: \.changed, name: "p3", stamp: farStamp)
    for (index, text) in texts.enumerated() {
      state.texts["q\(index)"] = Version(stamp: farStamp, value: text)
    }
    return state
  }

  private func clock(_ store: NoteStore) throws -> UInt64 {
    try store.read { try DeviceRow.fetch($0).clock }
  }

  @Test("A line with the greatest stamp stops no clock: edits of two devices stay, in turn")
  func otherNote() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(SyncPair.draft("one"))
    try pair.exchange()
    try pair.insert([(UUID().uuidString.lowercased(), poison(["x"]))])
    try pair.exchange()
    for (index, emoji) in ["🟩", "🟦", "🟥", "🅰", "🟪"].enumerated() {
      let (store, other) = index % 2 == 0 ? (pair.one, pair.two) : (pair.two, pair.one)
      try store.change(id: note.id, NoteChange(emoji: emoji, snoozeMinutes: index + 5))
      try pair.exchange()
      for store in [store, other] {
        #expect(try store.note(id: note.id).emoji == emoji)
        #expect(try store.note(id: note.id).snoozeMinutes == index + 5)
      }
    }
    for store in [pair.one, pair.two] {
      #expect(try clock(store) <= Stamp.bound(at: store.surroundings.milliseconds))
    }
  }

  @Test("A note all of whose fields are from the far future is what its user then writes")
  func sameNote() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(SyncPair.draft("honest"))
    try pair.exchange()
    try pair.insert([(note.id, poison(["lie 1", "lie 2", "lie 3"]))])
    try pair.exchange()
    #expect(try pair.two.note(id: note.id).emoji == "💀")
    let edited = try pair.two.change(
      id: note.id,
      NoteChange(
        target: NoteTarget(.site, address: "example.com"),
        text: "mine",
        emoji: "🟩",
        snoozeMinutes: 7
      )
    )
    #expect(edited.text == "mine")
    try pair.exchange()
    for store in [pair.one, pair.two] {
      let there = try store.note(id: note.id)
      #expect(there.text == "mine")
      #expect(there.emoji == "🟩")
      #expect(there.snoozeMinutes == 7)
      #expect(there.target.address == "example.com")
      #expect(there.changed == edited.changed)
      // Texts are never dropped automatically.
      #expect(Set(there.otherTexts).isSuperset(of: ["honest"]))
      #expect(there.otherTexts.count == 3)
    }
    try pair.one.settle(note.id)
    // Merging the same lines again changes nothing.
    try pair.insert([(note.id, poison(["lie 1", "lie 2", "lie 3"]))], file: "again")
    try pair.exchange()
    for store in [pair.one, pair.two] {
      #expect(try store.note(id: note.id).text == "mine")
      #expect(try store.note(id: note.id).otherTexts.isEmpty)
      #expect(try store.note(id: note.id).emoji == "🟩")
    }
  }

  @Test("A clock that a former version let be led astray gets well by itself")
  func formerClock() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(SyncPair.draft("one"))
    for store in [pair.one, pair.two] {
      try store.write {
        try $0.execute(
          sql: "UPDATE device SET clock = ?",
          arguments: [Int64(bitPattern: Stamp.clockLimit)]
        )
      }
    }
    try pair.exchange()
    for (index, emoji) in ["🟩", "🟦", "🟥"].enumerated() {
      try (index % 2 == 0 ? pair.two : pair.one).change(id: note.id, NoteChange(emoji: emoji))
      try pair.exchange()
      #expect(try pair.one.note(id: note.id).emoji == emoji)
      #expect(try pair.two.note(id: note.id).emoji == emoji)
    }
    #expect(try clock(pair.one) < Stamp.bound(at: pair.one.surroundings.milliseconds))
  }

  @Test(
    "A device whose clock was years wrong, or is at 1970, is neither deaf nor deafening",
    arguments: [60 * 365, -53 * 365, 2, -2]
  )
  func wrongClock(days: Int) throws {
    let seconds = Double(days) * 86_400
    let pair = try SyncPair()
    let note = try pair.one.add(SyncPair.draft("one"))
    try pair.exchange()
    pair.time.1.pass(seconds: seconds)
    try pair.two.change(id: note.id, NoteChange(text: "wrong", emoji: "🕰"))
    try pair.exchange()
    #expect(try pair.one.note(id: note.id).text == "wrong")
    try pair.one.change(id: note.id, NoteChange(text: "right", emoji: "🟩"))
    try pair.exchange()
    #expect(try pair.two.note(id: note.id).text == "right")
    pair.time.1.pass(seconds: -seconds)
    try pair.two.change(id: note.id, NoteChange(text: "again", emoji: "🟦"))
    try pair.exchange()
    for store in [pair.one, pair.two] {
      #expect(try store.note(id: note.id).text == "again")
      #expect(try store.note(id: note.id).emoji == "🟦")
      #expect(try store.note(id: note.id).otherTexts.isEmpty)
    }
  }

  // MARK: Histories

  /// Devices with clocks that are wrong by up to decades, and an attacker who has the key.
  private struct World {
    struct Device {
      var name: String
      var state = NoteState()
      var clock: UInt64 = 0
      var skew: Int64
      var saved: (NoteState, UInt64)?
    }

    var random: RandomSource
    var devices: [Device]
    var messages: [NoteState] = []
    /// What was written into the emoji and the texts, and the versions that each edit replaced.
    var emojis: [String: String] = [:]
    var replacedEmojis: Set<String> = []
    var texts: [String: String] = [:]
    var replacedTexts: Set<String> = []
    private var time: Int64 = 1_700_000_000_000
    private var count = 0

    init(seed: UInt64) {
      var random = RandomSource(seed: seed)
      let hour: Int64 = 3_600_000
      devices = (0..<(2 + random.number(below: 3))).map {
        let skews = [0, hour, -5 * hour, 30 * hour, 9000 * hour, -400_000 * hour, 300_000 * hour]
        return Device(name: "d\($0)", skew: random.pick(skews))
      }
      self.random = random
    }

    private mutating func name() -> String { DeviceID.make(random.next()) }

    private mutating func stamp(_ index: Int) -> Stamp {
      let now = time + devices[index].skew
      devices[index].clock = Stamp.next(after: devices[index].clock, at: now)
      return Stamp(clock: devices[index].clock, device: devices[index].name)
    }

    private mutating func receive(_ message: NoteState, _ index: Int) {
      let bound = Stamp.bound(at: time + devices[index].skew)
      devices[index].state.join(message)
      let seen = devices[index].state.clock(upTo: bound)
      devices[index].clock = max(devices[index].clock, seen)
      #expect(devices[index].clock <= max(bound, devices[index].clock))
      #expect(Stamp.next(after: devices[index].clock, at: time + devices[index].skew) <= bound + 1)
    }

    mutating func run(steps: Int) {
      for _ in 0..<steps {
        time += Int64(random.number(below: 100_000))
        let index = random.number(below: devices.count)
        switch random.number(below: 10) {
        case 0...5: edit(index)
        case 6: lie()
        case 7 where devices[index].saved == nil:
          devices[index].saved = (devices[index].state, devices[index].clock)
        case 8: devices[index].skew = Int64(random.number(below: 1 << 40)) - 1 << 39
        default: break
        }
        while random.chance(50), let message = messages.randomElement(using: &random) {
          receive(message, random.number(below: devices.count))
        }
      }
      for index in devices.indices { messages.append(devices[index].state) }
      deliver()
    }

    /// Delivers everything to everybody, in any order.
    mutating func deliver() {
      for index in devices.indices {
        for message in messages.shuffled(using: &random) { receive(message, index) }
      }
    }

    mutating func edit(_ index: Int) {
      let stamp = stamp(index)
      count += 1
      switch random.number(below: 6) {
      case 0...2:
        let name = name()
        replacedEmojis.formUnion(devices[index].state.emoji.byName.keys)
        emojis[name] = "e\(count)"
        devices[index].state.write("e\(count)", to: \.emoji, name: name, stamp: stamp)
        #expect(devices[index].state.emoji.value == "e\(count)")
      case 3, 4:
        let name = name()
        let before = devices[index].state.texts
        texts[name] = "t\(count)"
        devices[index].state.writeText("t\(count)", name: name, stamp: stamp)
        let gone = Set(before.byName.keys).subtracting(devices[index].state.texts.byName.keys)
        replacedTexts.formUnion(gone)
        // Only the text that was shown is replaced, and lies that have used up their new stamps.
        #expect(
          gone.filter { $0 != before.current?.name }.allSatisfy {
            before[$0]?.value.hasPrefix("lie") == true
          }
        )
        // What was just written is shown.
        #expect(devices[index].state.texts.value == "t\(count)")
      default:
        replacedTexts.formUnion(devices[index].state.texts.byName.keys)
        devices[index].state.delete()
      }
      messages.append(devices[index].state)
    }

    /// Writes stamps in the far future, under devices' names or none, as somebody who has the key.
    mutating func lie() {
      count += 1
      var state = NoteState()
      let clocks = [Stamp.clockLimit, Stamp.clockLimit - 1, UInt64(time + 90_000_000) << 16]
      let stamp = Stamp(clock: random.pick(clocks), device: random.pick(["zzzz", "d0", "d1"]))
      let (first, second) = (name(), name())
      emojis[first] = "lie \(count)"
      state.write("lie \(count)", to: \.emoji, name: first, stamp: stamp)
      texts[second] = "lie \(count)"
      state.texts[second] = Version(
        redated: random.pick([0, 0, 5, Version<String>.redatedLimit - 1]),
        stamp: stamp,
        value: "lie \(count)"
      )
      messages.append(state)
    }
  }

  /// A block is two hundred histories; more blocks for a long proof.
  private static let blocks = 10 * Effort.factor

  @Test(
    "Devices converge under hostile stamps, and what was replaced never comes back",
    arguments: 0..<blocks
  )
  func histories(block: Int) {
    for seed in block * 200..<(block + 1) * 200 {
      var world = World(seed: UInt64(seed))
      world.run(steps: 25)
      let first = world.devices[0].state
      #expect(world.devices.allSatisfy { $0.state == first }, "seed \(seed)")
      #expect(
        world.devices.allSatisfy { $0.state.texts.ordered == first.texts.ordered },
        "seed \(seed)"
      )
      let emojis = world.emojis.filter { !world.replacedEmojis.contains($0.key) }
      #expect(first.emoji.byName.mapValues(\.value) == emojis, "seed \(seed)")
      let texts = world.texts.filter { !world.replacedTexts.contains($0.key) }
      #expect(first.texts.byName.mapValues(\.value) == texts, "seed \(seed)")
      // After all that, a single edit anywhere is shown everywhere.
      let index = world.random.number(below: world.devices.count)
      let stamp = Stamp(clock: 1 + UInt64(seed), device: world.devices[index].name)
      world.devices[index].state.write("last", to: \.emoji, name: "last1", stamp: stamp)
      world.devices[index].state.writeText("last", name: "last2", stamp: stamp)
      world.messages.append(world.devices[index].state)
      world.deliver()
      #expect(
        world.devices.allSatisfy {
          $0.state.emoji.value == "last" && $0.state.texts.value == "last"
        },
        "seed \(seed)"
      )
    }
  }
}
