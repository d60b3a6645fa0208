import Foundation
import GRDB
import Testing

@testable import PageNotes

@Suite("Which key of synchronisation may be used")
struct KeyRegisterTests {
  private let pair: SyncPair
  private var one: NoteSynchronizer { NoteSynchronizer(pair.one) }
  private var file: SyncKeyFile { SyncKeyFile(database: pair.one.file) }

  init() throws {
    pair = try SyncPair()
    try pair.one.add(SyncPair.draft("mine", "mine.example"))
    try pair.exchange()
  }

  private func contents() throws -> [String: Data] {
    try pair.files().reduce(into: [:]) { $0[$1.lastPathComponent] = try Data(contentsOf: $1) }
  }

  private func announce(
    _ key: SyncKey,
    _ standing: KeyRegister.Standing,
    in store: NoteStore
  ) throws {
    _ = try store.write { database in
      try KeyRegister.change(database) { $0.announce(key.id, standing) }
    }
  }

  private func expectKeyError(_ words: String..., body: () throws -> Void) {
    #expect {
      try body()
    } throws: { error in
      (error as? NoteError)?.code == .key && words.allSatisfy { "\(error)".contains($0) }
    }
  }

  /// Does everything that uses the key, which refuses it and changes nothing.
  private func expectRefusal(_ words: String...) throws {
    let before = try contents()
    let bytes = try Data(contentsOf: file.url)
    let count = try pair.one.count()
    for _ in 0..<2 {
      expectKeyError(words[0], "notes key new") { _ = try one.synchronize() }
      expectKeyError(words[0]) { _ = try one.key() }
      expectKeyError(words[0]) { _ = try one.start(pair.shared) }
      let status = try one.status()
      #expect(status.keyID == nil && status.isKeyUnusable)
      #expect(status.problems.count { $0.contains(words[0]) } == 1, "\(status.problems)")
    }
    #expect(try contents() == before)
    #expect(try Data(contentsOf: file.url) == bytes)
    #expect(try pair.one.count() == count)
  }

  @Test("the file of a replaced key, put back, is refused, and a thief's notes do not come in")
  func putBack() throws {
    let old = try Data(contentsOf: file.url)
    let new = try one.replaceKey().key
    // The other device is the stolen one.
    try pair.two.add(SyncPair.draft("by the thief", "evil.example"))
    _ = try NoteSynchronizer(pair.two).synchronize()
    try old.write(to: file.url)
    try expectRefusal("that was replaced")
    // Nor is it taken when it is typed, whatever is in the folder.
    try FileManager.default.removeItem(at: pair.file(of: pair.one))
    expectKeyError("is not taken again", "notes key new") {
      _ = try one.start(pair.shared, key: pair.key)
    }
    // The way out that the message names.
    #expect(try one.start(pair.shared, key: new).key == new)
    #expect(try pair.one.notes().map(\.text) == ["mine"])
    #expect(try one.key() == new)
    expectKeyError("is not taken again") { _ = try one.start(pair.shared, key: pair.key) }
  }

  @Test("another profile's file is refused, and its key is taken when the user gives it")
  func foreign() throws {
    let other = try pair.folder.store("other", TestSurroundings(seed: 8, machine: "c"))
    let elsewhere = pair.folder.file("elsewhere")
    let key = try NoteSynchronizer(other).start(elsewhere).key
    let old = try Data(contentsOf: file.url)
    try FileManager.default.removeItem(at: file.url)
    try FileManager.default.copyItem(at: SyncKeyFile(database: other.file).url, to: file.url)
    try expectRefusal("was never given")
    #expect(try one.start(elsewhere, key: key).key == key)
    // What was left can be come back to, in its own folder and by the user alone.
    try old.write(to: file.url)
    try expectRefusal("left for another one")
    #expect(try one.start(pair.shared, key: pair.key).key == pair.key)
    try pair.exchange()
    #expect(try one.status().problems.isEmpty)
  }

  @Test("a device that was given the new key does not go back to the old one in the same folder")
  func given() throws {
    let new = try one.replaceKey().key
    let two = NoteSynchronizer(pair.two)
    _ = try two.start(pair.shared, key: new)
    // The first device's file says so; what somebody else puts there says no more than its name.
    let name = try pair.file(of: pair.one).lastPathComponent
    expectKeyError("left that key", name, "move it out") {
      _ = try two.start(pair.shared, key: pair.key)
    }
    #expect(try two.key() == new)
  }

  @Test("where no device has the right key any more, another one is made")
  func lost() throws {
    let old = try Data(contentsOf: file.url)
    let lost = try one.replaceKey().key
    try old.write(to: file.url)
    let new = try one.replaceKey()
    #expect(new.key != lost && new.key != pair.key)
    #expect(try one.key() == new.key)
    let register = try pair.one.read { try KeyRegister.fetch($0) }
    #expect(register.former == [lost.id, pair.key.id].sorted())
    #expect(try one.synchronize().problems.isEmpty)
    try old.write(to: file.url)
    try expectRefusal("that was replaced")
  }

  @Test("a key whose replacement was ended between the two writes is the old or the new one")
  func interrupted() throws {
    let old = try Data(contentsOf: file.url)
    let next = SyncKey()
    try announce(next, .replacing, in: pair.one)
    // The file is not written yet.
    _ = try one.synchronize()
    #expect(try one.key() == pair.key)
    // It is, and nothing says so yet.
    try file.write(next, retired: [pair.key.id])
    #expect(try one.key() == next)
    _ = try one.synchronize()
    #expect(try one.status().keyID == next.id)
    try old.write(to: file.url)
    try expectRefusal("that was replaced")
    // One that was announced and never written is forgotten by the next.
    let never = SyncKey()
    try file.write(next, retired: [])
    try announce(never, .replacing, in: pair.one)
    let new = try one.replaceKey().key
    try file.write(never, retired: [])
    try expectRefusal("was never given")
    #expect(try one.start(pair.shared, key: new).key == new)
  }

  @Test("taking a given key, ended between the two writes, goes on the same way")
  func interruptedTaking() throws {
    let new = try one.replaceKey().key
    let two = NoteSynchronizer(pair.two)
    try announce(new, .taking, in: pair.two)
    #expect(try two.key() == pair.key)
    try SyncKeyFile(database: pair.two.file).write(new, retired: [pair.key.id])
    _ = try two.synchronize()
    #expect(try two.key() == new)
    try pair.exchange()
    #expect(try pair.two.notes().map(\.text) == ["mine"])
  }

  @Test("a database that was restored without its key takes the newer one, which replaced its own")
  func olderDatabase() throws {
    let backup = try pair.backup(of: pair.one, "restored")
    let new = try one.replaceKey().key
    try FileManager.default.removeItem(at: SyncKeyFile(database: backup).url)
    try FileManager.default.copyItem(at: file.url, to: SyncKeyFile(database: backup).url)
    let restored = try NoteStore(file: backup, surroundings: pair.time.0.surroundings)
    // The thief's notes do not come in, and the key does not come back.
    try pair.two.add(SyncPair.draft("by the thief", "evil.example"))
    _ = try NoteSynchronizer(pair.two).synchronize()
    expectKeyError("is not taken again") {
      _ = try NoteSynchronizer(restored).start(pair.shared, key: pair.key)
    }
    _ = try NoteSynchronizer(restored).synchronize()
    #expect(try NoteSynchronizer(restored).key() == new)
    #expect(try restored.notes().map(\.text) == ["mine"])
  }

  @Test("a device restored with its old key does not write over what the new one seals")
  func olderDevice() throws {
    let backup = try pair.backup(of: pair.one, "restored")
    _ = try one.replaceKey()
    try pair.one.add(SyncPair.draft("since", "since.example"))
    _ = try one.synchronize()
    let own = try pair.file(of: pair.one)
    let written = try Data(contentsOf: own)
    let restored = try NoteStore(file: backup, surroundings: pair.time.0.surroundings)
    _ = try NoteSynchronizer(restored).synchronize()
    let report = try NoteSynchronizer(restored).synchronize()
    #expect(report.problems.contains { $0.contains("another key") }, "\(report)")
    #expect(try Data(contentsOf: own) == written)
  }

  @Test("an older version's record of former keys in the file counts, and its key is in force")
  func upgraded() throws {
    let former = SyncKey()
    try file.write(pair.key, retired: [former.id], left: nil)
    try pair.one.write { try $0.execute(sql: "DELETE FROM syncKey") }
    _ = try one.synchronize()
    let register = try pair.one.read { try KeyRegister.fetch($0) }
    #expect(register.inForce == pair.key.id && register.former == [former.id])
    try file.write(former, retired: [])
    try expectRefusal("that was replaced")
  }

  @Test("a file that calls its own key replaced or left is refused, and the key stays in force")
  func itself() throws {
    let old = try Data(contentsOf: file.url)
    let before = try pair.one.read { try KeyRegister.fetch($0) }
    let id = pair.key.id
    for lists in [
      #""retired":["\#(id)"],"left":[]"#, #""retired":[],"left":["\#(id)"]"#,
      #""retired":["\#(id)"]"#,
    ] {
      try Data(#"{"format":1,"key":"\#(pair.key.text)",\#(lists)}"#.utf8).write(to: file.url)
      try expectRefusal("of its own key")
      #expect(try pair.one.read { try KeyRegister.fetch($0) } == before)
    }
    // What was there, put back.
    try old.write(to: file.url)
    #expect(try one.key() == pair.key)
  }

  @Test("a file of a newer version is said to be one, whatever else it says")
  func newerVersion() throws {
    for text in [#"{"format":2,"keys":["a"]}"#, #"{"format":3,"key":"tbk1-x"}"#] {
      try Data(text.utf8).write(to: file.url)
      expectKeyError("newer version") { _ = try one.synchronize() }
      #expect(try one.status().problems.contains { $0.contains("newer version") })
      #expect(try Data(contentsOf: file.url) == Data(text.utf8))
    }
    // One without a version is of the first.
    try Data(#"{"key":"\#(pair.key.text)","retired":[]}"#.utf8).write(to: file.url)
    _ = try one.synchronize()
  }

  @Test("a file that others could read is closed, which is said once and stands in the status")
  func open() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.url.path)
    let report = try one.synchronize()
    #expect(report.problems.count == 1)
    #expect(report.problems[0].contains("could be read") && report.problems[0].contains("key new"))
    let mode = try FileManager.default.attributesOfItem(atPath: file.url.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try one.synchronize().problems.isEmpty)
    #expect(try one.status().problems == report.problems)
    _ = try one.replaceKey()
    #expect(try one.status().problems.allSatisfy { !$0.contains("could be read") })
  }

  @Test("the status tells a key that cannot be used from one that is missing")
  func status() throws {
    try Data("x".utf8).write(to: file.url)
    var status = try one.status()
    #expect(status.isKeyUnusable && status.problems.contains { $0.contains("is damaged") })
    try FileManager.default.removeItem(at: file.url)
    status = try one.status()
    #expect(!status.isKeyUnusable && status.keyID == nil)
  }
}
