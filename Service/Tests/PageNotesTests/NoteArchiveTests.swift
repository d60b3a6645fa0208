import Foundation
import TestSupport
import Testing

@testable import PageNotes

@Suite("Exported and imported notes")
struct NoteArchiveTests {
  private func nasty(_ random: inout RandomSource, _ count: Int) throws -> NoteArchive {
    let folder = try TestFolder()
    let store = try folder.store("n", TestSurroundings(seed: random.next()))
    let addresses = ["example.com/a_b*c", "[::1]:8080/x", "example.com/?a=[b]&c=~", "a.test/#/<x>"]
    var archive = NoteArchive(archived: [])
    while archive.notes.count < count {
      let text = NastyText.make(&random)
      guard
        let draft = try? NoteDraft(
          target: NoteTarget(
            random.pick(NoteTarget.Kind.allCases),
            address: random.pick(addresses)
          ),
          text: text,
          emoji: String(NastyText.make(&random).prefix(3)),
          snoozeMinutes: 1 + random.number(below: 500_000),
          plan: TestPlan.make(&random)
        )
      else { continue }
      var note = try ArchivedNote(store.add(draft))
      note.created = Date(milliseconds: 1_700_000_000_000 + Int64(random.number(below: 9999)))
      note.counts = NoteCounts(shown: random.number(below: 9), left: 2, viewed: 1)
      if random.chance(20), let other = try? NoteText.checked(NastyText.make(&random)) {
        note.otherTexts = [other, "second"]
      }
      archive.notes.append(note)
    }
    return archive
  }

  private func expectSame(_ one: NoteArchive, _ other: NoteArchive) {
    #expect(one.notes.count == other.notes.count)
    for (one, other) in zip(one.notes, other.notes) {
      #expect(one == other)
      #expect(one.draft.text.bytes == other.draft.text.bytes)
      #expect(one.draft.emoji.bytes == other.draft.emoji.bytes)
      #expect(one.otherTexts.map(\.bytes) == other.otherTexts.map(\.bytes))
    }
  }

  @Test("Any notes come back from Markdown and from JSON as they were", arguments: 0..<150)
  func roundTrip(seed: Int) throws {
    var random = RandomSource(seed: UInt64(seed))
    let archive = try nasty(&random, 6)
    expectSame(try NoteArchive(data: Data(archive.markdown().utf8)), archive)
    expectSame(try NoteArchive(data: archive.json()), archive)
    // Line ends of other systems do not matter.
    let windows = archive.markdown().unicodeScalars.split(
      separator: "\n",
      omittingEmptySubsequences: false
    ).map { String($0) }.joined(separator: "\r\n")
    expectSame(try NoteArchive(data: Data(windows.utf8)), archive)
  }

  @Test(
    "No character of a text is markup in Markdown",
    arguments: [
      ("# not a heading", "\\# not a heading"),
      ("- no list", "\\- no list"),
      ("1. no list", "1\\. no list"),
      ("2026. 1. x", "2026\\. 1. x"),
      ("a-b", "a-b"),
      ("<b>", "\\<b\\>"),
      ("[x](y)", "\\[x\\](y)"),
      ("https://a.b", "https\\://a.b"),
      ("www.a.b", "www\\.a.b"),
      ("    code", "&#32;   code"),
      ("hard break  ", "hard break &#32;"),
      ("&amp;", "\\&amp;"),
      ("a@b.c", "a\\@b.c"),
    ]
  )
  func escapes(line: String, expected: String) {
    #expect(MarkdownNotes.escaped(line) == expected)
    #expect(MarkdownNotes.unescaped(expected[...]) == line)
  }

  @Test("A file that a person wrote by hand is read")
  func byHand() throws {
    let text = """
      # My notes

      Some words.

      ## Anything

      - site: www.example.com

      > Think first.
      > Then read.
      """
    let archive = try NoteArchive(data: Data(text.utf8))
    #expect(archive.notes.map(\.draft.text) == ["Think first.\nThen read."])
    #expect(archive.notes.map(\.draft.target.address) == ["example.com"])
    #expect(archive.notes[0].id == nil)
  }

  @Test("An import merges by id, keeps what is newer, and is the same when repeated")
  func merge() throws {
    let folder = try TestFolder()
    let test = TestSurroundings()
    let store = try folder.store("n", test)
    var random = RandomSource(seed: 5)
    let archive = try nasty(&random, 20)
    #expect(try store.importNotes(archive) == ImportReport(added: 20))
    expectSame(
      try store.archive(),
      NoteArchive(
        archived: archive.notes.sorted {
          ($0.created ?? .now, $0.id ?? "") < ($1.created ?? .now, $1.id ?? "")
        }
      )
    )
    #expect(try store.importNotes(archive) == ImportReport(unchanged: 20))

    let id = try #require(archive.notes[0].id)
    var older = archive
    older.notes = [archive.notes[0]]
    older.notes[0].draft.text = "older"
    older.notes[0].changed = archive.notes[0].changed?.addingTimeInterval(-1)
    #expect(try store.importNotes(older) == ImportReport(unchanged: 1))
    older.notes[0].changed = archive.notes[0].changed?.addingTimeInterval(1)
    #expect(try store.importNotes(older) == ImportReport(changed: 1))
    #expect(try store.note(id: id).text == "older")
    try store.delete(id: id)
    #expect(try store.importNotes(older) == ImportReport(added: 1))
    #expect(try store.note(id: id).text == "older")
  }

  @Test(
    "What is wrong in a file is named with its place",
    arguments: [
      (#"{"format":"x","version":1,"notes":[]}"#, "format: “x”"),
      (#"{"format":"tickbird-notes","version":2,"notes":[]}"#, "version: 2"),
      (#"{"format":"tickbird-notes","version":1}"#, "notes: is missing"),
      (
        #"{"format":"tickbird-notes","version":1,"notes":[{"kind":"site","address":"a.b"}]}"#,
        "notes[0].text: is missing"
      ),
      (#"{"format":"tickbird-notes","version":1,"notes":[7]}"#, "notes[0]"),
      (
        #"{"format":"tickbird-notes","version":1,"notes":[{"kind":"x","address":"a.b","text":"t"}]}"#,
        "notes[0].kind: “x”"
      ),
      (
        #"{"format":"tickbird-notes","version":1,"notes":[{"kind":"site","address":"a.b","text":7}]}"#,
        "notes[0].text: is not a string"
      ),
      (
        #"{"format":"tickbird-notes","version":1,"notes":["#
          + #"{"kind":"site","address":"about:x","text":"t"}]}"#, "notes[0].address: "
      ),
      (
        #"{"format":"tickbird-notes","version":1,"notes":["#
          + #"{"kind":"site","address":"a.b","text":"t","created":"x"}]}"#, "notes[0].created: “x”"
      ),
      (
        #"{"format":"tickbird-notes","version":1,"notes":["#
          + #"{"id":"a","kind":"site","address":"a.b","text":"t"},"#
          + #"{"id":"A","kind":"site","address":"a.b","text":"t"}]}"#, "notes[1].id: “a”"
      ),
      (
        #"{"format":"tickbird-notes","version":1,"notes":["#
          + #"{"kind":"host","address":"co.uk","text":"t"},"#
          + #"{"kind":"site","address":"co.uk","text":"t"}]}"#,
        "notes[1].address: “co.uk” is not one site"
      ),
      (
        #"{"format":"tickbird-notes","version":1,"notes":["#
          + #"{"kind":"site","address":"a.b","text":"t","changed":"99999-12-31T23:59:59Z"}]}"#,
        "notes[0].changed: “99999-12-31T23:59:59Z”"
      ),
      (#"{"format":"#, "not JSON"),
      ("## a\n\n- id: x\n\n> t\n", "line 1: The note needs"),
      ("x\n\n## a\n\n- site: a.b\n", "line 3: The text is empty"),
      ("## a\n- site: com\n> t\n", "line 1: “com” is not one site"),
      ("## a\n- site: a.b\n- created: 99999-12-31T23:59:59Z\n> t\n", "line 1: “99999-"),
      ("## a\n- site: a.b\n- snooze: long\n> t\n", "line 1: “long”"),
      ("## a\n- site: a.b\n- site: a.c\n> t\n", "line 3: “site” is there twice"),
    ]
  )
  func faults(text: String, words: String) throws {
    #expect { _ = try NoteArchive(data: Data(text.utf8)) } throws: {
      ($0 as? NoteError)?.code == .archive && "\($0)".contains(words)
    }
  }

  @Test("A text that is too long is refused with its place")
  func long() throws {
    let text = String(repeating: "a", count: NoteText.textLimit + 1)
    let json = """
      {"format":"tickbird-notes","version":1,"notes":[
        {"kind":"site","address":"a.b","text":"t"},{"kind":"site","address":"a.b","text":"\(text)"}]}
      """
    #expect { _ = try NoteArchive(data: Data(json.utf8)) } throws: {
      "\($0)".contains("notes[1].text: The text has 65537 bytes")
    }
  }

  @Test("Bytes that are neither JSON nor Markdown do no harm")
  func rubbish() {
    var random = RandomSource(seed: 9)
    for _ in 0..<300 {
      let bytes = (0..<random.number(below: 300)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? NoteArchive(data: Data("## ".utf8) + Data(bytes))
      _ = try? NoteArchive(data: Data("{".utf8) + Data(bytes))
    }
    let deep = Data(("{\"a\":" + String(repeating: "[", count: 200_000)).utf8)
    #expect(throws: NoteError.self) { try NoteArchive(data: deep) }
  }
}
