import Foundation
import TestSupport
import Testing

@testable import PageNotes

@Suite("The key of synchronisation")
struct SyncKeyTests {
  @Test("A key that cannot be read is never written over")
  func unreadableKey() throws {
    let pair = try SyncPair()
    let file = SyncKeyFile(database: pair.one.file).url
    let other = pair.folder.file("other")
    for rubbish in ["", "{}", "rubbish"] {
      try Data(rubbish.utf8).write(to: file)
      #expect(throws: NoteError.self) { try NoteSynchronizer(pair.one).start(other) }
      #expect(try Data(contentsOf: file) == Data(rubbish.utf8))
    }
    try FileManager.default.removeItem(at: file)
    _ = try NoteSynchronizer(pair.one).start(other)
  }

  @Test("A key is read as it was written, and as people write it")
  func text() throws {
    for _ in 0..<200 {
      let key = SyncKey()
      let text = key.text
      #expect(text.hasPrefix("tbk1-"))
      #expect(text.count == 40)
      #expect(try SyncKey(text) == key)
      #expect(try SyncKey(text.uppercased()) == key)
      #expect(try SyncKey("  " + text.replacing("-", with: " ") + "\n") == key)
      #expect(try SyncKey(text.replacing("0", with: "O").replacing("1", with: "l")) == key)
      #expect(key.id.count == 8)
    }
    #expect(SyncKey() != SyncKey())
  }

  @Test(
    "Every letter that is wrong, missing, doubled or exchanged is noticed, and none is repeated"
  )
  func typingErrors() throws {
    var random = RandomSource(seed: 3)
    let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
    for _ in 0..<20 {
      let text = Array(SyncKey().text)
      var wrong: [[Character]] = []
      for index in text.indices where text[index] != "-" && index > 3 {
        var other = text
        other[index] = random.pick(letters.filter { $0 != text[index] })
        wrong.append(other)
        wrong.append(Array(text[..<index] + text[(index + 1)...]))
        wrong.append(Array(text[...index] + text[index...]))
        other = text
        if index + 1 < text.count, text[index + 1] != "-", text[index + 1] != text[index] {
          other.swapAt(index, index + 1)
          wrong.append(other)
        }
      }
      for other in wrong {
        let typed = String(other)
        do {
          _ = try SyncKey(typed)
          Issue.record("\(typed) was taken for \(String(text))")
        } catch {
          #expect(error.code == .key)
          #expect(!error.message.contains(typed.dropFirst(5)))
        }
      }
    }
    for text in ["", "tbk1", "tbk2-00000", "tbk1-" + String(repeating: "é", count: 30), "-"] {
      #expect(throws: NoteError.self) { try SyncKey(text) }
    }
  }

  @Test(
    "A sealed line opens with its key alone, and not with one bit changed",
    arguments: ["Is it urgent?", "Is it urgent", "Is it urgent??"]
  )
  func sealing(text: String) throws {
    let key = SyncKey()
    let line = try key.seal(Data(text.utf8)).dropLast()
    #expect(try key.open(Data(line)) == Data(text.utf8))
    #expect(!String(decoding: line, as: UTF8.self).contains("urgent"))
    #expect(throws: SyncKey.Fault.otherKey(key.id)) { try SyncKey().open(Data(line)) }
    for index in line.indices {
      for bit in 0..<8 {
        var damaged = Data(line)
        damaged[index - line.startIndex] ^= 1 << bit
        #expect(throws: SyncKey.Fault.self) { try key.open(damaged) }
      }
    }
    for count in 0..<line.count {
      #expect(throws: SyncKey.Fault.self) { try key.open(Data(line.prefix(count))) }
    }
    // Equal lines do not look equal.
    #expect(try key.seal(Data("a".utf8)) != key.seal(Data("a".utf8)))
    // The name of another key does not help.
    let other = SyncKey()
    let renamed = Data("2 \(other.id)".utf8) + line.dropFirst(10)
    #expect(throws: SyncKey.Fault.damaged) { try other.open(renamed) }
  }

  @Test("The key lies beside the database, for its owner alone, and is never written elsewhere")
  func file() throws {
    let pair = try SyncPair()
    try pair.one.add(SyncPair.draft("a"))
    try pair.exchange()
    for store in [pair.one, pair.two] {
      let file = SyncKeyFile(database: store.file)
      let mode = try FileManager.default.attributesOfItem(atPath: file.url.path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      #expect(try file.read()?.key == pair.key)
    }
    let manager = FileManager.default
    let secret = Data(pair.key.text.dropFirst(5).replacing("-", with: "").utf8)
    for name in try manager.contentsOfDirectory(atPath: pair.folder.url.path)
    where !name.hasSuffix(".key") {
      let url = pair.folder.file(name)
      let files =
        name == "shared"
        ? try manager.contentsOfDirectory(atPath: url.path).map { url.appending(path: $0) } : [url]
      for file in files {
        let data = try Data(contentsOf: file)
        #expect(data.range(of: secret) == nil)
        #expect(data.range(of: Data(pair.key.text.utf8)) == nil)
      }
    }
    // A folder that holds the key is refused.
    #expect { _ = try NoteSynchronizer(pair.one).start(pair.folder.url) } throws: {
      ($0 as? NoteError)?.code == .folder && "\($0)".contains("key")
    }
    #expect(throws: NoteError.self) {
      _ = try NoteSynchronizer(pair.one).start(pair.folder.url.deletingLastPathComponent())
    }
  }
}
