import Foundation
import GRDB
import TestSupport
import Testing
import UserDatabase

@testable import PageNotes

/// Devices with a folder each, between which a tool copies files late, by halves, twice, as conflicts.
@Suite("Synchronisation, simulated")
struct SyncSimulationTests {
  private final class Device {
    var store: NoteStore
    let time: TestSurroundings
    let folder: URL
    var backup: URL?
    /// The names that the device has had in its folder.
    var names: Set<String> = []

    init(_ index: Int, _ place: TestFolder, _ key: SyncKey, seed: UInt64) throws {
      time = TestSurroundings(seed: seed &+ UInt64(index) &* 7919, machine: "m\(index)")
      time.pass(seconds: Double(seed % 1000) * Double(index) - 500)
      folder = place.file("folder\(index)")
      store = try place.store("n\(index)", time)
      _ = try NoteSynchronizer(store).start(folder, key: key)
    }
  }

  private final class World {
    let place: TestFolder
    let devices: [Device]
    var random: RandomSource
    var written: [String: Set<String>] = [:]
    var replaced: Set<String> = []
    var shown: [String: Int] = [:]
    /// What was in files before they were attacked.
    private var earlier: [String: [Data]] = [:]
    private var texts = 0

    init(seed: UInt64) throws {
      place = try TestFolder()
      random = RandomSource(seed: seed)
      let place = place
      let key = SyncKey()
      devices = try (0..<(2 + random.number(below: 2))).map {
        try Device($0, place, key, seed: seed)
      }
    }

    func text() -> String {
      texts += 1
      return "text \(texts)"
    }

    func act(_ device: Device) throws {
      device.time.pass(seconds: Double(random.number(below: 100)) / 10)
      let notes = try device.store.notes()
      guard let note = notes.randomElement(using: &random), !random.chance(20) else {
        let text = text()
        let note = try device.store.add(
          NoteDraft(target: NoteTarget(.site, address: "example.com"), text: text)
        )
        written[note.id, default: []].insert(text)
        return
      }
      switch random.number(below: 10) {
      case 0...3:
        let text = text()
        replaced.insert(note.text)
        written[note.id, default: []].insert(text)
        try device.store.change(id: note.id, NoteChange(text: text))
      case 4:
        replaced.formUnion([note.text] + note.otherTexts)
        try device.store.delete(id: note.id)
      case 5:
        replaced.formUnion(note.otherTexts)
        try device.store.settle(note.id)
      case 6: try device.store.change(id: note.id, NoteChange(emoji: text()))
      case 7: try device.store.change(id: note.id, NoteChange(plan: TestPlan.make(&random)))
      default:
        shown[note.id, default: 0] += 1
        try device.store.count(.shown, id: note.id)
      }
    }

    /// Makes a backup, or goes back to the one that was made; what was published stays in the folder.
    func restore(_ device: Device) throws {
      try remember(device)
      guard let backup = device.backup else {
        // Counts that no file has yet when the backup is made would be counted twice.
        _ = try NoteSynchronizer(device.store).synchronize()
        let file = place.file(UUID().uuidString)
        try device.store.database.connection().writeWithoutTransaction {
          try $0.execute(sql: "VACUUM INTO ?", arguments: [file.path])
        }
        // Its key is beside it.
        try FileManager.default.copyItem(
          at: SyncKeyFile(database: device.store.file).url,
          to: SyncKeyFile(database: file).url
        )
        device.backup = file
        return
      }
      _ = try NoteSynchronizer(device.store).synchronize()
      device.backup = nil
      device.store = try NoteStore(file: backup, surroundings: device.time.surroundings)
    }

    /// Somebody without the key does something to a folder.
    func attack(_ device: Device) throws {
      let manager = FileManager.default
      let names = try manager.contentsOfDirectory(atPath: device.folder.path).sorted()
      guard let name = names.randomElement(using: &random) else { return }
      let url = device.folder.appending(path: name)
      let data = try Data(contentsOf: url)
      earlier[name, default: []].append(data)
      var lines = data.split(separator: 10, omittingEmptySubsequences: false).map { Data($0) }
      func write(_ data: Data, _ other: URL? = nil) throws { try data.write(to: other ?? url) }
      func joined(_ lines: [Data]) -> Data { Data(lines.joined(separator: [10])) }
      switch random.number(below: 11) {
      case 0: try manager.removeItem(at: url)
      case 1: try write(data.prefix(random.number(below: data.count + 1)))
      case 2:
        lines.remove(at: random.number(below: lines.count))
        try write(joined(lines))
      case 3: try write(joined(lines.shuffled(using: &random)))
      case 4: try write(data + data)
      case 5 where !data.isEmpty:
        var damaged = data
        damaged[random.number(below: data.count)] ^= 1 << random.number(below: 8)
        try write(damaged)
      case 6: try write(random.pick(earlier[name] ?? [data]))
      case 7: try write(data + Data(contentsOf: device.folder.appending(path: random.pick(names))))
      case 8:
        try write(
          data,
          device.folder.appending(path: "tickbird-notes-x\(random.number(below: 5)).sealed")
        )
      case 9: try write(data + Data("rubbish".utf8) + [10])
      default:
        var state = NoteState()
        state.write("forged", to: \.emoji, name: "f", stamp: farStamp)
        let note = try device.store.notes().first?.id ?? "n"
        let line = ChangeLine(device: "f", sequence: 1 << 40, previous: 0, note: note, state: state)
        try write(data + line.data(SyncKey()))
      }
    }

    /// Copies one file from one folder to another, somehow.
    func copy(from: Device, to: Device) throws {
      let manager = FileManager.default
      // A tool overwrites a file only with what its owner wrote.
      try remember(to)
      guard
        let name = try manager.contentsOfDirectory(atPath: from.folder.path)
          .filter({ name in !to.names.contains { name.contains($0) } }).sorted().randomElement(
            using: &random
          ),
        let data = try? Data(contentsOf: from.folder.appending(path: name))
      else { return }
      var newName = name
      if random.chance(15) {
        newName = name.replacing(
          ".sealed",
          with: ".sync-conflict-\(random.number(below: 9)).sealed"
        )
      }
      let cut = random.chance(25) ? random.number(below: data.count + 1) : data.count
      try data.prefix(cut).write(to: to.folder.appending(path: newName), options: .atomic)
    }

    private func remember(_ device: Device) throws {
      device.names.insert(try NoteSynchronizer(device.store).status().device)
    }

    func settle() throws {
      for _ in 0..<3 {
        for device in devices { _ = try NoteSynchronizer(device.store).synchronize() }
        for from in devices {
          try remember(from)
          for name in try FileManager.default.contentsOfDirectory(atPath: from.folder.path)
          where from.names.contains(where: { name == "tickbird-notes-\($0).sealed" }) {
            let data = try Data(contentsOf: from.folder.appending(path: name))
            for to in devices where to !== from {
              try data.write(to: to.folder.appending(path: name), options: .atomic)
            }
          }
        }
      }
      for device in devices { _ = try NoteSynchronizer(device.store).synchronize() }
    }
  }

  /// How many histories; more for a long proof.
  private static let histories = 40 * Effort.factor

  @Test(
    "All devices end with the same notes, and nothing that was written is lost",
    arguments: Effort.sample(of: 0..<histories, every: 3)
  )
  func convergence(seed: Int) throws {
    let world = try World(seed: UInt64(seed) &* 31 &+ 7)
    for _ in 0..<40 {
      let device = world.random.pick(world.devices)
      switch world.random.number(below: 10) {
      case 0...4: try world.act(device)
      case 5, 6: _ = try NoteSynchronizer(device.store).synchronize()
      case 7 where seed % 2 == 0: try world.restore(device)
      default: try world.copy(from: world.random.pick(world.devices), to: device)
      }
    }
    try expectOneEnd(world)
  }

  @Test(
    "The same, while somebody cuts, moves, doubles, forges, sets back and deletes what is there",
    arguments: Effort.sample(of: 0..<histories, every: 3)
  )
  func underAttack(seed: Int) throws {
    let world = try World(seed: UInt64(seed) &* 37 &+ 11)
    for _ in 0..<40 {
      let device = world.random.pick(world.devices)
      switch world.random.number(below: 10) {
      case 0...3: try world.act(device)
      case 4, 5: _ = try NoteSynchronizer(device.store).synchronize()
      case 6, 7: try world.attack(device)
      default: try world.copy(from: world.random.pick(world.devices), to: device)
      }
    }
    try expectOneEnd(world)
    let names = try world.devices.map { try NoteSynchronizer($0.store).status().device }
    #expect(world.devices.indices.allSatisfy { world.devices[$0].names == [names[$0]] })
  }

  private func expectOneEnd(_ world: World) throws {
    try world.settle()
    let all = try world.devices.map { try $0.store.notes().sorted { $0.id < $1.id } }
    for notes in all.dropFirst() { #expect(notes == all[0]) }
    let expected = world.written.mapValues { $0.subtracting(world.replaced) }
      .filter { !$0.value.isEmpty }
    let found = all[0].reduce(into: [String: Set<String>]()) {
      $0[$1.id] = Set([$1.text] + $1.otherTexts)
    }
    #expect(found == expected)
    for note in all[0] { #expect(note.counts.shown == world.shown[note.id, default: 0]) }
  }
}
