import CSandbox

/// The root that a process sees in its own mount namespace: its grants and nothing else.
///
/// Anything that Landlock grants by mistake has no path there.
struct PrivateRoot: Equatable, Sendable {
  /// A step in building the root; paths are absolute.
  enum Step: Equatable, Sendable {
    case folder(String)
    /// An empty file, as a mount point.
    case file(String)
    case link(FollowedLink)
    case bind(String, FileIdentity, attributes: UInt64)
  }

  private(set) var steps: [Step] = []
  private var made: Set<String> = ["/"]
  private var boundFolders: [String] = []

  /// - Parameters:
  ///   - grants: The contents of the root.
  ///   - links: The links by which they are reached.
  init(grants: [FileGrant], links: Set<FollowedLink>) {
    for grant in grants.sorted(by: { $0.path < $1.path }) { add(grant) }
    for link in links.sorted(by: { $0.path < $1.path }) where !isThere(link.path) {
      addFolder(Self.parent(of: link.path))
      steps.append(.link(link))
    }
  }

  private mutating func add(_ grant: FileGrant) {
    // `/proc` is mounted separately.
    guard !grant.path.isAtOrBelow("/proc") else { return }
    let isThere = isThere(grant.path)
    // A bound parent folder already provides it read-only; only more access needs another mount.
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
    // A read-only mount still lets devices be written to.
    if grant.access != .readAndWrite { attributes |= csandbox_mount_read_only.rawValue }
    // Nothing in a container can be executed, not even as a library.
    if grant.access == .readAndWrite { attributes |= csandbox_mount_no_execution.rawValue }
    if !grant.file.isDevice { attributes |= csandbox_mount_no_devices.rawValue }
    return UInt64(attributes)
  }
}
