import Glibc

/// Counts the contents of a folder that somebody else may change at any time.
///
/// Links are not followed, and each file is looked at once. A count stops at the first limit
/// exceeded, so it costs at most as many looks as files are allowed, and as many open descriptors
/// as folders may be nested.
@safe package final class FolderCount {
  /// The contents of a folder.
  package struct Content: Equatable, Sendable {
    /// Bytes of files and folders: for each the larger of its size and its disk usage; a file with
    /// several names counts once.
    package var bytes = 0
    /// Files, folders, links and anything else with a name.
    package var files = 0

    package init(bytes: Int = 0, files: Int = 0) {
      self.bytes = bytes
      self.files = files
    }

    /// Adds one file.
    mutating func add(_ status: stat) {
      let taken = max(Int(status.st_size), Int(status.st_blocks).multipliedSaturating(by: 512))
      bytes = bytes.addingReportingOverflow(max(0, taken)).overflow ? .max : bytes + max(0, taken)
      files += 1
    }

    /// Returns the limit that the contents exceed.
    package func exceeded(of limits: DiskLimits) -> ProcessLimit? {
      bytes > limits.bytes ? .diskSpace : files > limits.files ? .files : nil
    }
  }

  /// The progress of a count.
  package enum Progress: Equatable {
    case going
    case done(Content)
    /// A limit was exceeded, or a folder cannot be read; the rest was not counted.
    case exceeded(ProcessLimit)
  }

  private struct SeveralNames: Hashable {
    var device: UInt64
    var number: UInt64
  }

  private let limits: DiskLimits
  /// The open folders, outermost first.
  private var open: [OpaquePointer] = unsafe []
  private var content: Content
  private var seen: Set<SeveralNames> = []
  private var failure: ProcessLimit?

  /// Starts counting a folder, whose own path may contain links.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - limits: The count ends when one is exceeded.
  ///   - start: Contents to start from.
  package init(_ path: String, limits: DiskLimits, adding start: Content = Content()) {
    self.limits = limits
    content = start
    let root = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0, enter(root) else {
      failure = Self.unreadable(errno)
      return
    }
  }

  deinit { while let folder = unsafe open.popLast() { unsafe closedir(folder) } }

  /// Counts to the end.
  ///
  /// - Returns: The contents, or the limit that is exceeded.
  package static func count(_ path: String, limits: DiskLimits) -> Progress {
    let count = FolderCount(path, limits: limits)
    while true {
      let progress = count.go(on: 1 << 16)
      if progress != .going { return progress }
    }
  }

  /// Continues the count.
  ///
  /// - Parameter looks: The maximum number of names to look at.
  /// - Returns: Whether there is more to count, the contents, or the limit that is exceeded.
  package func go(on looks: Int) -> Progress {
    for _ in 0..<looks {
      if let limit = failure ?? content.exceeded(of: limits) { return .exceeded(limit) }
      guard let folder = unsafe open.last else { return .done(content) }
      errno = 0
      guard let entry = unsafe readdir(folder) else {
        if errno != 0 { return .exceeded(Self.unreadable(errno)) }
        unsafe closedir(folder)
        unsafe open.removeLast()
        continue
      }
      unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        // Compares bytes: names need not be valid text.
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          unsafe take(name, in: dirfd(folder))
        }
      }
    }
    return .going
  }

  private func take(_ name: UnsafePointer<CChar>, in folder: Int32) {
    if unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return }
    var status = stat()
    guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      // A file removed meanwhile takes no room.
      if errno != ENOENT { failure = Self.unreadable(errno) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      let hasSeveralNames = status.st_nlink > 1
      let file = SeveralNames(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
      if hasSeveralNames, !seen.insert(file).inserted {
        // A hard link counts as a file, since it takes time to count.
        content.files += 1
        return
      }
      content.add(status)
      return
    }
    content.add(status)
    guard unsafe open.count <= limits.depth else {
      failure = .folderDepth
      return
    }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let inner = unsafe openat(folder, name, flags)
    guard inner >= 0 else {
      // It may have been removed meanwhile, or replaced by a file or a link.
      if ![ENOENT, ENOTDIR, ELOOP].contains(errno) { failure = Self.unreadable(errno) }
      return
    }
    if !enter(inner) { failure = Self.unreadable(errno) }
  }

  /// Returns what it means that a folder cannot be read.
  ///
  /// The errors attributed to the machine are those that no process can cause in its own folders.
  static func unreadable(_ number: Int32) -> ProcessLimit {
    [EIO, EMFILE, ENFILE, ENOMEM].contains(number) ? .notCounted : .unreadableFolder
  }

  private func enter(_ folder: Int32) -> Bool {
    guard let stream = unsafe fdopendir(folder) else {
      let number = errno
      close(folder)
      errno = number
      return false
    }
    unsafe open.append(stream)
    return true
  }
}

extension Int {
  fileprivate func multipliedSaturating(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}

/// The free space of a disk.
package struct FreeSpace: Equatable, Sendable {
  /// Bytes that the user may still use.
  package var bytes: Int
  /// Bytes that have to stay free.
  package var reserve: Int

  /// Measures the disk of a folder; nil if that is not possible.
  package init?(at path: String, limits: DiskLimits) {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    func bytes(_ blocks: UInt) -> Int {
      Int(clamping: blocks.multipliedReportingOverflow(by: status.f_frsize).partialValue)
    }
    self.bytes = bytes(status.f_bavail)
    reserve = Swift.min(limits.reserve, bytes(status.f_blocks) / limits.reserveShare)
  }

  /// Whether nothing more should be written.
  package var isUsedUp: Bool { bytes < reserve }
}
