import Foundation
import GRDB
import TestSupport
import Testing

@testable import PageNotes

@Suite("When notes are shown, and what is free before")
struct NotePlanTests {
  private static let address = "https://news.example/"
  private static func zone(_ name: String) throws -> Calendar {
    var calendar = Calendar(identifier: .buddhist)
    calendar.timeZone = try #require(TimeZone(identifier: name))
    return calendar
  }

  @Test(
    "A time holds on its days, in the device's time zone, and past midnight",
    arguments: [
      // 2026-11-23 is a Monday.
      ("2026-11-23T08:59:00Z", [1, 2, 3, 4, 5], 540, 1020, false),
      ("2026-11-23T09:00:00Z", [1, 2, 3, 4, 5], 540, 1020, true),
      ("2026-11-23T16:59:59Z", [1, 2, 3, 4, 5], 540, 1020, true),
      ("2026-11-23T17:00:00Z", [1, 2, 3, 4, 5], 540, 1020, false),
      ("2026-11-28T12:00:00Z", [1, 2, 3, 4, 5], 540, 1020, false),
      ("2026-11-29T12:00:00Z", [7], 0, 1440, true),
      ("2026-11-29T23:30:00Z", [7], 1320, 360, true),
      ("2026-11-30T05:59:00Z", [7], 1320, 360, true),
      ("2026-11-30T06:00:00Z", [7], 1320, 360, false),
      ("2026-11-29T05:59:00Z", [7], 1320, 360, false),
    ]
  )
  func times(_ text: String, _ days: [Int], _ from: Int, _ to: Int, _ isShown: Bool) throws {
    let plan = try NotePlan(times: [.init(days: days, from: from, to: to)])
    let time = try Date(text, strategy: .iso8601)
    #expect(plan.covers(time, calendar: try Self.zone("GMT")) == isShown)
    // The same on the clocks of a place that is 14 hours ahead.
    let there = time.addingTimeInterval(-14 * 3600)
    #expect(plan.covers(there, calendar: try Self.zone("Pacific/Kiritimati")) == isShown)
  }

  @Test("A plan is the same after JSON, and a wrong one says what is wrong")
  func json() throws {
    let plan = try NotePlan(
      times: [.init(days: [7, 1, 1], from: 0, to: 1440)],
      limit: .minutes(30),
      delay: .init(seconds: 5, growth: 10)
    )
    #expect(
      plan.json == #"{"delay":{"growth":10,"seconds":5},"limit":{"minutes":30},"#
        + #""times":[{"days":[1,7],"from":0,"to":1440}]}"#
    )
    #expect(try NotePlan(json: plan.json) == plan)
    #expect(try NotePlan(json: "{}") == .always)
    #expect(try NotePlan(json: #"{"times":null,"new":1,"delay":{"seconds":0}}"#) == .always)
    for (text, words) in [
      (#"{"times":[{"days":[],"from":0,"to":1}]}"#, "days"),
      (#"{"times":[{"days":[8],"from":0,"to":1}]}"#, "days"),
      (#"{"times":[{"days":[1],"from":60,"to":60}]}"#, "minutes after midnight"),
      (#"{"times":[{"days":[1],"from":-1,"to":60}]}"#, "minutes after midnight"),
      (#"{"limit":{}}"#, "either"), (#"{"limit":{"minutes":1,"visits":1}}"#, "either"),
      (#"{"limit":{"visits":0}}"#, "limit"), (#"{"delay":{"seconds":601}}"#, "delay"),
      (#"{"times":7}"#, "is not a plan"), ("", "is not a plan"),
      (
        #"{"times":["#
          + Array(repeating: #"{"days":[1],"from":0,"to":9}"#, count: 29)
          .joined(separator: ",") + "]}", "at most 28"
      ),
    ] {
      let error = #expect(throws: NoteError.self) { try NotePlan(json: text) }
      #expect(error?.message.contains(words) == true, "\(text): \(error?.message ?? "")")
    }
  }

  @Test("Visits and minutes are free until they are used up, and again on the next day")
  func limits() throws {
    let test = TestSurroundings()
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store("n", test)
    _ = try store.asked([
      "request": "add", "url": Self.address, "text": "Enough?",
      "plan": ["limit": ["visits": 2]],
    ])
    func check() throws -> [String: Any] {
      try store.asked(["request": "check", "url": Self.address])
    }
    func isFree() throws -> Bool { try #require(check()["isSnoozed"] as? Bool) }
    #expect(try isFree())
    let id = try #require(check()["id"] as? String)
    let used = try store.asked(["request": "use", "id": id, "visits": 1, "seconds": 20])
    #expect(used["type"] as? String == "done")
    #expect((used["today"] as? [String: Int])?["seconds"] == 20)
    #expect(try isFree())
    _ = try store.asked(["request": "use", "id": id, "visits": 1])
    // The last visit lasts.
    #expect(try isFree())
    test.pass(seconds: 15 * 60)
    #expect(try !isFree())
    #expect(try store.note(id: id).counts == NoteCounts(shown: 1))
    test.pass(seconds: 86_400)
    #expect(try isFree())
    _ = try store.asked([
      "request": "update", "id": id, "plan": ["limit": ["minutes": 1]],
    ])
    _ = try store.asked(["request": "use", "id": id, "seconds": 59])
    #expect(try isFree())
    _ = try store.asked(["request": "use", "id": id, "seconds": 1])
    #expect(try !isFree())
    _ = try store.asked(["request": "update", "id": id, "plan": [String: Any]()])
    #expect(try store.note(id: id).plan == .always)
    #expect(try !isFree())
    #expect(
      try store.asked(["request": "use", "id": "none"])["code"] as? String == "unknown-note"
    )
  }

  @Test("The wait grows with each view of a day, and the last days are told")
  func delays() throws {
    let test = TestSurroundings()
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store("n", test)
    _ = try store.asked([
      "request": "add", "url": Self.address, "text": "Enough?", "snoozeMinutes": 1,
      "plan": ["delay": ["seconds": 5, "growth": 10]],
    ])
    func check() throws -> [String: Any] {
      try store.asked(["request": "check", "url": Self.address])
    }
    var answer = try check()
    let id = try #require(answer["id"] as? String)
    #expect(answer["wait"] as? Int == 5)
    for _ in 0..<2 {
      _ = try store.asked(["request": "snooze", "id": id])
      test.pass(seconds: 61)
    }
    _ = try store.asked(["request": "leave", "id": id])
    answer = try check()
    #expect(answer["wait"] as? Int == 25)
    test.pass(seconds: 86_400)
    answer = try check()
    #expect(answer["wait"] as? Int == 5)
    let days = try #require(answer["days"] as? [[String: Int]])
    #expect(days.count == 14)
    #expect(days[12] == ["visits": 0, "seconds": 0, "shown": 2, "left": 1, "viewed": 2])
    #expect(days[13]["shown"] == 1)
    // What is long ago is forgotten.
    test.pass(seconds: 86_400 * 61)
    _ = try check()
    let kept = try store.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM noteDay")
    }
    #expect(kept == 1)
    try store.delete(id: id)
    #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM noteDay") } == 0)
  }

  @Test("In a focus session every note is shown, and none can be passed")
  func focus() throws {
    let test = TestSurroundings()
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store("n", test)
    _ = try store.asked([
      "request": "add", "url": Self.address, "text": "Later", "plan": ["limit": ["visits": 9]],
    ])
    func check() throws -> [String: Any] {
      try store.asked(["request": "check", "url": Self.address])
    }
    let id = try #require(check()["id"] as? String)
    #expect(try check()["isSnoozed"] as? Bool == true)
    let watch = NoteWatch(store)
    watch.willAnswer(Data(#"{"request":"index"}"#.utf8))
    #expect(!watch.hasChanged())
    _ = try store.asked(["request": "focus", "minutes": 25])
    #expect(watch.hasChanged())
    #expect(try check()["isSnoozed"] as? Bool == false)
    #expect(try check()["focusUntil"] as? Int == 1_700_001_500_000)
    #expect(try store.asked(["request": "index"])["focusUntil"] as? Int == 1_700_001_500_000)
    let refused = try store.asked(["request": "snooze", "id": id])
    #expect(refused["code"] as? String == "focus")
    #expect((refused["message"] as? String)?.contains("25 more minutes") == true)
    test.pass(seconds: 25 * 60)
    #expect(try check()["isSnoozed"] as? Bool == true)
    _ = try store.asked(["request": "focus", "minutes": 25])
    _ = try store.asked(["request": "focus", "minutes": 0])
    #expect(try check()["isSnoozed"] as? Bool == true)
    for minutes in [-1, 1441] {
      let answer = try store.asked(["request": "focus", "minutes": minutes])
      #expect(answer["code"] as? String == "value")
    }
    // A session that a clock far ahead began does not last for years.
    _ = try store.asked(["request": "focus", "minutes": 25])
    test.pass(seconds: -86_400 * 400)
    #expect(try store.focusEnd() == nil)
  }

  @Test("Plans are exchanged as files and between devices, and the later one holds")
  func exchange() throws {
    let plan = try NotePlan(
      times: [.init(days: [1, 2], from: 60, to: 30)],
      limit: .visits(3),
      delay: .init(seconds: 1, growth: 2)
    )
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let target = try NoteTarget(.site, address: "a.example")
    try store.add(NoteDraft(target: target, text: "t", plan: plan))
    let archive = try store.archive()
    #expect(try NoteArchive(data: archive.json()) == archive)
    #expect(try NoteArchive(data: Data(archive.markdown().utf8)) == archive)
    let otherFolder = try TestFolder()
    defer { withExtendedLifetime(otherFolder) {} }
    let other = try otherFolder.store()
    _ = try other.importNotes(archive)
    #expect(try other.notes().map(\.plan) == [plan])
    let pair = try SyncPair()
    let note = try pair.one.add(NoteDraft(target: target, text: "t", plan: plan))
    try pair.exchange()
    #expect(try pair.two.note(id: note.id).plan == plan)
    try pair.two.change(id: note.id, NoteChange(plan: .always))
    try pair.exchange()
    #expect(try pair.one.note(id: note.id).plan == .always)
  }
}
