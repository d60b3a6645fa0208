internal import CodedErrors
internal import Foundation
internal import Hummingbird
internal import PageNotes
internal import PageTexts

/// The pages about notes: listing, searching, editing, confirming texts, export and import.
struct NotesPage: Sendable {
  let site: Site
  let store: NoteStore
  private static let notesPerPage = 50

  func add(to routes: Routes) {
    routes.get("/notes", in: .notes, list)
    routes.get("/notes/new", in: .notes) { visit in
      editor(visit, NoteForm(address: visit.query["address"]), note: nil)
    }
    routes.post("/notes/new", in: .notes, create)
    routes.get("/notes/export", in: .notes, export)
    routes.post("/notes/import", in: .notes, limit: NoteArchive.sizeLimit + 4096, takeIn)
    routes.get("/notes/note/:id", in: .notes) { visit in
      let note = try store.note(id: visit.part("id"))
      return editor(visit, NoteForm(note), note: note)
    }
    routes.post("/notes/note/:id", in: .notes, change)
    routes.get("/notes/note/:id/delete", in: .notes, askToDelete)
    routes.post("/notes/note/:id/delete", in: .notes) { visit in
      let note = try store.delete(id: visit.part("id"))
      return finish("The note on \(NoteWords.target(note.target)) was deleted.")
    }
    routes.post("/notes/note/:id/settle", in: .notes) { visit in
      let note = try store.settle(visit.part("id"))
      return finish("The text that is shown is the note on \(NoteWords.target(note.target)) now.")
    }
    routes.post("/notes/note/:id/wake", in: .notes) { visit in
      let note = try store.snooze(id: visit.part("id"), minutes: 0)
      return finish("The note on \(NoteWords.target(note.target)) is shown again.")
    }
  }

  // MARK: The list

  private func list(_ visit: Visit) throws -> Response {
    let words = visit.query["q"].trimmingCharacters(in: .whitespacesAndNewlines)
    let found = try store.notes(matching: words)
    let pages = Paging(
      count: found.count,
      perPage: Self.notesPerPage,
      page: visit.query.number("page")
    )
    let now = Date()
    let total = words.isEmpty ? found.count : try store.count()
    let summary =
      words.isEmpty
      ? Words.count(found.count, "note") + ", those that were changed last first"
      : "\(Words.count(found.count, "note")) of \(total) with “\(words)”"
    let content = Template.notes(
      site.values([
        "words": words, "isSearch": !words.isEmpty, "isEmpty": total == 0,
        "isNothingFound": total > 0 && found.isEmpty, "summary": summary,
        "notes": found[pages.range].map { NoteWords.values($0, now: now) },
        "paging": pages.values("\(site.base)/notes", ["q": words]),
      ])
    )
    return site.page("", in: .notes, for: visit, content: content)
  }

  // MARK: Adding and changing

  private func create(_ visit: Visit) throws -> Response {
    let form = NoteForm(visit.form)
    do {
      let note = try store.add(form.draft())
      return finish("The note on \(NoteWords.target(note.target)) was added.")
    } catch let error as NoteError where error.code != .database {
      return editor(visit, form, note: nil, error: error)
    }
  }

  private func change(_ visit: Visit) throws -> Response {
    let note = try store.note(id: visit.part("id"))
    let form = NoteForm(visit.form)
    do {
      let draft = try form.draft()
      let change = try NoteChange(
        target: draft.target,
        text: draft.text,
        emoji: draft.emoji,
        snoozeMinutes: draft.snoozeMinutes
      )
      let changed = try store.change(id: note.id, change)
      return finish("The note on \(NoteWords.target(changed.target)) was changed.")
    } catch let error as NoteError where error.code == .address || error.code == .value {
      return editor(visit, form, note: note, error: error)
    }
  }

  private func editor(
    _ visit: Visit,
    _ form: NoteForm,
    note: Note?,
    error: NoteError? = nil
  ) -> Response {
    let title = note == nil ? "Add a note" : "Change a note"
    var values: [String: Any] = [
      "heading": title, "isNew": note == nil, "address": form.address, "text": form.text,
      "emoji": form.emoji, "snooze": form.snooze,
      "kinds": NoteTarget.Kind.allCases.map { kind in
        [
          "value": kind.rawValue, "label": NoteWords.kind(kind), "help": NoteWords.help(kind),
          "isChosen": kind == form.kind,
        ] as [String: Any]
      },
      "action": note.map { "\(site.base)/notes/note/\($0.id)" } ?? "\(site.base)/notes/new",
    ]
    if let error {
      values["error"] =
        [
          "message": error.sentence, "isAddress": error.code == .address,
        ] as [String: Any]
    }
    if let note { values["note"] = NoteWords.values(note, now: Date()) }
    return site.page(
      title,
      in: .notes,
      for: visit,
      status: error == nil ? .ok : .unprocessableContent,
      content: Template.noteEditor(site.values(values))
    )
  }

  private func askToDelete(_ visit: Visit) throws -> Response {
    let note = try store.note(id: visit.part("id"))
    let values = site.values(["note": NoteWords.values(note, now: Date())])
    return site.page(
      "Delete a note",
      in: .notes,
      for: visit,
      content: Template.noteDeletion(values)
    )
  }

  /// Redirects to the list, after synchronising.
  private func finish(_ sentence: String) -> Response {
    var sentence = sentence
    do {
      let synchronizer = NoteSynchronizer(store)
      if try synchronizer.status().folder != nil {
        let problems = try synchronizer.synchronize().problems
        if let first = problems.first {
          sentence += " Synchronisation: \(first)"
          return site.done(sentence, isWarning: true, to: "/notes")
        }
      }
    } catch {
      return site.done(
        "\(sentence) It was not synchronised: \(PageError.message(error))",
        isWarning: true,
        to: "/notes"
      )
    }
    return site.done(sentence, to: "/notes")
  }

  // MARK: Files

  private func export(_ visit: Visit) throws -> Response {
    let archive = try store.archive()
    if visit.query["format"] == "markdown" {
      return site.download(
        Data(archive.markdown().utf8),
        name: "notes.md",
        type: "text/markdown; charset=utf-8"
      )
    }
    return site.download(try archive.json(), name: "notes.json", type: "application/json")
  }

  private func takeIn(_ visit: Visit) throws -> Response {
    guard let file = visit.form.files["file"], !file.bytes.isEmpty else {
      throw PageError(.unprocessableContent, "No file was chosen. Choose one that was exported.")
    }
    let archive: NoteArchive
    do {
      archive = try NoteArchive(data: Data(file.bytes))
    } catch {
      throw NoteError(error.code, "\(file.name): \(error.sentence) Nothing was imported")
    }
    guard !archive.notes.isEmpty else {
      throw NoteError(.archive, "\(file.name) has no notes; an export shows the form")
    }
    let report = try store.importNotes(archive)
    return finish(
      "\(file.name): \(report.added) added, \(report.changed) changed, "
        + "\(report.unchanged) there already."
    )
  }
}

/// The contents of a note's form, valid or not.
struct NoteForm {
  var address = ""
  var kind = NoteTarget.Kind.site
  var text = ""
  var emoji = NoteText.defaultEmoji
  var snooze = "\(NoteText.defaultSnoozeMinutes)"

  init(address: String) { self.address = address }

  init(_ note: Note) {
    address = note.target.address
    kind = note.target.kind
    text = note.text
    emoji = note.emoji
    snooze = "\(note.snoozeMinutes)"
  }

  init(_ form: FormFields) {
    address = form["address"]
    kind = NoteTarget.Kind(rawValue: form["kind"]) ?? .site
    text = form["text"]
    emoji = form["emoji"]
    snooze = form["snooze"]
  }

  /// Returns the validated note.
  func draft() throws(NoteError) -> NoteDraft {
    let target = try NoteTarget(kind, address: address.trimmingCharacters(in: .whitespaces))
    guard let minutes = Int(snooze.trimmingCharacters(in: .whitespaces)) else {
      throw NoteError(
        .value,
        "“\(snooze)” is not a number of minutes; give one from "
          + "\(NoteText.snoozeMinutes.lowerBound) to "
          + "\(NoteText.snoozeMinutes.upperBound)"
      )
    }
    return try NoteDraft(target: target, text: text, emoji: emoji, snoozeMinutes: minutes)
  }
}

/// Describes notes in words.
enum NoteWords {
  static func kind(_ kind: NoteTarget.Kind) -> String {
    switch kind {
    case .site: "The whole site"
    case .host: "This host alone"
    case .path: "A part of the site"
    case .page: "One page"
    }
  }

  static func help(_ kind: NoteTarget.Kind) -> String {
    switch kind {
    case .site: "example.com and every host below it"
    case .host: "www.example.com, and no other"
    case .path: "example.com/news and what is below it"
    case .page: "exactly that address"
    }
  }

  static func target(_ target: NoteTarget) -> String {
    switch target.kind {
    case .site, .host, .page: target.address
    case .path: "\(target.address)/…"
    }
  }

  static func scope(_ kind: NoteTarget.Kind) -> String {
    switch kind {
    case .site: "whole site"
    case .host: "one host"
    case .path: "a part of the site"
    case .page: "one page"
    }
  }

  static func values(_ note: Note, now: Date) -> [String: Any] {
    var values: [String: Any] = [
      "id": note.id, "emoji": note.emoji, "hasEmoji": !note.emoji.isEmpty,
      "target": target(note.target), "scope": scope(note.target.kind), "text": note.text,
      "shown": note.counts.shown, "left": note.counts.left, "viewed": note.counts.viewed,
      "minutes": note.snoozeMinutes, "changed": Words.time(note.changed),
      "created": Words.time(note.created), "others": note.otherTexts,
      "hasOthers": !note.otherTexts.isEmpty,
    ]
    if let end = note.snoozedUntil, note.isSnoozed(at: now) { values["until"] = Words.time(end) }
    return values
  }
}
