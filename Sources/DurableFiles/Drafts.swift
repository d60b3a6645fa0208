internal import CLibrary

extension DurableFile {
  /// The seconds for which a draft counts as one that is being written, whoever holds it.
  ///
  /// A process has made it, and does not hold it yet.
  private static let youth = 60

  /// Whether a name is one that ``draftName()`` gives, which no person would give a file.
  public static func isDraftName(_ name: some StringProtocol) -> Bool {
    guard name.hasPrefix(draftPrefix) else { return false }
    let number = name.dropFirst(draftPrefix.count)
    let digits = "0123456789abcdef".utf8
    return number.utf8.count == 16 && number.utf8.allSatisfy(digits.contains)
  }

  /// Removes drafts that killed processes left in a folder.
  ///
  /// Only files of this user with exactly such names, which no process writes any more: a ``NewFile`` is
  /// locked as long as it is open. What cannot be looked at, or removed, stays.
  public static func removeDrafts(in folder: String) {
    guard let names = try? DurableFolder.names(in: folder) else { return }
    for name in names where isDraftName(name) {
      let path = folder + "/" + name
      let number = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard number >= 0 else { continue }
      defer { close(number) }
      var status = stat()
      guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == geteuid(), isOld(status), FileLock.lock(number)
      else { continue }
      _ = unsafe unlink(path)
    }
  }

  private static func isOld(_ status: stat) -> Bool {
    #if canImport(Darwin)
    let written = status.st_mtimespec.tv_sec
    #else
    let written = status.st_mtim.tv_sec
    #endif
    // Of a clock that was ahead nothing is left to wait for.
    return abs(time(nil) - written) >= youth
  }
}
