import Foundation
import Testing

@testable import PageNotes

@Suite("The index of notes that browsers have")
struct NoteIndexTests {
  @Test("It has for each target the note that counts, and counts nothing")
  func counting() throws {
    let test = TestSurroundings()
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store("n", test)
    let url = "https://www.example.com/a?b"
    for (text, kind) in [("old", "site"), ("new", "site"), ("page", "page")] {
      _ = try store.asked(["request": "add", "url": url, "text": text, "kind": kind])
      test.pass(seconds: 1)
    }
    _ = try store.asked(["request": "snooze", "url": url])
    let answer = try store.asked(["request": "index", "version": 1])
    #expect(answer["type"] as? String == "index" && answer["next"] is NSNull)
    let notes = try #require(answer["notes"] as? [[String: Any]])
    #expect(
      notes.map { "\($0["kind"] ?? "") \($0["address"] ?? "") \($0["displayText"] ?? "")" }
        == ["page www.example.com/a?b page", "site example.com new"]
    )
    #expect(notes[0]["snoozedUntil"] is Int && notes[1]["snoozedUntil"] == nil)
    #expect(try store.notes().allSatisfy { $0.counts.shown == 0 })
  }

  @Test("What is too long for one message comes in parts")
  func parts() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let text = String(repeating: "\\", count: NoteText.textLimit)
    for number in 0..<7 {
      _ = try store.asked(["request": "add", "url": "https://\(number).example/", "text": text])
    }
    var addresses: [String] = []
    var offset: Int? = 0
    var parts = 0
    while let start = offset {
      let answer = try store.asked(["request": "index", "offset": start])
      addresses += (answer["notes"] as? [[String: Any]] ?? []).compactMap {
        $0["address"] as? String
      }
      offset = answer["next"] as? Int
      parts += 1
    }
    #expect(addresses == (0..<7).map { "\($0).example" } && parts > 1)
  }

  @Test("A watch tells once of each change, by whichever process, and of no count")
  func watch() throws {
    let folder = try TestFolder()
    let test = TestSurroundings()
    let store = try folder.store("n", test)
    let other = try folder.store("n", test)
    let watch = NoteWatch(store)
    let url = "https://example.com/"
    let index = Data(#"{"request": "index"}"#.utf8)
    _ = try store.asked(["request": "add", "url": url, "text": "x"])
    // Nobody has asked yet.
    #expect(!watch.hasChanged())
    watch.willAnswer(index)
    #expect(!watch.hasChanged())
    _ = try other.asked(["request": "check", "url": url])
    _ = try store.asked(["request": "leave", "url": url])
    #expect(!watch.hasChanged())
    for (writer, request): (NoteStore, [String: Any]) in [
      (store, ["request": "update", "url": url, "text": "y"]),
      (other, ["request": "update", "url": url, "emoji": "🦆"]),
      (other, ["request": "snooze", "url": url]),
      (store, ["request": "delete", "url": url]),
    ] {
      _ = try writer.asked(request)
      #expect(watch.hasChanged())
      #expect(!watch.hasChanged())
      watch.willAnswer(index)
      #expect(!watch.hasChanged())
    }
    watch.willAnswer(Data(#"{"request": "index", "offset": 3}"#.utf8))
    watch.willAnswer(Data("nonsense".utf8))
    #expect(!watch.hasChanged())
  }

  @Test("Ending the snoozing views nothing")
  func awake() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let url = "https://example.com/"
    _ = try store.asked(["request": "add", "url": url, "text": "x"])
    _ = try store.asked(["request": "snooze", "url": url])
    _ = try store.asked(["request": "snooze", "url": url, "snoozeMinutes": 0])
    let note = try #require(try store.notes().first)
    #expect(note.snoozedUntil == nil && note.counts.viewed == 1)
  }
}
