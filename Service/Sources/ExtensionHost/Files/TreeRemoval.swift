internal import CLibrary
internal import Foundation

extension Folder {
  /// Removes whatever has the name, with all that is in it; nothing there is well.
  ///
  /// Who wrote what is in it may be hostile, and may still be writing: names are bytes and need not be
  /// UTF-8, folders may be closed to their owner and nested deeper than a path can say, and what was
  /// a folder a moment ago may be a link now.
  ///
  /// - Throws: ``HostError`` with code `.file`; what is left can be removed by another call.
  /// - Complexity: Linear in the number of files. Neither memory nor open files grow with their
  ///   number or with the depth.
  func removeTree(_ name: String) throws(HostError) {
    var removal = TreeRemoval(path: path(of: name))
    try removal.remove(Array(name.utf8CString), in: descriptor)
  }
}

/// The removal of one tree.
private struct TreeRemoval {
  /// How many names are read before they are removed.
  private static let batch = 1_000
  /// How often something may be other than it was a moment before.
  private static let patience = 10_000
  /// The most names; a process that makes files as fast as they are removed must not keep us.
  private static let mostNames = 20_000_000

  /// `O_PATH`, which Glibc's module leaves out.
  private static let pathOnly: Int32 = 0o10_000_000

  private let path: String
  private var changes = 0
  private var names = 0
  /// The number in the name of the last folder that was moved up.
  private var moved = 0

  init(path: String) {
    self.path = path
  }

  mutating func remove(_ name: [CChar], in parent: Descriptor) throws(HostError) {
    while true {
      if try removeFile(name, in: parent) { return }
      guard let root = try open(name, in: parent) else { continue }
      try empty(root)
      if try removeFolder(name, in: parent) { return }
    }
  }

  /// Empties a folder.
  ///
  /// Folders inside are moved up before they are emptied, so that none is ever far from the top.
  private mutating func empty(_ root: Descriptor) throws(HostError) {
    while case let names = try batch(in: root), !names.isEmpty {
      for name in names {
        if try removeFile(name, in: root) { continue }
        guard let inner = try open(name, in: root) else { continue }
        while case let children = try batch(in: inner), !children.isEmpty {
          for child in children where try !removeFile(child, in: inner) {
            // One that its owner may not write to cannot be moved.
            guard try open(child, in: inner) != nil else { continue }
            try moveUp(child, from: inner, to: root)
          }
        }
        _ = try removeFolder(name, in: root)
      }
    }
  }

  /// Removes what is not a folder.
  ///
  /// - Returns: Whether the name is free.
  private func removeFile(_ name: [CChar], in folder: Descriptor) throws(HostError) -> Bool {
    if unsafe unlinkat(folder.number, name, 0) == 0 || errno == ENOENT { return true }
    if errno == EISDIR { return false }
    let number = errno
    // What some file systems say of a folder.
    var status = stat()
    let found = unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW)
    let isFolder = number == EPERM && found == 0 && status.st_mode & S_IFMT == S_IFDIR
    guard isFolder else {
      errno = number
      throw failure(name)
    }
    return false
  }

  /// Removes an empty folder.
  ///
  /// - Returns: Whether the name is free; it is not where somebody changed it meanwhile.
  private mutating func removeFolder(
    _ name: [CChar],
    in folder: Descriptor
  ) throws(HostError) -> Bool {
    if unsafe unlinkat(folder.number, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return true }
    guard [ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { throw failure(name) }
    try noteChange(name)
    return false
  }

  /// Opens a folder for reading, and lets its owner do everything in it.
  ///
  /// - Returns: nil where it is no folder, or gone.
  private mutating func open(
    _ name: [CChar],
    in folder: Descriptor
  ) throws(HostError) -> Descriptor? {
    // Only found, which no mode forbids; all else is done to what was found and not to the name.
    let flags = Self.pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let number = unsafe openat(folder.number, name, flags)
    guard number >= 0 else {
      guard [ENOENT, ENOTDIR, ELOOP].contains(errno) else { throw failure(name) }
      try noteChange(name)
      return nil
    }
    let found = Descriptor(number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw failure(name) }
    if status.st_mode & S_IRWXU != S_IRWXU {
      // The descriptor's own entry is the one way to the mode of a folder that cannot be read.
      guard unsafe chmod("/proc/self/fd/\(number)", S_IRWXU) == 0 else { throw failure(name) }
    }
    let readable = unsafe openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard readable >= 0 else { throw failure(name) }
    withExtendedLifetime(found) {}
    return Descriptor(readable)
  }

  private mutating func moveUp(
    _ name: [CChar],
    from folder: Descriptor,
    to root: Descriptor
  ) throws(HostError) {
    while true {
      moved += 1
      let place = ".moved-\(moved)"
      if unsafe renameat(folder.number, name, root.number, place) == 0 || errno == ENOENT { return }
      guard [EEXIST, ENOTEMPTY, EISDIR, ENOTDIR].contains(errno) else { throw failure(name) }
      try noteChange(name)
    }
  }

  /// Some of the names in a folder; none where it is empty.
  private mutating func batch(in folder: Descriptor) throws(HostError) -> [[CChar]] {
    // A descriptor of its own, which begins at the first name.
    let copy = unsafe openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder that was removed in this very moment has no names.
    guard copy >= 0 else {
      guard errno == ENOENT else { throw failure([0]) }
      return []
    }
    guard let stream = unsafe fdopendir(copy) else {
      close(copy)
      throw failure([0])
    }
    defer { unsafe closedir(stream) }
    var result: [[CChar]] = []
    errno = 0
    while result.count < Self.batch, let entry = unsafe readdir(stream) {
      let name: [CChar] = unsafe withUnsafeMutablePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) { start in
          unsafe [CChar](UnsafeBufferPointer(start: start, count: strnlen(start, 255))) + [0]
        }
      }
      let dot = CChar(bitPattern: UInt8(ascii: "."))
      if name != [dot, 0], name != [dot, dot, 0] { result.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw failure([0]) }
    names += result.count
    guard names <= Self.mostNames else { throw changing() }
    return result
  }

  private mutating func noteChange(_ name: [CChar]) throws(HostError) {
    changes += 1
    guard changes <= Self.patience else { throw changing() }
  }

  private func changing() -> HostError {
    HostError(
      .file,
      "\(path) cannot be removed: something goes on changing it; end the extension's processes, and "
        + "try again"
    )
  }

  private func failure(_ name: [CChar]) -> HostError {
    let reason = System.reason(errno)
    // Bytes that are not UTF-8 are shown as what stands for them.
    let shown = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return HostError(.file, "\(path) cannot be removed: \(shown.debugDescription): \(reason)")
  }
}
