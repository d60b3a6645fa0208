internal import ArgumentParser
internal import CodedErrors
internal import CommandArguments
internal import DurableFiles
internal import Foundation
internal import PageNotes
internal import TextOutput

extension Notes {
  /// `notes export`.
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Writes all notes as JSON or Markdown; “notes import” reads both."
    )
    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
      case json, markdown
    }

    @Argument(help: "The file to write; by default standard output.") var file: String?
    @Option(help: "The format, json or markdown; by default as the file's name ends, else json.")
    var format: Format?

    func run() throws {
      let archive = try NoteAccess.open(synchronizing: true).archive()
      let isMarkdown = file.map { $0.hasSuffix(".md") || $0.hasSuffix(".markdown") } ?? false
      let data =
        switch format ?? (isMarkdown ? .markdown : .json) {
        case .json: try archive.json() + Data("\n".utf8)
        case .markdown: Data(archive.markdown().utf8)
        }
      guard let file, file != "-" else { return StandardOutput.write(bytes: Array(data)) }
      try DurableFile.export(file, data)
      let count = archive.notes.count
      StandardOutput.line("Wrote \(count) \(count == 1 ? "note" : "notes") to \(file).")
    }
  }

  /// `notes import`.
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Imports notes from a file that “notes export” wrote, or one of the same format.",
      discussion: """
        A note that you have already is changed only if the file's is newer. If the file has an \
        error, nothing is imported.
        """
    )
    @Argument(help: "The file; - is standard input.") var file: String
    @OptionGroup var format: FormatOption

    func run() throws {
      // One byte over the limit, so that the archive reports a file that is too long.
      let data = Data(try GivenFile.read(file, limit: NoteArchive.sizeLimit + 1))
      let archive: NoteArchive
      do {
        archive = try NoteArchive(data: data)
      } catch {
        throw NoteError(error.code, "\(file): \(error.sentence) Nothing was imported")
      }
      guard !archive.notes.isEmpty else {
        throw NoteError(.archive, "\(file) has no notes; “notes export” shows the form")
      }
      let store = try NoteAccess.open()
      let report = try store.importNotes(archive)
      if format.isJSON {
        StandardOutput.line(
          """
          {"added":\(report.added),"changed":\(report.changed),"unchanged":\(report.unchanged)}
          """
        )
      } else {
        StandardOutput.line(
          "\(report.added) added, \(report.changed) changed, \(report.unchanged) there already."
        )
      }
      NoteAccess.synchronize(store)
    }
  }

  /// `notes sync`.
  struct Sync: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sync",
      abstract: "Synchronises the notes of several devices through a folder.",
      discussion: """
        The folder is one that Syncthing, Nextcloud or the like copies between the devices. Turn \
        synchronisation on for each device; from then on, listing and changing notes synchronises \
        them. What is in the folder is encrypted with a key that only your devices have.
        """,
      subcommands: [On.self, Off.self, Now.self, Status.self],
      defaultSubcommand: Status.self
    )

    /// `notes sync on`.
    struct On: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Turns synchronisation on."
      )
      @Argument(help: "The folder that is copied between the devices.") var folder: String
      @Option(
        defaultAsFlag: NotesKey.asked,
        help: """
          The key of your other devices, which the first one showed. Without a value it is read \
          from standard input, which keeps it out of process lists.
          """
      )
      var key: String?
      @Flag(
        help: """
          Import once what older versions wrote into the folder without a key, which anybody with \
          access to the folder could have written.
          """
      )
      var acceptUnsigned = false

      func run() throws {
        let store = try NoteAccess.open()
        let url = try GivenPath.folder(folder).absoluteURL
        let start = try NoteSynchronizer(store).start(
          url,
          key: key.map { try NotesKey.read($0) },
          acceptingUnsigned: acceptUnsigned
        )
        StandardOutput.line("Synchronisation is on, through \(path: url.path).")
        if start.isNewKey {
          StandardOutput.line(
            """
            This device made the key with which everything in the folder is sealed.
            \(NotesKey.instructions(start.key))
            """
          )
        }
        if start.unsignedFiles > 0 {
          StandardOutput.line(Self.unsigned(start.unsignedFiles, acceptUnsigned))
        }
        Sync.say(start.report)
      }

      private static func unsigned(_ count: Int, _ isAccepted: Bool) -> OutputText {
        let advice: OutputText = """
          A device with this version writes all its notes again by itself; for what was on no \
          other device, --accept-unsigned takes them in once.

          """
        return """
          In the folder are \(count) files of an earlier version (tickbird-notes-….jsonl), which \
          anybody who could write there may have changed; they were \(asIs: isAccepted ? "" : "not ")read.
          \(isAccepted ? "" : advice)\
          They are not sealed: delete them when all your devices have this version.
          """
      }
    }

    /// `notes sync off`.
    struct Off: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Turns synchronisation off; notes and folder stay as they are."
      )

      func run() throws {
        try NoteSynchronizer(NoteAccess.open()).stop()
        StandardOutput.line("Synchronisation is off.")
      }
    }

    /// `notes sync now`.
    struct Now: ParsableCommand {
      static let configuration = CommandConfiguration(commandName: "now", abstract: "Synchronises.")

      func run() throws {
        let synchronizer = NoteSynchronizer(try NoteAccess.open())
        Sync.say(try synchronizer.synchronize(readingAtMost: .max, filesAtMost: .max))
      }
    }

    /// `notes sync status`.
    struct Status: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the state of synchronisation."
      )
      @OptionGroup var format: FormatOption

      func run() throws {
        let status = try NoteSynchronizer(NoteAccess.open()).status()
        if format.isJSON { return try Sync.printJSON(status) }
        guard let folder = status.folder else {
          StandardOutput.line(
            """
            Synchronisation is off. “tickbird notes sync on FOLDER” turns it on, with a folder \
            that Syncthing, Nextcloud or the like copies between your devices.
            """
          )
          return
        }
        StandardOutput.line("Synchronisation is on, through \(path: folder.path).")
        StandardOutput.line(
          "This device is \(status.device), its key \(status.keyID ?? (status.isKeyUnusable ? "unusable" : "missing"))."
        )
        StandardOutput.line("Last done: \(status.last.map { NoteOutput.time($0) } ?? "never").")
        if status.unpublished > 0 {
          StandardOutput.line("\(status.unpublished) notes are yet to be written.")
        }
        if status.unsettled > 0 {
          StandardOutput.line(
            "\(status.unsettled) notes have texts of several devices: “tickbird notes list”."
          )
        }
        for problem in status.problems { StandardOutput.line("problem: \(problem)") }
      }
    }

    static func say(_ report: SyncReport) {
      StandardOutput.line(
        "Notes changed here: \(report.notesChanged). Written: \(report.linesWritten)."
      )
      for problem in report.problems { NoteAccess.warn(problem) }
    }

    private struct StatusObject: Encodable {
      let folder: String?
      let device: String
      let key: String?
      let last: Date?
      let unpublished: Int
      let unsettled: Int
      let problems: [String]
    }

    private static func printJSON(_ status: SyncStatus) throws {
      try HostOutput.write(
        json: StatusObject(
          folder: status.folder?.path,
          device: status.device,
          key: status.keyID,
          last: status.last,
          unpublished: status.unpublished,
          unsettled: status.unsettled,
          problems: status.problems
        )
      )
    }
  }
}
