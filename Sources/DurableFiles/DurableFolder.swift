internal import CLibrary

/// Folders of files that appear whole.
public enum DurableFolder {
  /// Puts a folder in the place of one that may be there, when all that is in it is on the disk.
  ///
  /// - Parameters:
  ///   - path: The place.
  ///   - new: The new folder, beside it. The old one has its name afterwards, for the caller to
  ///     remove.
  /// - Throws: ``FileFailure``.
  public static func replace(_ path: String, with new: String) throws(FileFailure) {
    try synchronizeTree(new)
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return try DurableFile.rename(new, to: path) }
    let folder = DurableFile.split(path).folder
    // A loss of power between the two leaves the old folder under a name of its own.
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

  /// Waits until all files and folders in a folder are on the disk.
  ///
  /// Links and devices have nothing to wait for.
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

  /// The names in a folder, in no order; those that are not UTF-8 are left out.
  ///
  /// Foundation's list ends where the disk fails, as if there were no more.
  ///
  /// - Throws: ``FileFailure`` if not all of them can be read.
  public static func names(in path: String) throws(FileFailure) -> [String] {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw FileFailure(path, "read", errno) }
    defer { close(folder) }
    return try names(folder, path).compactMap(\.self)
  }

  /// The names in a folder; `nil` for one that is not UTF-8.
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
