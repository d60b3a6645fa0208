internal import CLibrary

/// Replaces folders as a whole.
public enum DurableFolder {
  /// Replaces a folder, once everything in the new one is on the disk.
  ///
  /// - Parameters:
  ///   - path: The folder to replace, which need not exist.
  ///   - new: The new folder, beside it. Afterwards the old one has its name, for the caller to
  ///     remove.
  /// - Throws: ``FileFailure``.
  public static func replace(_ path: String, with new: String) throws(FileFailure) {
    try synchronizeTree(new)
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return try DurableFile.rename(new, to: path) }
    let folder = DurableFile.split(path).folder
    // A power failure in between leaves the old folder under a draft's name.
    let aside = (folder == "/" ? "" : folder) + "/" + DurableFile.draftName()
    try DurableFile.rename(path, to: aside)
    do throws(FileFailure) {
      try DurableFile.rename(new, to: path)
    } catch {
      try? DurableFile.rename(aside, to: path)
      throw error
    }
    try DurableFile.rename(aside, to: new)
  }

  /// Flushes all files and folders in a folder to the disk.
  ///
  /// Links and devices need no flush.
  public static func synchronizeTree(_ path: String) throws(FileFailure) {
    var folders = [path]
    while let folder = folders.popLast() {
      let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileFailure(folder, "opened", errno) }
      defer { close(descriptor) }
      for name in try names(descriptor, folder) {
        guard let name else { throw FileFailure(folder, "read", EILSEQ) }
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
          throw FileFailure(folder + "/" + name, "read", errno)
        }
        if status.st_mode & S_IFMT == S_IFDIR { folders.append(folder + "/" + name) }
        guard status.st_mode & S_IFMT == S_IFREG else { continue }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = unsafe openat(descriptor, name, flags)
        guard file >= 0 else { throw FileFailure(folder + "/" + name, "opened", errno) }
        defer { close(file) }
        try waitForDisk(file, path: folder + "/" + name)
      }
      try synchronizeFolder(descriptor, path: folder)
    }
  }

  /// Returns the names in a folder, unordered, without those that are not UTF-8.
  ///
  /// Foundation's list ends silently at a disk error.
  ///
  /// - Throws: ``FileFailure`` unless all of them can be read.
  public static func names(in path: String) throws(FileFailure) -> [String] {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw FileFailure(opening: path, errno, action: "read") }
    defer { close(folder) }
    return try names(folder, path).compactMap(\.self)
  }

  /// Returns the names in a folder; `nil` for one that is not UTF-8.
  private static func names(_ folder: Int32, _ path: String) throws(FileFailure) -> [String?] {
    let copy = unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = unsafe fdopendir(copy) else {
      let number = errno
      if copy >= 0 { close(copy) }
      throw FileFailure(path, "read", number)
    }
    defer { unsafe closedir(stream) }
    var names: [String?] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeMutablePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(validatingCString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw FileFailure(path, "read", errno) }
    return names
  }
}
