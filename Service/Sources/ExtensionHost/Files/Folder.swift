internal import CLibrary
internal import DurableFiles
internal import Foundation
internal import ServiceFolders

/// An open folder, and what is done with the names in it.
///
/// Names are single components and links are not followed, so that somebody who may write to a folder cannot lead
/// the host out of it; but for those to files of the user's settings, in folders of the host's own.
struct Folder: Sendable {
  /// What a name stands for.
  enum Kind: Equatable { case file, folder, link, other }

  /// The path it was reached by, for messages.
  let path: String
  let descriptor: Descriptor

  private init(_ number: Int32, _ path: String) {
    descriptor = Descriptor(number)
    self.path = path
  }

  /// Opens a folder by its path, whose links are followed.
  init(path: String) throws(HostError) {
    let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw HostError(FileFailure(opening: path, errno)) }
    self.init(number, path)
  }

  /// Opens a folder by its path, and makes it and those above it where they are missing.
  init(making path: String) throws(HostError) {
    do throws(FileFailure) { try DurableFile.makeFolder(path) } catch { throw HostError(error) }
    try self.init(path: path)
  }

  /// The names in the folder, sorted.
  func names() throws(HostError) -> [String] {
    let copy = unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw Self.failure(path, "cannot be read") }
    guard let stream = unsafe fdopendir(copy) else {
      close(copy)
      throw Self.failure(path, "cannot be read")
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeMutablePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(validatingCString: $0)
        }
      }
      guard let name else {
        throw HostError(.file, "\(path) has a file whose name is not UTF-8")
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    // What is not in the list counts as gone, and is tidied up after.
    guard errno == 0 else { throw Self.failure(path, "cannot be read") }
    return names.sorted()
  }

  /// What a name stands for; nil for nothing.
  func kind(of name: String) throws(HostError) -> Kind? {
    var status = stat()
    guard unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw failure(name, "cannot be looked at")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
  }

  /// Opens a folder in this one.
  func folder(_ name: String) throws(HostError) -> Folder {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let number = unsafe openat(descriptor.number, name, flags)
    guard number >= 0 else { throw failure(name, "cannot be opened") }
    return Folder(number, path(of: name))
  }

  /// Makes a folder that is not there yet.
  func makeFolder(_ name: String, mode: mode_t = 0o700) throws(HostError) -> Folder {
    guard unsafe mkdirat(descriptor.number, name, mode) == 0 else {
      throw failure(name, "cannot be made")
    }
    return try folder(name)
  }

  /// Opens a folder in this one; what is missing is made, and what is no folder gives way.
  func ensureFolder(_ name: String) throws(HostError) -> Folder {
    switch try kind(of: name) {
    case .folder: return try folder(name)
    case nil: break
    default: try removeFile(name)
    }
    if unsafe mkdirat(descriptor.number, name, 0o700) != 0, errno != EEXIST {
      throw failure(name, "cannot be made")
    }
    return try folder(name)
  }

  /// Opens a file for reading, of which the caller checks that it is one.
  func openFile(_ name: String) throws(HostError) -> Descriptor {
    // Without blocking, since a pipe would wait for a writer.
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let number = unsafe openat(descriptor.number, name, flags)
    guard number >= 0 else { throw failure(name, "cannot be opened") }
    return Descriptor(number)
  }

  /// Makes a file that is not there yet, for writing.
  func makeFile(_ name: String, mode: mode_t = 0o600) throws(HostError) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = unsafe openat(descriptor.number, name, flags, mode)
    guard number >= 0 else { throw failure(name, "cannot be made") }
    return Descriptor(number)
  }

  /// Opens a file for adding to its end, and makes it where it is missing.
  func openLog(_ name: String) throws(HostError) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
    let number = unsafe openat(descriptor.number, name, flags, mode_t(0o600))
    guard number >= 0 else { throw failure(name, "cannot be opened") }
    return Descriptor(number)
  }

  /// Makes a symbolic link in the place of whatever file or link has the name.
  func makeLink(_ name: String, to target: String) throws(HostError) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let start = unsafe start else { return 0 }
      return unsafe readlinkat(descriptor.number, name, start, bytes.count)
    }
    if count > 0, buffer[..<count].elementsEqual(target.utf8) { return }
    switch try kind(of: name) {
    case nil: break
    case .folder: try removeTree(name)
    default: try removeFile(name)
    }
    guard unsafe symlinkat(target, descriptor.number, name) == 0 || errno == EEXIST else {
      throw failure(name, "cannot be linked to \(target)")
    }
  }

  /// Moves a name to another folder, over a file that is there.
  func move(_ name: String, to folder: Folder, as newName: String) throws(HostError) {
    let result = unsafe renameat(
      descriptor.number,
      name,
      folder.descriptor.number,
      newName
    )
    guard result == 0 else { throw failure(name, "cannot be moved to \(folder.path(of: newName))") }
  }

  /// Removes a file or link; one that is not there is as good as removed.
  func removeFile(_ name: String) throws(HostError) {
    guard unsafe unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
      throw failure(name, "cannot be removed")
    }
  }

  /// Lets the owner alone enter the folder, who has to be the user: root can close a folder that is another's.
  func makePrivate() throws(HostError) {
    var status = stat()
    if unsafe fstat(descriptor.number, &status) == 0, status.st_uid != geteuid() {
      let fault = ServiceFolders.UnusableFolder(URL(filePath: path), of: status.st_uid)
      throw HostError(.file, fault.description)
    }
    guard fchmod(descriptor.number, 0o700) == 0 else {
      throw Self.failure(path, "cannot be closed to others")
    }
  }

  /// Waits until the names in the folder are on the disk.
  func synchronize() throws(HostError) {
    do throws(FileFailure) { try synchronizeFolder(descriptor.number, path: path) } catch {
      throw HostError(error)
    }
  }

  /// Puts a file in the place of one that may be there, in one step that outlives a loss of power.
  func replaceFile(_ name: String, with bytes: Data) throws(FileFailure) {
    try DurableFile.replace(
      name,
      inFolder: descriptor.number,
      path: path(of: name),
      with: bytes
    )
  }

  /// Replaces a file of the user's settings, as ``replaceFile(_:with:)``, or the one that the user has linked
  /// it to.
  func replaceOwnFile(_ name: String, with bytes: Data) throws(FileFailure) {
    guard (try? kind(of: name)) == .link else { return try replaceFile(name, with: bytes) }
    try DurableFile.replaceOwnFile(path(of: name), with: bytes)
  }

  /// The path of a name in the folder.
  func path(of name: String) -> String { path + (path.hasSuffix("/") ? "" : "/") + name }

  private func failure(_ name: String, _ what: String) -> HostError {
    Self.failure(path(of: name), what)
  }

  private static func failure(_ path: String, _ what: String) -> HostError {
    let number = errno
    let remedy = FileFailure.remedy(number)
    return HostError(
      .file,
      "\(path) \(what): \(FileFailure.reason(number))" + (remedy.isEmpty ? "" : "; \(remedy)")
    )
  }
}
