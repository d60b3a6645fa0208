import Glibc

/// What distinguishes a file from all others while it is held open.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
}

/// A file or folder that a name led to, held open as a mere name (`O_PATH`).
///
/// What is checked, granted and bound is this object, and not what the path leads to by then.
final class FoundFile: Sendable {
  let descriptor: Int32
  /// Absolute, without symbolic links.
  let path: String
  let identity: FileIdentity
  private let mode: mode_t

  /// Takes over a descriptor, which is closed where there is an error.
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

  /// What this folder has under a name, a link itself where it is one.
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

  /// Where this link leads.
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

  /// The names in this folder, in no order; empty where it cannot be listed.
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

/// Why a name leads to nothing that can be granted.
enum PathFailure: Error {
  /// There is nothing.
  case absent
  /// It leads into, through or around a folder that programs write to.
  case writable(String)
  case system(String, Int32)

  /// The reason, as the end of a sentence about the name.
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

/// The folders that programs in the sandbox write to, of whatever extension.
///
/// Nothing else may be granted that lies in one of them, around one, or is reached by a link in one:
/// a program could choose what is granted to it at its next start.
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

  /// Whether a folder is one of these or below one.
  ///
  /// Asks the file system, from the folder upwards, and does not compare names.
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

  /// Whether one of these is below a folder.
  func lieBelow(_ folder: FoundFile) -> Bool { above.contains(folder.identity) }
}

/// Follows names from the root, a component at a time.
struct PathWalk {
  /// The links that were followed, of all names.
  private(set) var links: Set<FollowedLink> = []
  /// What must not be come upon.
  var avoiding = WritableFolders()

  private static let mostLinks = 40

  /// Follows an absolute name to its end.
  ///
  /// - Parameters:
  ///   - path: The name.
  ///   - isWritable: Whether the end itself may be one of the avoided folders, or in one.
  /// - Returns: What is there, and its folder.
  /// - Throws: ``PathFailure``.
  mutating func find(
    _ path: String,
    isWritable: Bool = false
  ) throws(PathFailure) -> (file: FoundFile, folder: FoundFile) {
    let root = try Self.root()
    var (file, folder) = (root, root)
    // The next component is the last of these.
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

  /// Adds a link that something else followed.
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
  /// Whether this path without symbolic links is a folder's or below it.
  func isAtOrBelow(_ folder: String) -> Bool {
    // Bytes, as the kernel compares them; a String's own comparison is slow and normalizes.
    let slash: UInt8 = 0x2F
    if folder == "/" { return hasPrefix("/") }
    var rest = utf8.makeIterator()
    for byte in folder.utf8 where rest.next() != byte { return false }
    let next = rest.next()
    return next == nil || next == slash
  }
}
