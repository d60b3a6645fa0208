import CSandbox
import Glibc

/// Looks up the files that a process's system calls name, from outside the process.
///
/// Paths are copied from the process's memory once; later steps use the object found, never the
/// path again. Look-ups use `O_PATH`, so that opening has no side effects.
struct ChildFiles {
  let process: Int32
  /// The process's number in its own process namespace, if it has one.
  let ownNumber: Int32?
  let grants: [FileGrant]
  let writable: [FileGrant]

  init(process: Int32, ownNumber: Int32?, grants: [FileGrant]) {
    self.process = process
    self.ownNumber = ownNumber
    self.grants = grants
    writable = grants.filter { $0.access == .readAndWrite }
  }

  /// Finds the file that a call names, without opening it for reading.
  ///
  /// - Returns: A descriptor that the caller has to close, or -errno.
  func find(_ path: String, folder: Int32?, of thread: Int32, follow: Bool = true) -> Int32 {
    guard !path.hasPrefix("/") else { return open(own(path), in: AT_FDCWD, follow: follow) }
    // A relative path starts at the caller's working folder, or at one of its descriptors.
    let start =
      folder.map { $0 == AT_FDCWD ? "cwd" : "fd/\($0)" } ?? "cwd"
    let base = unsafe Glibc.open("/proc/\(thread)/\(start)", pathOnly | O_CLOEXEC)
    guard base >= 0 else { return -errno }
    if path.isEmpty { return base }
    defer { close(base) }
    return open(path, in: base, follow: follow)
  }

  /// Returns the path of a descriptor of this process, without symbolic links.
  func path(of descriptor: Int32) -> String? {
    let room = 4097
    var bytes = [UInt8](repeating: 0, count: room)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      return unsafe readlink(
        "/proc/self/fd/\(descriptor)",
        start.assumingMemoryBound(to: CChar.self),
        room
      )
    }
    guard count > 0, count < room else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Returns the path of an open call that Landlock will refuse, or nil.
  ///
  /// Opening for writing, and creating, is allowed only in a writable folder.
  func refusedOpening(
    _ path: String,
    folder: Int32?,
    of thread: Int32,
    writes: Bool,
    creates: Bool
  ) -> String? {
    let found = find(path, folder: folder, of: thread)
    guard found >= 0 else {
      guard found == -ENOENT else { return nil }
      return creates ? refusedChange(path, folder: folder, of: thread) : nil
    }
    defer { close(found) }
    guard let real = self.path(of: found) else { return nil }
    let granted = grants.contains { grant in
      grant.covers(real)
        && (!writes || grant.access == .readAndWrite || grant.access == .readAndWriteFile)
    }
    return granted || real.hasPrefix("/proc/\(process)/") || !real.hasPrefix("/") ? nil : real
  }

  /// Returns the path of a file that must not be created, removed or renamed, or nil.
  func refusedChange(_ path: String, folder: Int32?, of thread: Int32) -> String? {
    let trimmed = path.last == "/" ? String(path.dropLast()) : path
    let slash = trimmed.lastIndex(of: "/")
    let parent = slash.map { trimmed[...$0] } ?? ""
    let name = slash.map { trimmed[trimmed.index(after: $0)...] } ?? trimmed[...]
    let found = find(String(parent), folder: folder, of: thread)
    guard found >= 0 else { return nil }
    defer { close(found) }
    guard let real = self.path(of: found) else { return nil }
    return writable.contains { $0.covers(real) } ? nil : "\(real)/\(name)"
  }

  /// Returns whether the path is certainly readable, without looking it up.
  func isPlainlyReadable(_ path: String) -> Bool {
    path.hasPrefix("/") && !path.contains("/..") && grants.contains { $0.covers(path) }
      && !writable.contains { $0.covers(path) }
  }

  /// Opens the `stat` file of a thread of the process for reading; nil for every other path.
  ///
  /// Dispatch reads `/proc/THREAD/stat` to count its busy threads, and aborts if it cannot. A
  /// Landlock rule cannot cover threads that do not exist yet.
  func statusOfThread(_ path: String) -> Int32? {
    let parts = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, String(parts[1]) == "proc",
      String(parts[3]) == "stat", let thread = Int32(String(parts[2]) ?? ""),
      thread != ownNumber ?? process
    else { return nil }
    // Thread numbers are those of the process's own `/proc`, which is in its own root.
    let processes = ownNumber.map { "/proc/\(process)/root/proc/\($0)" } ?? "/proc/\(process)"
    let file = unsafe Glibc.open("\(processes)/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
    return file >= 0 ? file : nil
  }

  /// Replaces `/proc/self` and the process's own number, which both mean the caller.
  private func own(_ path: String) -> String {
    let numbered = ownNumber.map { ["/proc/\($0)/"] } ?? []
    for name in ["/proc/self/", "/proc/thread-self/"] + numbered where path.hasPrefix(name) {
      return "/proc/\(process)/" + path.dropFirst(name.count)
    }
    return path
  }

  private func open(_ path: String, in folder: Int32, follow: Bool) -> Int32 {
    let noMagicLinks: UInt64 = 2
    let flags = pathOnly | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW)
    let how: [UInt64] = [UInt64(flags), 0, noMagicLinks]
    return unsafe how.withUnsafeBytes { how in
      unsafe path.withCString { path in
        Int32(
          truncatingIfNeeded: csandbox_call(
            SystemCall.openat2,
            Int(folder),
            Int(bitPattern: path),
            Int(bitPattern: how.baseAddress),
            how.count,
            0
          )
        )
      }
    }
  }
}
