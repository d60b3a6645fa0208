import Foundation
import PageNotes
import PageTexts
import Testing

@testable import LocalApp

/// The page of notes.
struct NotesPageTests {
  private static let news = [
    "address": "https://news.example/today", "kind": "site", "text": "Is it urgent?\nReally?",
    "emoji": "🗞️", "snooze": "20",
  ]

  @Test("a note is added, found, changed and deleted by forms")
  func life() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      #expect(try await visitor.get("/notes").body.contains("No notes yet"))
      let added = try await visitor.submit("/notes/new", Self.news)
      #expect(added.status == 200)
      #expect(added.body.said.contains("The note on news.example was added."))
      #expect(added.body.contains("Is it urgent?\nReally?") && added.body.contains("🗞️"))
      let note = try #require(try app.notes.notes().first)
      #expect(note.target == (try NoteTarget(.site, address: "news.example")))
      #expect(note.snoozeMinutes == 20)
      try app.notes.count(.shown, id: note.id)
      try app.notes.count(.left, id: note.id)
      let found = try await visitor.get("/notes?q=URGENT+news").body
      #expect(found.said.contains("1 note of 1 with “URGENT news”"))
      #expect(found.contains("shown 1 · left 1 · viewed 0"))
      #expect(try await visitor.get("/notes?q=nothing").body.contains("No note has all of these"))

      let editor = try await visitor.get("/notes/note/\(note.id)").body
      #expect(editor.contains("Is it urgent?\nReally?</textarea>"))
      #expect(editor.contains("value=\"site\" checked"))
      var change = Self.news
      change["text"] = "Later."
      change["kind"] = "page"
      let changed = try await visitor.submit("/notes/note/\(note.id)", change)
      #expect(changed.body.said.contains("The note on news.example/today was changed."))
      #expect(try app.notes.note(id: note.id).text == "Later.")

      #expect(try await visitor.get("/notes/note/\(note.id)/delete").body.contains("Later."))
      let deleted = try await visitor.submit("/notes/note/\(note.id)/delete")
      #expect(deleted.body.contains("was deleted"))
      #expect(try app.notes.count() == 0)
      let gone = try await visitor.get("/notes/note/\(note.id)")
      #expect(gone.status == 404 && gone.body.contains("There is no note"))
    }
  }

  @Test(
    "a form with a fault comes back with what was typed, and says what is wrong",
    arguments: [
      ("address", "ftp://x.example", "Notes are for pages of http and https"),
      ("text", "  ", "The text is empty"), ("snooze", "soon", "is not a number of minutes"),
      ("snooze", "0", "cannot be snoozed for 0 minutes"),
      ("emoji", String(repeating: "🗞️", count: 40), "Use one emoji"),
    ]
  )
  func faults(field: String, value: String, message: String) async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      var form = Self.news
      form[field] = value
      let answer = try await visitor.post("/notes/new", form)
      #expect(answer.status == 422)
      #expect(answer.body.contains(message) && answer.body.contains("role=\"alert\""))
      for (name, typed) in form where name != "kind" {
        #expect(answer.body.contains(Template.escaped(typed)), "\(name)")
      }
      #expect(answer.body.contains("aria-invalid=\"true\" aria-describedby=\"fault\""))
      #expect(try app.notes.count() == 0)
    }
  }

  @Test("what was written on two devices is shown, and settled by a button")
  func settling() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let file = """
        {"format": "tickbird-notes", "version": 1, "notes": [{"kind": "site",
        "address": "a.example", "text": "first", "otherTexts": ["second"]}]}
        """
      _ = try app.notes.importNotes(NoteArchive(data: Data(file.utf8)))
      let note = try #require(try app.notes.notes().first)
      try #require(note.otherTexts == ["second"])
      #expect(try await visitor.get("/notes").body.contains("Also written, on another device"))
      let settled = try await visitor.submit("/notes/note/\(note.id)/settle")
      #expect(!settled.body.contains("Also written"))
      #expect(try app.notes.note(id: note.id).otherTexts == [])
      _ = try app.notes.snooze(id: note.id)
      #expect(try await visitor.get("/notes").body.contains("snoozed until"))
      let woken = try await visitor.submit("/notes/note/\(note.id)/wake")
      #expect(!woken.body.contains("snoozed until"))
    }
  }

  @Test("notes are exported as JSON and Markdown, and both are imported again")
  func exchange() async throws {
    var files: [String: Answer] = [:]
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      _ = try await visitor.submit("/notes/new", Self.news)
      for format in ["json", "markdown"] {
        files[format] = try await visitor.get("/notes/export?format=\(format)")
      }
    }
    #expect(files["json"]?.headers["content-disposition"] == "attachment; filename=\"notes.json\"")
    for (format, file) in files {
      try await ServedApp.run { app in
        let visitor = try await app.visitor()
        let bytes = Array(file.body.utf8)
        let answer = try await visitor.upload("/notes/import", file: "notes.\(format)", bytes)
        #expect(answer.body.said.contains("notes.\(format): 1 added, 0 changed, 0 there already."))
        #expect(try app.notes.notes().first?.text == "Is it urgent?\nReally?")
        let again = try await visitor.upload("/notes/import", file: "n", bytes)
        #expect(again.body.contains("0 added, 0 changed, 1 there already"))
        let broken = try await visitor.upload("/notes/import", file: "broken.json", Array("{".utf8))
        #expect(broken.status == 422 && broken.body.contains("broken.json"))
        #expect(broken.body.contains("Nothing was imported"))
        let none = try await visitor.upload("/notes/import", file: "", [])
        #expect(none.status == 422 && none.body.contains("No file was chosen"))
        #expect(try app.notes.count() == 1)
      }
    }
  }

  @Test("a note's text, emoji and address never become markup, in no place of no page")
  func markup() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      // A combining mark makes one character of itself and what stands before it.
      let text = "</textarea><script>alert(1)</script>\"\u{301}onmouseover=x '\u{301} {{base}} &lt;"
      let note = try app.notes.add(
        NoteDraft(
          target: NoteTarget(.page, address: "a.example/?q='\"><img src=x>"),
          text: text,
          emoji: "\"><b>"
        )
      )
      for path in [
        "/notes", "/notes?q=script", "/notes/note/\(note.id)", "/notes/note/\(note.id)/delete",
        "/notes?q=%22%CC%81%3E%3Cscript%3E", "/notes/new?address=%22%CC%81%3E%3Cscript%3E",
      ] {
        let body = try await visitor.get(path).body
        #expect(body.contains("&lt;script&gt;"), "\(path)")
        #expect(!body.contains("<script>") && !body.contains("<img src=x") && !body.contains("<b>"))
        #expect(!body.hasOpenQuotation, "\(path)")
      }
      let shown = try await visitor.get("/notes").body
      #expect(shown.contains("{{base}} &amp;lt;"))
    }
  }
}

extension String {
  /// Whether a quotation mark that a combining mark follows stands in the text as it is.
  ///
  /// Bytes are looked at, since as characters the two are another one.
  var hasOpenQuotation: Bool {
    ["\"\u{301}", "'\u{301}"].contains { Data(utf8).range(of: Data($0.utf8)) != nil }
  }
}
