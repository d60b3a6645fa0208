import Foundation
import Testing

@testable import ExtensionHost

@Suite("States of extensions")
struct StateStoreTests {
  @Test("While what was in the folder is away, no state is written or removed")
  func away() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "states-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let states = folder.appending(path: "States")
    let store = try StateStore(directory: states)
    var state = ExtensionState()
    state.isOn = true
    try store.set(state, of: "com.example.one")
    let away = folder.appending(path: "away")
    try FileManager.default.moveItem(at: states, to: away)
    // As the folder of a disk that is not mounted.
    try FileManager.default.createDirectory(at: states, withIntermediateDirectories: false)
    for identifier in ["com.example.one", "com.example.two"] {
      let removal = #expect(throws: HostError.self) { try store.remove(identifier) }
      #expect(removal?.message.contains(states.path) == true)
      #expect(throws: HostError.self) { try store.set(state, of: identifier) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: states.path).isEmpty)
    try FileManager.default.removeItem(at: states)
    try FileManager.default.moveItem(at: away, to: states)
    #expect(try store.state(of: "com.example.one").isOn)
    try store.remove("com.example.one")
    #expect(try !store.state(of: "com.example.one").isOn)
    try store.set(state, of: "com.example.two")
    #expect(try store.state(of: "com.example.two").isOn)
  }
}
