internal import ArgumentParser
internal import Foundation
internal import PageNotes
internal import TextOutput

/// `notes key`: the key that seals synchronised notes.
struct NotesKey: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Shows or replaces the key that synchronised notes are encrypted with.",
    subcommands: [Show.self, New.self]
  )

  /// `notes key show`.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Shows the key, for another device of yours. Whoever has it can read your notes."
    )

    func run() throws {
      StandardOutput.line(NotesKey.instructions(try NoteSynchronizer(NoteAccess.open()).key()))
    }
  }

  /// `notes key new`.
  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new",
      abstract: "Makes a new key, when a device is lost or somebody has seen the old one.",
      discussion: """
        First reads what your devices wrote with the old key. Then this device encrypts everything \
        with the new key, and ignores whatever arrives with the old one. Give the new key to each \
        of your other devices. What was copied from the folder before can still be read with the \
        old key.
        """
    )

    func run() throws {
      let start = try NoteSynchronizer(NoteAccess.open()).replaceKey()
      StandardOutput.line("This device has a new key; the old one no longer opens what it writes.")
      StandardOutput.line(NotesKey.instructions(start.key))
      Notes.Sync.say(start.report)
    }
  }

  /// The argument that means "ask for the key".
  static let asked = "-"

  /// Returns what to do on other devices.
  static func instructions(_ key: SyncKey) -> OutputText {
    """
    On each of your other devices run, with the folder as it is named there:
      tickbird notes sync on FOLDER --key \(key.text)
    With --key and nothing behind it, the command asks for the key, so that no list of processes \
    shows it. Keep the key to yourself.
    """
  }

  /// Returns the given key, or asks for it.
  static func read(_ argument: String) throws -> SyncKey {
    guard argument == asked else { return try SyncKey(argument) }
    StandardError.write("Key: ")
    let data = try FileHandle.standardInput.readLine(atMost: 1000)
    return try SyncKey(String(decoding: data, as: UTF8.self))
  }
}

extension FileHandle {
  /// Reads bytes up to the end of a line.
  fileprivate func readLine(atMost limit: Int) throws -> Data {
    var line = Data()
    while line.count < limit, let byte = try read(upToCount: 1)?.first, byte != 0x0A {
      line.append(byte)
    }
    return line
  }
}
