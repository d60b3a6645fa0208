import Glibc

/// The identity of a file, unique while it is held open.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
}

/// A file or folder that a path led to, held open by `O_PATH`.
///
/// Checks, grants and mounts apply to this object, and not to whatever the path leads to by then.
final class FoundFile: Sendable {
  let descriptor: Int32
  /// Absolute, without symbolic links.
  let path: String
  let identity: FileIdentity
  private let mode: mode_t

  /// Takes ownership of a descriptor, and closes it on error.
  ///
  /// - Throws: ``PathFailure``.
  init(descriptor: Int32, path: String) throws(PathFailure) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw .system(path, number)
    }
    self.descriptor = descriptor
    self.path = path
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    mode = status.st_mode
  }

  deinit { close(descriptor) }

  var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  var isRegular: Bool { mode & S_IFMT == S_IFREG }
  var isLink: Bool { mode & S_IFMT == S_IFLNK }
  var isDevice: Bool { mode & S_IFMT == S_IFCHR }

  /// Returns the entry of this folder with a name; a link is not followed.
  ///
  /// - Throws: ``PathFailure``.
  func child(_ name: String) throws(PathFailure) -> FoundFile {
    let childPath = name == ".." ? parentPath : path == "/" ? "/" + name : path + "/" + name
    let found = unsafe openat(descriptor, name, pathOnly | O_NOFOLLOW | O_CLOEXEC)
    guard found >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .absent : .system(childPath, errno)
    }
    return try FoundFile(descriptor: found, path: childPath)
  }

  /// Returns the target of this link.
  ///
  /// - Throws: ``PathFailure``.
  func target() throws(PathFailure) -> String {
    let room = 4096
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      count = unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
        guard let start = buffer.baseAddress else { return -1 }
        return unsafe readlinkat(descriptor, "", start, room)
      }
      filled = max(0, count)
    }
    guard count > 0, count < room, let text = String(validating: bytes, as: UTF8.self) else {
      throw .system(path, count < 0 ? errno : EILSEQ)
    }
    return text
  }

  /// The names in this folder, unordered; empty if it cannot be listed.
  var names: [String] {
    let listed = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard listed >= 0 else { return [] }
    guard let stream = unsafe fdopendir(listed) else {
      close(listed)
      return []
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(validatingCString: $0)
        }
      }
      if let name { names.append(name) }
    }
    return names
  }

  private var parentPath: String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}

/// Why a path leads to nothing that can be granted.
enum PathFailure: Error {
  /// There is nothing at the path.
  case absent
  /// The path leads into, through or around a folder that programs can write to.
  case writable(String)
  case system(String, Int32)

  /// The reason, as the end of a sentence about the path.
  var reason: String {
    switch self {
    case .absent: "does not exist"
    case .writable(let path): "leads to \(path), where programs in the sandbox can write"
    case .system(let path, let number): "leads to \(path): \(describeError(Int(number)))"
    }
  }
}

/// A symbolic link that was followed.
struct FollowedLink: Hashable, Sendable {
  /// Absolute; its folder is without symbolic links.
  var path: String
  var target: String
}

/// The folders that sandboxed programs, of any extension, can write to.
///
/// Nothing may be granted that is in one of them, contains one, or is reached by a link in one: a
/// program could otherwise choose what is granted to it at its next start.
struct WritableFolders: Sendable {
  private(set) var folders: [FoundFile] = []
  private var own: Set<FileIdentity> = []
  private var above: Set<FileIdentity> = []

  /// - Throws: ``PathFailure``.
  mutating func add(_ folder: FoundFile) throws(PathFailure) {
    folders.append(folder)
    own.insert(folder.identity)
    var place = folder
    while place.path != "/" {
      place = try place.child("..")
      above.insert(place.identity)
    }
  }

  /// Returns whether a folder is one of these or below one.
  ///
  /// Walks up the file system; names are not compared.
  ///
  /// - Throws: ``PathFailure``.
  func contain(_ folder: FoundFile) throws(PathFailure) -> Bool {
    guard !own.isEmpty else { return false }
    var place = folder
    while true {
      if own.contains(place.identity) { return true }
      let parent = try place.child("..")
      if parent.identity == place.identity { return false }
      place = parent
    }
  }

  /// Returns whether one of these is below a folder.
  func lieBelow(_ folder: FoundFile) -> Bool { above.contains(folder.identity) }
}

/// Resolves paths from the root, one component at a time.
struct PathWalk {
  /// The links followed so far, on any path.
  private(set) var links: Set<FollowedLink> = []
  /// The folders that paths must not lead into.
  var avoiding = WritableFolders()

  private static let mostLinks = 40

  /// Resolves an absolute path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - isWritable: Whether the result itself may be in one of the avoided folders, or be one.
  /// - Returns: The file or folder found.
  /// - Throws: ``PathFailure``.
  mutating func find(
    _ path: String,
    isWritable: Bool = false
  ) throws(PathFailure) -> (file: FoundFile, folder: FoundFile) {
    let root = try Self.root()
    var (file, folder) = (root, root)
    // A stack: the next component is the last element.
    var rest = Self.components(path)
    var followed: [FollowedLink] = []
    while let name = rest.popLast() {
      guard file.isFolder else { throw .absent }
      let next = try file.child(name)
      guard next.isLink else {
        folder = name == ".." ? next : file
        file = next
        continue
      }
      if try avoiding.contain(file) { throw .writable(next.path) }
      let target = try next.target()
      followed.append(FollowedLink(path: next.path, target: target))
      guard followed.count <= Self.mostLinks else { throw .system(path, ELOOP) }
      if target.hasPrefix("/") { (file, folder) = (root, root) }
      rest += Self.components(target)
    }
    if !isWritable {
      if try avoiding.contain(file.isFolder ? file : folder) { throw .writable(file.path) }
      if avoiding.lieBelow(file) { throw .writable(file.path) }
    }
    links.formUnion(followed)
    return (file, folder)
  }

  /// Records a link that something else followed.
  mutating func note(_ link: FollowedLink) { links.insert(link) }

  private static func root() throws(PathFailure) -> FoundFile {
    let descriptor = unsafe open("/", pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("/", errno) }
    return try FoundFile(descriptor: descriptor, path: "/")
  }

  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }
}

extension String {
  /// Returns whether this path without symbolic links is a folder's or below it.
  func isAtOrBelow(_ folder: String) -> Bool {
    // Compares bytes like the kernel; String's comparison is slow and normalizes.
    let slash: UInt8 = 0x2F
    if folder == "/" { return hasPrefix("/") }
    var rest = utf8.makeIterator()
    for byte in folder.utf8 where rest.next() != byte { return false }
    let next = rest.next()
    return next == nil || next == slash
  }
}
