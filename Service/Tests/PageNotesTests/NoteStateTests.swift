import Foundation
import TestSupport
import Testing

@testable import PageNotes

@Suite("What devices say of a note, joined")
struct NoteStateTests {
  @Test("Every field of a note is joined, replaced, dated, measured and written")
  func fields() throws {
    let stamp = Stamp(clock: 7, device: "a")
    let plan = NotePlan.always
    let writings: [String: (inout NoteState, String) -> Void] = [
      "target": { $0.write("x", to: \.target, name: $1, stamp: stamp) },
      "emoji": { $0.write("x", to: \.emoji, name: $1, stamp: stamp) },
      "snoozeMinutes": { $0.write(5, to: \.snoozeMinutes, name: $1, stamp: stamp) },
      "plan": { $0.write(plan, to: \.plan, name: $1, stamp: stamp) },
      "created": { $0.write(5, to: \.created, name: $1, stamp: stamp) },
      "changed": { $0.write(5, to: \.changed, name: $1, stamp: stamp) },
      "texts": { $0.write("x", to: \.texts, name: $1, stamp: stamp) },
    ]
    let names = Mirror(reflecting: NoteState()).children.compactMap(\.label)
    #expect(Set(names) == Set(writings.keys).union(["replaced", "counts"]))
    for (name, write) in writings {
      var one = NoteState()
      write(&one, "one")
      #expect(one.clock(upTo: .max) == 7 && one.size > 0, "\(name)")
      var other = NoteState()
      #expect(other.join(one) && other == one, "\(name)")
      let copy = try JSONDecoder().decode(NoteState.self, from: JSONEncoder().encode(one))
      #expect(copy == one, "\(name)")
      // What the other device writes later replaces it here too.
      write(&other, "two")
      one.join(other)
      #expect(one == other && one.replaced == ["one"], "\(name)")
    }
  }

  /// A device in a simulation, with its clock, which may be wrong.
  private struct Device {
    var name: String
    var state = NoteState()
    var clock: UInt64 = 0
    var skew: Int64
    var earlier: [(state: NoteState, clock: UInt64)] = []

    mutating func stamp(at time: Int64) -> Stamp {
      clock = Stamp.next(after: clock, at: time + skew)
      return Stamp(clock: clock, device: name)
    }

    mutating func receive(_ other: NoteState) {
      state.join(other)
      clock = max(clock, other.clock(upTo: .max))
    }
  }

  /// Everything that the devices did, and the expected result.
  private struct Simulation {
    var devices: [Device]
    var messages: [NoteState] = []
    var written: [String: String] = [:]
    var replaced: Set<String> = []
    var emojis: [String: Version<String>] = [:]
    var replacedEmojis: Set<String> = []
    var shown = 0
    var wasRestored = false
    var random: RandomSource

    init(seed: UInt64) {
      random = RandomSource(seed: seed)
      var random = random
      devices = (0..<(2 + random.number(below: 3))).map {
        Device(name: "d\($0)", skew: Int64(random.number(below: 200_000)) - 100_000)
      }
      self.random = random
    }

    mutating func run(steps: Int, restores: Bool) {
      for time in 0..<steps {
        let index = random.number(below: devices.count)
        act(index, at: Int64(time) * 10 + 1_000_000, restores: restores)
        // Messages arrive late, twice, never, in any order.
        while random.chance(50), let message = messages.randomElement(using: &random) {
          devices[random.number(below: devices.count)].receive(message)
        }
      }
      for index in devices.indices {
        messages.append(devices[index].state)
      }
      for index in devices.indices {
        for message in messages.shuffled(using: &random) { devices[index].receive(message) }
      }
    }

    private mutating func act(_ index: Int, at time: Int64, restores: Bool) {
      devices[index].earlier.append((devices[index].state, devices[index].clock))
      let stamp = devices[index].stamp(at: time)
      let before = Set(devices[index].state.texts.byName.keys)
      switch random.number(below: 12) {
      case 0...4:
        let version = DeviceID.make(random.next())
        let text = "text \(written.count)"
        written[version] = text
        devices[index].state.writeText(text, name: version, stamp: stamp)
      case 5: devices[index].state.delete()
      case 6: devices[index].state.settle()
      case 7, 8:
        let version = Version(stamp: stamp, value: "emoji \(emojis.count)")
        let name = DeviceID.make(random.next())
        replacedEmojis.formUnion(devices[index].state.emoji.byName.keys)
        emojis[name] = version
        devices[index].state.write(version.value, to: \.emoji, name: name, stamp: stamp)
      case 9, 10:
        shown += 1
        devices[index].state.counts[devices[index].name, default: NoteCounts()].shown += 1
      default:
        guard restores, let earlier = devices[index].earlier.randomElement(using: &random) else {
          break
        }
        // The device repeats itself, with stamps that it has used before.
        devices[index].state = earlier.state
        devices[index].clock = earlier.clock
        wasRestored = true
        return
      }
      replaced.formUnion(before.subtracting(devices[index].state.texts.byName.keys))
      messages.append(devices[index].state)
    }
  }

  @Test(
    "Any order, repetition and loss on the way gives all devices the same, and loses nothing",
    arguments: 0..<40
  )
  func convergence(block: Int) {
    for seed in block * 100..<(block + 1) * 100 {
      var simulation = Simulation(seed: UInt64(seed))
      simulation.run(steps: 25, restores: seed % 3 == 0)
      let states = simulation.devices.map(\.state)
      let first = states[0]
      #expect(states.allSatisfy { $0 == first }, "seed \(seed)")
      #expect(states.allSatisfy { $0.texts.ordered == first.texts.ordered }, "seed \(seed)")
      let expected = simulation.written.filter { !simulation.replaced.contains($0.key) }
      #expect(first.texts.byName.mapValues(\.value) == expected, "seed \(seed)")
      if !simulation.wasRestored {
        #expect(first.counts.values.reduce(0) { $0 + $1.shown } == simulation.shown, "seed \(seed)")
      }
      let emojis = simulation.emojis.filter { !simulation.replacedEmojis.contains($0.key) }
      #expect(first.emoji.byName == emojis, "seed \(seed)")
    }
  }

  @Test("Joining is commutative, associative and idempotent")
  func laws() {
    for seed in 0..<500 {
      var simulation = Simulation(seed: UInt64(seed))
      simulation.run(steps: 8, restores: true)
      let states = simulation.messages.shuffled(using: &simulation.random)
      guard states.count >= 3 else { continue }
      func joined(_ states: NoteState...) -> NoteState {
        states.dropFirst().reduce(into: states[0]) { $0.join($1) }
      }
      let (a, b, c) = (states[0], states[1], states[2])
      #expect(joined(a, b) == joined(b, a))
      #expect(joined(joined(a, b), c) == joined(a, joined(b, c)))
      #expect(joined(a, a) == a)
      #expect(joined(a, b, b, a) == joined(a, b))
    }
  }

  @Test("An edit that the deleting device had not seen outlives the deletion, others do not")
  func deletion() {
    func stamp(_ clock: UInt64, _ device: String) -> Stamp { Stamp(clock: clock, device: device) }
    var first = NoteState()
    first.write("sexample.com", to: \.target, name: "t", stamp: stamp(1, "a"))
    first.writeText("one", name: "v1", stamp: stamp(1, "a"))
    var second = first
    second.writeText("two", name: "v2", stamp: stamp(2, "b"))
    second.write("🐢", to: \.emoji, name: "e1", stamp: stamp(9, "b"))
    var third = first
    third.write("🐇", to: \.emoji, name: "e2", stamp: stamp(9, "c"))
    first.delete()
    third.join(first)
    #expect(!third.isComplete)
    second.join(first)
    #expect(second.texts.ordered == ["two"])
    third.join(second)
    #expect(third.texts.ordered == ["two"])
  }

  @Test("A state is the same after it was written and read")
  func coding() throws {
    let key = SyncKey()
    for seed in 0..<200 {
      var simulation = Simulation(seed: UInt64(seed))
      simulation.run(steps: 20, restores: false)
      let state = simulation.devices[0].state
      let line = ChangeLine(device: "d", sequence: 1, previous: 0, note: "n", state: state)
      #expect(try ChangeLine(line.data(key).dropLast(), key) == line)
    }
  }

  @Test("Clocks never fall behind what they have seen, and cannot be used up")
  func clock() {
    var last: UInt64 = 0
    var random = RandomSource(seed: 1)
    for _ in 0..<1000 {
      // Hours forwards and backwards.
      let time = 1_700_000_000_000 + Int64(random.number(below: 80_000_000))
      let next = Stamp.next(after: last, at: time)
      #expect(next > last)
      last = next
    }
    let now: Int64 = 1_700_000_000_000
    let bound = Stamp.bound(at: now)
    #expect(bound == UInt64(now + 86_400_000) << 16)
    #expect(Stamp.next(after: bound, at: now) == bound + 1)
    // More than a day ahead, the device's own clock is used.
    #expect(Stamp.next(after: bound + 1, at: now) == UInt64(now) << 16)
    #expect(Stamp.next(after: Stamp.clockLimit, at: now) == UInt64(now) << 16)
    #expect(Stamp.next(after: .max, at: .max) <= Stamp.clockLimit)
    #expect(Stamp.next(after: 0, at: .min) == 1)
    let stamp = Stamp(clock: 0x0199_A0B1_C2D3_0004 | 1 << 60, device: "abc")
    #expect(stamp.description == "1199a0b1c2d30004@abc")
    #expect(Stamp(stamp.description) == nil)
    let fine = Stamp(clock: 0x0000_A0B1_C2D3_0004, device: "abc")
    #expect(Stamp(fine.description) == fine)
    for text in ["", "@", "0@a", "0000a0b1c2d30004@", "0000A0B1C2D30004@a", "0000a0b1c2d30004@a@b"]
    {
      #expect(Stamp(text) == nil)
    }
  }
}
