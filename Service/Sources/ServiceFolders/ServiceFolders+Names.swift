internal import DurableFiles

/// What the service makes in its folders; nothing else there is its own.
extension ServiceFolders {
  /// Names in the folders that hold files or folders of the service's.
  private static let names: Set = [
    // Extensions.
    "Containers", "Extensions", "GroupOwners.json", "Groups", "Host.json", "Lists", "Logs",
    "Extensions.filled", "SignedGroups", "States", "States.filled", "UnownedGroups", "host.lock",
    "use.lock",
    // Lists, links, galleries, browsers.
    "Subscriptions", "Subscriptions.filled", "browser", "gallery", "gallery.filled", "keys",
    "link-rules", "links-address", "links.lock",
    // This package's own record, and room.
    ".reserve", "setup.json", "setup.json.lock",
    // What can be made again, and what lives as long as a process.
    "chromium-rules", "extension-builds", "host.sock", "open.html", "run",
  ]
  /// Beginnings of names: databases with what SQLite and the service put beside them, and folders that
  /// processes have of their own.
  private static let beginnings = [
    "notes.sqlite", "links.sqlite", "tickbird-reader-", DurableFile.draftPrefix,
  ]
  private static let noteFiles: Set = ["notes.key", "notes.sync.lock", "notes.reading.lock"]

  /// Whether the service makes files or folders of a name in its folders.
  public static func isOwn(_ name: String) -> Bool {
    if names.contains(name) || noteFiles.contains(name) { return true }
    return beginnings.contains { beginning in
      guard name.hasPrefix(beginning) else { return false }
      // Not a copy that somebody has made beside a database.
      return !beginning.hasSuffix(".sqlite")
        || ["", "-wal", "-shm", "-journal", ".lock", ".made"].contains(
          name.dropFirst(beginning.count)
        )
    }
  }
}
