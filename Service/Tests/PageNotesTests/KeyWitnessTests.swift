import Foundation
import GRDB
import Testing

@testable import PageNotes

@Suite("What the key's file and the database say of keys together")
struct KeyWitnessTests {
  /// What one of the two has, in a history of three keys, each of which replaced the one before.
  enum Witness: CustomTestStringConvertible {
    /// Neither: a new database, no file.
    case missing
    case damaged
    /// As it was with the first, second or third key.
    case of(Int)

    var testDescription: String {
      switch self {
      case .missing: "missing"
      case .damaged: "damaged"
      case .of(let number): "of key \(number)"
      }
    }

    var number: Int { if case .of(let number) = self { number } else { 0 } }
  }

  /// What comes of a database and a file.
  struct Outcome: CustomTestStringConvertible {
    let database: Witness
    let file: Witness
    /// The number of the key in force, or why there is none.
    let key: Int?
    var words = ""

    var testDescription: String {
      "database \(database.testDescription), file \(file.testDescription)"
    }
  }

  static let outcomes = [
    Outcome(database: .missing, file: .missing, key: nil, words: "no key yet"),
    Outcome(database: .missing, file: .damaged, key: nil, words: "is damaged"),
    Outcome(database: .missing, file: .of(1), key: 1),
    Outcome(database: .missing, file: .of(2), key: 2),
    Outcome(database: .missing, file: .of(3), key: 3),
    Outcome(database: .of(1), file: .missing, key: nil, words: "is missing"),
    Outcome(database: .of(1), file: .damaged, key: nil, words: "is damaged"),
    Outcome(database: .of(1), file: .of(1), key: 1),
    Outcome(database: .of(1), file: .of(2), key: 2),
    Outcome(database: .of(1), file: .of(3), key: 3),
    Outcome(database: .of(2), file: .missing, key: nil, words: "is missing"),
    Outcome(database: .of(2), file: .damaged, key: nil, words: "is damaged"),
    Outcome(database: .of(2), file: .of(1), key: nil, words: "was replaced"),
    Outcome(database: .of(2), file: .of(2), key: 2),
    Outcome(database: .of(2), file: .of(3), key: 3),
    Outcome(database: .of(3), file: .missing, key: nil, words: "is missing"),
    Outcome(database: .of(3), file: .damaged, key: nil, words: "is damaged"),
    Outcome(database: .of(3), file: .of(1), key: nil, words: "was replaced"),
    Outcome(database: .of(3), file: .of(2), key: nil, words: "was replaced"),
    Outcome(database: .of(3), file: .of(3), key: 3),
  ]

  private let folder: TestFolder
  private let keys: [SyncKey]

  init() throws {
    folder = try TestFolder()
    keys = (0..<3).map { _ in SyncKey() }
  }

  /// A device in the state of an outcome, its synchronisation off.
  private func device(
    _ outcome: Outcome,
    _ name: String,
    isEarlierFormat: Bool
  ) throws -> NoteStore {
    let store = try folder.store(name, TestSurroundings(seed: 5, machine: "a"))
    try store.add(SyncPair.draft("mine", "mine.example"))
    let file = SyncKeyFile(database: store.file)
    // What `key new` leaves, from one key to the next.
    for number in 0..<outcome.database.number {
      let found = SyncKeyFile.Found(
        key: keys[number],
        retired: keys[..<number].map(\.id),
        left: [],
        isOpen: false
      )
      _ = try store.write { database in
        try KeyRegister.change(database) {
          $0.announce(keys[number].id, .replacing)
          $0.enforce(found)
        }
      }
    }
    switch outcome.file {
    case .missing: break
    case .damaged: try Data("x".utf8).write(to: file.url)
    case .of(let number):
      let retired = keys[..<(number - 1)].map(\.id)
      try file.write(keys[number - 1], retired: retired, left: isEarlierFormat ? nil : [])
    }
    return store
  }

  /// Expects that a key is used, and that both places call exactly these replaced.
  private func expect(_ key: SyncKey, replaced: ArraySlice<SyncKey>, _ store: NoteStore) throws {
    let found = try #require(try SyncKeyFile(database: store.file).read())
    #expect(found.key == key)
    #expect(Set(found.retired) == Set(replaced.map(\.id)))
    let register = try store.read { try KeyRegister.fetch($0) }
    #expect(register.inForce == key.id)
    #expect(Set(register.replaced) == Set(replaced.map(\.id)))
  }

  @Test(
    "the newer witness counts, and what one of them calls replaced is never taken",
    arguments: outcomes,
    [false, true]
  )
  func together(_ outcome: Outcome, isEarlierFormat: Bool) throws {
    let newest = max(outcome.database.number, outcome.file.number)
    let replaced = keys[..<max(0, newest - 1)]
    let store = try device(outcome, "used", isEarlierFormat: isEarlierFormat)
    let synchronizer = NoteSynchronizer(store)
    if let number = outcome.key {
      let key = keys[number - 1]
      #expect(try synchronizer.key() == key)
      // What was said once is not forgotten when an older file is put back.
      let register = try store.read { try KeyRegister.fetch($0) }
      #expect(register.inForce == key.id && Set(register.replaced) == Set(replaced.map(\.id)))
      #expect(try synchronizer.start(folder.file("synchronised")).key == key)
      try expect(key, replaced: replaced, store)
    } else {
      #expect { _ = try synchronizer.key() } throws: { "\($0)".contains(outcome.words) }
      #expect(try synchronizer.status().keyID == nil)
    }
    for number in 1...3 {
      let key = keys[number - 1]
      let store = try device(outcome, "given \(number)", isEarlierFormat: isEarlierFormat)
      func give() throws {
        _ = try NoteSynchronizer(store).start(folder.file("to \(number)"), key: key)
      }
      if case .damaged = outcome.file {
        #expect(throws: NoteError.self) { try give() }
      } else if number < newest {
        #expect { try give() } throws: { "\($0)".contains("is not taken again") }
        #expect(try SyncKeyFile(database: store.file).read()?.key != key || outcome.key == nil)
      } else {
        try give()
        try expect(key, replaced: replaced, store)
      }
    }
    guard case .damaged = outcome.file else {
      return try expectReplacement(outcome, isEarlierFormat)
    }
  }

  /// A new key leaves none of the old ones usable, whatever was there.
  private func expectReplacement(_ outcome: Outcome, _ isEarlierFormat: Bool) throws {
    guard outcome.file.number > 0 else { return }
    let newest = max(outcome.database.number, outcome.file.number)
    let store = try device(outcome, "new", isEarlierFormat: isEarlierFormat)
    let new = try NoteSynchronizer(store).replaceKey().key
    #expect(!keys.contains(new))
    try expect(new, replaced: keys[..<newest], store)
  }

  @Test("a key that was left is told from a replaced one, in the file too")
  func left() throws {
    let store = try folder.store("one", TestSurroundings(seed: 5, machine: "a"))
    let synchronizer = NoteSynchronizer(store)
    let file = SyncKeyFile(database: store.file)
    _ = try synchronizer.start(folder.file("a"), key: keys[0])
    let before = try store.read { try KeyRegister.fetch($0) }
    _ = try synchronizer.start(folder.file("b"), key: keys[1])
    #expect(try file.read()?.left == [keys[0].id] && file.read()?.retired == [])
    // The database is restored: its key was left, not replaced, so the user says which one is right.
    try store.write { database in
      try database.execute(sql: "DELETE FROM syncKey")
      try KeyRegister.change(database) { $0 = before }
    }
    #expect { _ = try synchronizer.key() } throws: { "\($0)".contains("never given") }
    #expect(try synchronizer.start(folder.file("a"), key: keys[0]).key == keys[0])
    #expect(try synchronizer.start(folder.file("b"), key: keys[1]).key == keys[1])
    // A new key replaces the one in force, and leaves the other as it is.
    let new = try synchronizer.replaceKey().key
    #expect(try file.read()?.left == [keys[0].id] && file.read()?.retired == [keys[1].id])
    #expect(try synchronizer.start(folder.file("a"), key: keys[0]).key == keys[0])
    #expect(try synchronizer.start(folder.file("b"), key: new).key == new)
  }

  @Test("a file that lacks what the database knows is completed")
  func completed() throws {
    let store = try folder.store("one", TestSurroundings(seed: 5, machine: "a"))
    let synchronizer = NoteSynchronizer(store)
    _ = try synchronizer.start(folder.file("a"), key: keys[0])
    let new = try synchronizer.replaceKey().key
    let file = SyncKeyFile(database: store.file)
    try file.write(new, retired: [])
    _ = try synchronizer.synchronize()
    #expect(try file.read()?.retired == [keys[0].id])
  }
}
