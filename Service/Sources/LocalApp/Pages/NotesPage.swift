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
      return finish(visit, "note_was_deleted", note)
    }
    routes.post("/notes/note/:id/settle", in: .notes) { visit in
      let note = try store.settle(visit.part("id"))
      return finish(visit, "note_was_settled", note)
    }
    routes.post("/notes/note/:id/wake", in: .notes) { visit in
      let note = try store.snooze(id: visit.part("id"), minutes: 0)
      return finish(visit, "note_was_woken", note)
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
    let texts = visit.texts
    let summary =
      words.isEmpty
      ? texts.counted("notes_summary", found.count)
      : texts.counted("notes_found", found.count, total, words)
    let content = Template.notes(
      site.values([
        "words": words, "isSearch": !words.isEmpty, "isEmpty": total == 0,
        "isNothingFound": total > 0 && found.isEmpty, "summary": summary.shown,
        "notes": found[pages.range].map { NoteWords.values($0, now: now, texts) },
        "paging": pages.values("\(site.base)/notes", ["q": words], texts),
      ]),
      in: texts.language
    )
    return site.page(in: .notes, for: visit, content: content)
  }

  // MARK: Adding and changing

  private func create(_ visit: Visit) throws -> Response {
    let form = NoteForm(visit.form)
    do {
      let note = try store.add(form.draft())
      return finish(visit, "note_was_added", note)
    } catch let error as NoteError where error.code != .database {
      return editor(visit, form, note: nil, error: Fault(error, for: visit))
    } catch let error as WrongMinutes {
      return editor(visit, form, note: nil, error: Fault(error, visit.texts))
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
      return finish(visit, "note_was_changed", changed)
    } catch let error as NoteError where error.code == .address || error.code == .value {
      return editor(visit, form, note: note, error: Fault(error, for: visit))
    } catch let error as WrongMinutes {
      return editor(visit, form, note: note, error: Fault(error, visit.texts))
    }
  }

  private func editor(
    _ visit: Visit,
    _ form: NoteForm,
    note: Note?,
    error: Fault? = nil
  ) -> Response {
    let texts = visit.texts
    let title = texts(note == nil ? "note_new_title" : "note_change_title")
    var values: [String: Any] = [
      "heading": title, "isNew": note == nil, "address": form.address, "text": form.text,
      "emoji": form.emoji, "snooze": form.snooze,
      "kinds": NoteTarget.Kind.allCases.map { kind in
        [
          "value": kind.rawValue, "label": texts("kind_\(kind.rawValue)"),
          "help": NoteWords.help(kind, texts).shown,
          "isChosen": kind == form.kind,
        ] as [String: Any]
      },
      "action": note.map { "\(site.base)/notes/note/\($0.id)" } ?? "\(site.base)/notes/new",
    ]
    if let error {
      values["error"] =
        ["message": error.message.shown, "isAddress": error.isAddress] as [String: Any]
    }
    if let note { values["note"] = NoteWords.values(note, now: Date(), texts) }
    return site.page(
      title,
      in: .notes,
      for: visit,
      status: error == nil ? .ok : .unprocessableContent,
      content: Template.noteEditor(site.values(values), in: texts.language)
    )
  }

  private func askToDelete(_ visit: Visit) throws -> Response {
    let note = try store.note(id: visit.part("id"))
    let texts = visit.texts
    let values = site.values(["note": NoteWords.values(note, now: Date(), texts)])
    return site.page(
      texts("note_delete_title"),
      in: .notes,
      for: visit,
      content: Template.noteDeletion(values, in: texts.language)
    )
  }

  /// What is wrong with a note's form.
  private struct Fault {
    var message: Phrase
    var isAddress: Bool

    init(_ error: NoteError, for visit: Visit) {
      message = PageError.message(error, for: visit)
      isAddress = error.code == .address
    }

    init(_ error: WrongMinutes, _ texts: Texts) {
      let minutes = NoteText.snoozeMinutes
      message = texts("note_minutes_wrong", error.text, minutes.lowerBound, minutes.upperBound)
      isAddress = false
    }
  }

  /// Redirects to the list, after synchronising, and says what was done to a note.
  private func finish(_ visit: Visit, _ key: String, _ note: Note) -> Response {
    finish(visit, visit.texts(key, NoteWords.target(note.target)))
  }

  /// Redirects to the list, after synchronising.
  private func finish(_ visit: Visit, _ sentence: Phrase) -> Response {
    let texts = visit.texts
    func failed(_ key: String, _ reason: Phrase) -> Response {
      site.done(texts.sentences([sentence, texts(key, reason)]), isWarning: true, to: "/notes")
    }
    do {
      let synchronizer = NoteSynchronizer(store)
      if try synchronizer.status().folder != nil {
        let problems = try synchronizer.synchronize().problems
        if let first = problems.first { return failed("notes_sync_problem", .english(first)) }
      }
    } catch {
      return failed("notes_sync_failed", PageError.message(error, for: visit))
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
      throw PageError(.unprocessableContent, visit.texts("notes_no_file"))
    }
    let archive: NoteArchive
    do {
      archive = try NoteArchive(data: Data(file.bytes))
    } catch {
      throw PageError(
        PageError.status(error),
        visit.texts("notes_not_imported", file.name, PageError.message(error, for: visit))
      )
    }
    guard !archive.notes.isEmpty else {
      throw PageError(.unprocessableContent, visit.texts("notes_file_empty", file.name))
    }
    let report = try store.importNotes(archive)
    return finish(
      visit,
      visit.texts("notes_imported", file.name, report.added, report.changed, report.unchanged)
    )
  }
}

/// What was typed in place of a number of minutes.
struct WrongMinutes: Error {
  var text: String
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
  ///
  /// - Throws: `NoteError`, or ``WrongMinutes``.
  func draft() throws -> NoteDraft {
    let target = try NoteTarget(kind, address: address.trimmingCharacters(in: .whitespaces))
    guard let minutes = Int(snooze.trimmingCharacters(in: .whitespaces)) else {
      throw WrongMinutes(text: snooze)
    }
    return try NoteDraft(target: target, text: text, emoji: emoji, snoozeMinutes: minutes)
  }
}

/// Describes notes in words.
enum NoteWords {
  static func help(_ kind: NoteTarget.Kind, _ texts: Texts) -> Phrase {
    let key = "kind_\(kind.rawValue)_help"
    return switch kind {
    case .site: texts(key, Phrase.code("example.com"))
    case .host: texts(key, Phrase.code("www.example.com"))
    case .path: texts(key, Phrase.code("example.com/news"))
    case .page: texts(key)
    }
  }

  static func target(_ target: NoteTarget) -> String {
    switch target.kind {
    case .site, .host, .page: target.address
    case .path: "\(target.address)/…"
    }
  }

  static func values(_ note: Note, now: Date, _ texts: Texts) -> [String: Any] {
    let counts = note.counts
    var values: [String: Any] = [
      "id": note.id, "emoji": note.emoji, "hasEmoji": !note.emoji.isEmpty,
      "target": target(note.target), "scope": texts("scope_\(note.target.kind.rawValue)"),
      "text": note.text, "shown": texts.number(counts.shown), "left": texts.number(counts.left),
      "viewed": texts.number(counts.viewed),
      "shownTimes": texts.counted("note_times", counts.shown),
      "leftTimes": texts.counted("note_times", counts.left),
      "viewedTimes": texts.counted("note_times", counts.viewed),
      "minutes": note.snoozeMinutes, "changed": texts.time(note.changed, now: now),
      "created": texts.time(note.created, now: now), "others": note.otherTexts,
      "hasOthers": !note.otherTexts.isEmpty,
    ]
    if let end = note.snoozedUntil, note.isSnoozed(at: now) { values["until"] = texts.time(end) }
    return values
  }
}
