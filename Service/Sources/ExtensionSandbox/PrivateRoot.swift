import CSandbox

/// The root folder that a process sees in a mount namespace of its own: its grants and nothing else.
///
/// What Landlock grants by mistake has no name there.
struct PrivateRoot: Equatable, Sendable {
  /// One thing of which the root is made; paths are absolute.
  enum Step: Equatable, Sendable {
    case folder(String)
    /// An empty file, to be bound over.
    case file(String)
    case link(FollowedLink)
    case bind(String, FileIdentity, attributes: UInt64)
  }

  private(set) var steps: [Step] = []
  private var made: Set<String> = ["/"]
  private var boundFolders: [String] = []

  /// - Parameters:
  ///   - grants: What is there.
  ///   - links: The links by which it is reached.
  init(grants: [FileGrant], links: Set<FollowedLink>) {
    for grant in grants.sorted(by: { $0.path < $1.path }) { add(grant) }
    for link in links.sorted(by: { $0.path < $1.path }) where !isThere(link.path) {
      addFolder(Self.parent(of: link.path))
      steps.append(.link(link))
    }
  }

  private mutating func add(_ grant: FileGrant) {
    // `/proc` is mounted for itself.
    guard !grant.path.isAtOrBelow("/proc") else { return }
    let isThere = isThere(grant.path)
    // A folder above holds it, read-only; only what may do more is bound once more.
    if isThere, grant.access == .read || grant.access == .readAndExecute { return }
    if !isThere {
      addFolder(Self.parent(of: grant.path))
      steps.append(grant.file.isFolder ? .folder(grant.path) : .file(grant.path))
      made.insert(grant.path)
    }
    steps.append(.bind(grant.path, grant.file.identity, attributes: Self.attributes(of: grant)))
    if grant.file.isFolder { boundFolders.append(grant.path) }
  }

  private mutating func addFolder(_ path: String) {
    guard !made.contains(path), !isThere(path) else { return }
    addFolder(Self.parent(of: path))
    steps.append(.folder(path))
    made.insert(path)
  }

  private func isThere(_ path: String) -> Bool {
    path.isAtOrBelow("/proc") || boundFolders.contains { path.isAtOrBelow($0) }
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  private static func attributes(of grant: FileGrant) -> UInt64 {
    var attributes = csandbox_mount_no_user_bits.rawValue
    // Writing to a device is not writing to the file system that its name is in.
    if grant.access != .readAndWrite { attributes |= csandbox_mount_read_only.rawValue }
    // Nothing in a container becomes code, not even as a library.
    if grant.access == .readAndWrite { attributes |= csandbox_mount_no_execution.rawValue }
    if !grant.file.isDevice { attributes |= csandbox_mount_no_devices.rawValue }
    return UInt64(attributes)
  }
}
