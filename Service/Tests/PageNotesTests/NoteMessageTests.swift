import Foundation
import TestSupport
import Testing

@testable import PageNotes

@Suite("What browsers ask and are answered")
struct NoteMessageTests {
  @Test("The original messages work as they are")
  func original() throws {
    let folder = try TestFolder()
    let test = TestSurroundings()
    let store = try folder.store("n", test)
    let url = "https://www.takeaway.example/order?id=1"
    var answer = try store.asked(["request": "check", "url": url])
    #expect(answer as NSDictionary == ["type": "ignore"])

    answer = try store.asked(
      ["request": "add", "url": url, "text": "Half a duck?\nReally?", "emoji": "🦆", "tab": 3]
    )
    #expect(answer as NSDictionary == ["type": "reload"])
    answer = try store.asked(["request": "check", "url": url])
    #expect(answer["type"] as? String == "message")
    #expect(answer["text"] as? String == "Half a duck?\nReally?")
    #expect(answer["displayText"] as? String == "Half a duck?\nReally?")
    #expect(answer["emoji"] as? String == "🦆")
    #expect(answer["isSnoozed"] as? Bool == false)
    let id = try #require(answer["id"] as? String)

    #expect(
      try store.asked(["request": "update", "id": id, "text": "No."]) as NSDictionary
        == ["type": "reload"]
    )
    #expect(try store.asked(["request": "snooze", "id": id]) as NSDictionary == ["type": "reload"])
    // Another page of the site.
    answer = try store.asked(["request": "check", "url": "https://takeaway.example/menu"])
    #expect(answer["isSnoozed"] as? Bool == true)
    #expect(answer["text"] as? String == "No.")
    test.pass(seconds: 15 * 60)
    answer = try store.asked(["request": "check", "url": url])
    #expect(answer["isSnoozed"] as? Bool == false)
    let counts = try #require(answer["counts"] as? [String: Int])
    #expect(counts == ["shown": 2, "left": 0, "viewed": 1])

    #expect(try store.asked(["request": "delete", "id": id]) as NSDictionary == ["type": "reload"])
    #expect(try store.asked(["request": "check", "url": url])["type"] as? String == "ignore")
  }

  @Test("A note is meant by its page where no id is given")
  func byPage() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let url = "https://example.com/a"
    _ = try store.asked(["request": "add", "url": url, "text": "x", "kind": "page"])
    #expect(
      try store.asked(["request": "leave", "url": url, "version": 1])["type"] as? String == "done"
    )
    #expect(
      try store.asked(["request": "snooze", "url": url, "snoozeMinutes": 5])["type"] as? String
        == "reload"
    )
    let answer = try store.asked(["request": "counts", "url": url])
    #expect(answer["counts"] as? [String: Int] == ["shown": 0, "left": 1, "viewed": 1])
    let elsewhere = try store.asked(["request": "delete", "url": "https://example.com/b"])
    #expect(elsewhere["code"] as? String == "unknown-note")
  }

  @Test("The pop-up gets all notes of a page and what a new one can be attached to, uncounted")
  func page() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let url = "https://www.example.com/a/b?c"
    _ = try store.asked(["request": "add", "url": url, "text": "site"])
    _ = try store.asked(["request": "add", "url": url, "text": "page", "kind": "page"])
    let answer = try store.asked(["request": "page", "url": url])
    #expect((answer["note"] as? [String: Any])?["text"] as? String == "page")
    #expect(
      (answer["notes"] as? [[String: Any]])?.compactMap { $0["text"] as? String } == [
        "page", "site",
      ]
    )
    #expect(
      answer["choices"] as? [[String: String]] == [
        ["kind": "site", "address": "example.com"],
        ["kind": "host", "address": "www.example.com"],
        ["kind": "path", "address": "www.example.com/a/b"],
        ["kind": "page", "address": "www.example.com/a/b?c"],
      ]
    )
    let none = try store.asked(["request": "page", "url": "https://other.example/"])
    #expect(none["note"] is NSNull)
    #expect(try store.notes().allSatisfy { $0.counts == NoteCounts() })
  }

  @Test("A list comes in parts, each below a browser's limit, that together are all notes")
  func list() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let worst = String(repeating: "\"", count: NoteText.textLimit)
    for number in 0..<9 {
      _ = try store.asked(["request": "add", "url": "https://e\(number).example", "text": worst])
    }
    for number in 0..<120 {
      _ = try store.asked(["request": "add", "url": "https://f\(number).example", "text": "x"])
    }
    var offset: Int? = 0
    var ids: Set<String> = []
    var parts = 0
    while let from = offset {
      let answer = try store.asked(["request": "list", "offset": from, "limit": 1000])
      #expect(answer["total"] as? Int == 129)
      for note in try #require(answer["notes"] as? [[String: Any]]) {
        #expect(ids.insert(try #require(note["id"] as? String)).inserted)
      }
      offset = answer["next"] as? Int
      parts += 1
    }
    #expect(ids.count == 129)
    #expect(parts > 1)
    let beyond = try store.asked(["request": "list", "offset": Int.max])
    #expect((beyond["notes"] as? [[String: Any]])?.isEmpty == true)
  }

  @Test("The longest notes of a page have room in an answer, with what other devices wrote")
  func longPage() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let url = "https://www.example.com/a/b?c"
    let worst = String(repeating: "\"", count: NoteText.textLimit)
    for kind in ["site", "host", "path", "page"] {
      _ = try store.asked(["request": "add", "url": url, "text": worst, "kind": kind])
    }
    let answer = try store.asked(["request": "page", "url": url])
    #expect((answer["note"] as? [String: Any])?["kind"] as? String == "page")
    #expect(try #require(answer["notes"] as? [Any]).count >= 1)
    var note = try #require(store.notes().first)
    note.otherTexts = [worst, worst, "short"]
    let now = Date(timeIntervalSince1970: 0)
    for answer in [
      NoteAnswer.message(note, try store.standing(of: note)),
      .page(notes: [note], choices: [note.target], now: now),
      .index([note], today: [:], focusEnd: nil, next: nil, now: now),
    ] {
      #expect(answer.json().count < 1 << 20)
    }
  }

  @Test(
    "Wrong requests are answered with what is wrong",
    arguments: [
      (#"{"request":"check"}"#, "request", "“url” is missing"),
      (#"{"request":"check","url":7}"#, "request", "“url” in the request is not a string"),
      (#"{"request":"check","url":"about:blank"}"#, "address", "http and https"),
      (#"{"request":"add","url":"https://a.b","text":" "}"#, "value", "empty"),
      (
        #"{"request":"add","url":"https://a.b","text":"x","kind":"world"}"#, "request", "site, host"
      ),
      (
        #"{"request":"add","url":"https://a.b","text":"x","snoozeMinutes":0}"#, "value", "0 minutes"
      ),
      (
        #"{"request":"add","url":"https://a.b","text":"x","snoozeMinutes":1.5}"#, "request", "whole"
      ),
      (
        #"{"request":"add","url":"https://a.b","text":"x","snoozeMinutes":true}"#, "request",
        "whole"
      ),
      (#"{"request":"update","text":"x"}"#, "request", "which note"),
      (#"{"request":"delete","id":"none"}"#, "unknown-note", "“none”"),
      (#"{"request":"dance"}"#, "request", "“dance” is no request"),
      (#"{"request":"list","version":2}"#, "version", "Version 2"),
      (#"{"request":null}"#, "request", "“request” is missing"),
      ("{}", "request", "missing"), ("[]", "request", "not a JSON object"),
      ("", "request", "not a JSON object"), (#"{"request":"check""#, "request", "not a JSON"),
      (String(repeating: "[", count: 100_000), "request", "not a JSON"),
      (String(repeating: #"{"a":"#, count: 100_000), "request", "not a JSON"),
    ]
  )
  func wrong(json: String, code: String, word: String) throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let answer = store.answer(json: Data(json.utf8))
    let object = try #require(JSONSerialization.jsonObject(with: answer) as? [String: Any])
    #expect(object["type"] as? String == "error")
    #expect(object["code"] as? String == code)
    #expect((object["message"] as? String)?.contains(word) == true, "\(object)")
  }

  @Test("Random bytes and damaged requests are answered with an error, or rightly")
  func damaged() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    var random = RandomSource(seed: 3)
    let whole = Data(#"{"request":"add","url":"https://example.com/","text":"a","emoji":"🐢"}"#.utf8)
    for _ in 0..<2000 {
      var json = whole
      for _ in 0...random.number(below: 3) {
        json[random.number(below: json.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.chance(30) { json = json.prefix(random.number(below: json.count)) }
      let answer = store.answer(json: json)
      let object = try #require(JSONSerialization.jsonObject(with: answer) as? [String: Any])
      #expect(["error", "reload"].contains(object["type"] as? String))
    }
  }
}
