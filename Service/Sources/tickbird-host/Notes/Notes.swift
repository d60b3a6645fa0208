internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import PageNotes
internal import ServiceFolders
internal import TextOutput

/// `tickbird-host notes`: notes on pages, from the command line.
struct Notes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes",
    abstract: CommandAbstract.notes,
    discussion: """
      A note is attached to a site, a path or one page; the browser shows it in place of the page \
      until “View Website” is chosen. Notes are named by their id or its first letters.

      For example:
        tickbird notes add example.com "Is it urgent?"

      \(TickbirdHost.exitStatusHelp)
      """,
    subcommands: [
      List.self, Search.self, Show.self, Add.self, Edit.self, Delete.self, Snooze.self,
      NotesFocus.self,
      Export.self, Import.self, Sync.self, NotesKey.self,
    ],
    defaultSubcommand: List.self
  )

  /// `notes list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Lists all notes."
    )
    @OptionGroup var output: NoteOutput

    func run() throws {
      let store = try NoteAccess.open(synchronizing: true)
      try output.show(store.notes()) {
        """
        There are no notes yet. Add one from the toolbar of the browser, or here:
          tickbird notes add example.com "Is it urgent?"
        """
      }
    }
  }

  /// `notes search`.
  struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "search",
      abstract: "Lists the notes that have all words in their text, emoji or address."
    )
    @Argument(help: "What to search for; the case of letters and accents do not matter.")
    var words: [String]
    @OptionGroup var output: NoteOutput

    func run() throws {
      let store = try NoteAccess.open(synchronizing: true)
      let search = words.joined(separator: " ")
      try output.show(store.notes(matching: search)) {
        "No note has “\(search)”. “tickbird notes list” shows all of them."
      }
    }
  }

  /// `notes show`.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Shows a note in full."
    )
    @Argument(help: "The note's id or its first letters.") var id: String
    @OptionGroup var output: NoteOutput

    func run() throws {
      let note = try NoteAccess.open().note(idPrefix: id)
      if output.format.isJSON { return try output.show([note]) { "" } }
      StandardOutput.line(NoteOutput.full(note))
    }
  }

  /// `notes add`.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Adds a note.",
      discussion: """
        The note is for the site with all its subdomains if the address is only a host, else for \
        that page; --site, --host, --path and --page say otherwise.
        """
    )
    @Argument(help: "The address of a site or page.") var address: String
    @Argument(help: "The note's text; - is standard input.") var text: String
    @Flag(help: "What the note is attached to.") var kind: TargetFlag?
    @Option(help: "The note's emoji.") var emoji = NoteText.defaultEmoji
    @Option(help: "For how many minutes “View Website” shows the page.")
    var snooze = NoteText.defaultSnoozeMinutes
    @OptionGroup var planning: PlanOptions
    @OptionGroup var output: NoteOutput

    func run() throws {
      let target = try NoteAccess.target(address, kind)
      let draft = try NoteDraft(
        target: target,
        text: NoteAccess.text(text),
        emoji: emoji,
        snoozeMinutes: snooze,
        plan: planning.plan(changing: .always)
      )
      let store = try NoteAccess.open()
      let others = try store.notes(attachedTo: target)
      let note = try store.add(draft)
      try output.say("Added", note)
      if let other = others.first, !output.format.isJSON {
        StandardOutput.line(
          """
          Another note, \(NoteOutput.short(other)), is attached to the same; this one is shown, as \
          the newer of the two.
          """
        )
      }
      NoteAccess.synchronize(store)
    }
  }

  /// `notes edit`.
  struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Changes a note.",
      discussion: """
        If another device changed the text at the same time, both texts are kept. --settle keeps \
        only the text that is shown, or the one that you give.
        """
    )
    @Argument(help: "The note's id or its first letters.") var id: String
    @Option(help: "The note's text; - is standard input.") var text: String?
    @Option(help: "The new emoji.") var emoji: String?
    @Option(help: "For how many minutes “View Website” shows the page.") var snooze: Int?
    @Option(help: "The new address of a site or page.") var address: String?
    @OptionGroup var planning: PlanOptions
    @Flag(help: "Show the note at all times, without limit or delay.") var always = false
    @Flag(help: "What the note is attached to, with --address.") var kind: TargetFlag?
    @Flag(help: "Drop the texts that other devices wrote at the same time.") var settle = false
    @OptionGroup var output: NoteOutput

    func validate() throws {
      guard kind == nil || address != nil else {
        throw ValidationError("--\(kind?.rawValue ?? "") needs --address.")
      }
      guard
        text != nil || emoji != nil || snooze != nil || address != nil || settle || always
          || !planning.isEmpty
      else {
        throw ValidationError(
          """
          Say what is to change: --text, --emoji, --snooze, --shown, --free-minutes, --free-visits, \
          --delay, --always, --address or --settle.
          """
        )
      }
    }

    func run() throws {
      let store = try NoteAccess.open()
      var note = try store.note(idPrefix: id)
      let change = try NoteChange(
        target: address.map { try NoteAccess.target($0, kind) },
        text: text.map { try NoteAccess.text($0) },
        emoji: emoji,
        snoozeMinutes: snooze,
        plan: planning.plan(changing: always ? .always : note.plan)
      )
      note = try store.change(id: note.id, change)
      if settle { note = try store.settle(note.id) }
      try output.say("Changed", note)
      NoteAccess.synchronize(store)
    }
  }

  /// `notes delete`.
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Deletes notes."
    )
    @Argument(help: "The notes' ids or their first letters.") var ids: [String]
    @OptionGroup var output: NoteOutput

    func run() throws {
      let store = try NoteAccess.open()
      // All are found before the first is deleted.
      let notes = try ids.map { try store.note(idPrefix: $0) }
      var deleted: Set<String> = []
      for note in notes where deleted.insert(note.id).inserted { try store.delete(id: note.id) }
      if output.format.isJSON {
        try output.show(notes) { "" }
      } else {
        for note in notes { try output.say("Deleted", note) }
      }
      NoteAccess.synchronize(store)
    }
  }

  /// `notes snooze`.
  struct Snooze: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "snooze",
      abstract: "Shows the pages behind a note for a while, as “View Website” does."
    )
    @Argument(help: "The note's id or its first letters.") var id: String
    @Option(help: "For how many minutes; by default the note's own number.") var minutes: Int?
    @Flag(help: "Show the note again from now on.") var off = false
    @OptionGroup var output: NoteOutput

    func run() throws {
      let store = try NoteAccess.open()
      let found = try store.note(idPrefix: id)
      let note = try store.snooze(id: found.id, minutes: off ? 0 : minutes)
      try output.say(off ? "Shown again:" : "Snoozed", note)
    }
  }
}

/// The kind of a note's target, as a flag.
enum TargetFlag: String, EnumerableFlag {
  case site, host, path, page

  static func help(for value: TargetFlag) -> ArgumentHelp? {
    switch value {
    case .site: "The host and all hosts below it."
    case .host: "The host alone."
    case .path: "The path and what is below it."
    case .page: "That page alone."
    }
  }
}

/// The access of `notes` subcommands to the store.
enum NoteAccess {
  /// Opens the user's notes, optionally after synchronising.
  static func open(synchronizing: Bool = false) throws -> NoteStore {
    let store = try NoteStore(folders: ServiceFolders())
    if synchronizing { synchronize(store) }
    return store
  }

  /// Synchronises if that is turned on.
  ///
  /// - Returns: The problems, which do not prevent working with the notes.
  static func problemsOfSynchronizing(_ store: NoteStore) -> [String] {
    do {
      let synchronizer = NoteSynchronizer(store)
      guard try synchronizer.status().folder != nil else { return [] }
      return try synchronizer.synchronize().problems
    } catch {
      return ["not synchronised: \(error)"]
    }
  }

  /// Synchronises if that is turned on, and warns about problems.
  static func synchronize(_ store: NoteStore) { problemsOfSynchronizing(store).forEach(warn) }

  static func warn(_ text: String) {
    StandardError.line("warning: \(text)")
  }

  static func target(_ address: String, _ flag: TargetFlag?) throws -> NoteTarget {
    let page = try PageAddress(address)
    let isHost = page.path == "/" && page.suffix.isEmpty
    let kind = flag.flatMap { NoteTarget.Kind(rawValue: $0.rawValue) } ?? (isHost ? .site : .page)
    return try NoteTarget(kind, of: page)
  }

  /// Returns the argument, or the text of standard input.
  static func text(_ argument: String) throws -> String {
    guard argument == "-" else { return argument }
    let limit = 2 * NoteText.textLimit
    let data = try FileHandle.standardInput.read(upToCount: limit) ?? Data()
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw ValidationError("Standard input is not UTF-8.")
    }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
