import CSandbox
import Glibc

/// A child's instructions for its namespaces, in memory that it can read after the fork.
@safe final class NamespaceRequest {
  private let strings: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>
  private let steps: UnsafeMutableBufferPointer<csandbox_step>
  private let namespaces: UnsafeMutablePointer<csandbox_namespaces>

  /// Valid as long as this object.
  var pointer: UnsafePointer<csandbox_namespaces> { unsafe UnsafePointer(namespaces) }

  /// - Parameters:
  ///   - root: The root that the child sees.
  ///   - ownProcesses: Whether it gets a process namespace.
  ///   - network: The connections that it may make; if any, it stays in the host's network
  ///     namespace.
  init(root: PrivateRoot, ownProcesses: Bool, network: NetworkAccess) {
    // Numbers of users and groups stay the same, and so do the owners of files.
    let texts = root.steps.flatMap(Self.texts) + [Self.map(geteuid()), Self.map(getegid())]
    let strings = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: texts.count
    )
    for (index, text) in texts.enumerated() { unsafe strings[index] = unsafe strdup(text) }
    let steps = UnsafeMutableBufferPointer<csandbox_step>.allocate(
      capacity: root.steps.count
    )
    for (index, step) in root.steps.enumerated() {
      unsafe steps[index] = Self.step(
        step,
        path: strings[2 * index],
        target: strings[2 * index + 1]
      )
    }
    var request = unsafe csandbox_namespaces()
    unsafe request.flags = Self.flags(ownProcesses: ownProcesses, network: network)
    unsafe request.own_processes = ownProcesses ? 1 : 0
    unsafe request.user_map = UnsafePointer(strings[texts.count - 2])
    unsafe request.group_map = UnsafePointer(strings[texts.count - 1])
    unsafe request.steps = UnsafePointer(steps.baseAddress)
    unsafe request.step_count = steps.count
    unsafe namespaces = .allocate(capacity: 1)
    unsafe namespaces.initialize(to: request)
    unsafe self.strings = unsafe strings
    unsafe self.steps = unsafe steps
  }

  deinit {
    unsafe strings.forEach { unsafe free($0) }
    unsafe strings.deallocate()
    unsafe steps.deallocate()
    unsafe namespaces.deallocate()
  }

  private static func map(_ identifier: UInt32) -> String { "\(identifier) \(identifier) 1\n" }

  private static func flags(ownProcesses: Bool, network: NetworkAccess) -> UInt64 {
    let (mounts, hostName, communication): (UInt64, UInt64, UInt64) =
      (0x0002_0000, 0x0400_0000, 0x0800_0000)
    let (users, processes, connections): (UInt64, UInt64, UInt64) =
      (0x1000_0000, 0x2000_0000, 0x4000_0000)
    return users | mounts | hostName | communication
      | (ownProcesses ? processes : 0) | (network == .none ? connections : 0)
  }

  private static func texts(of step: PrivateRoot.Step) -> [String] {
    switch step {
    case .folder(let path), .file(let path), .bind(let path, _, _): [path, ""]
    case .link(let link): [link.path, link.target]
    }
  }

  private static func step(
    _ step: PrivateRoot.Step,
    path: UnsafeMutablePointer<CChar>?,
    target: UnsafeMutablePointer<CChar>?
  ) -> csandbox_step {
    var result = unsafe csandbox_step()
    unsafe result.path = UnsafePointer(path)
    unsafe result.target = UnsafePointer(target)
    switch step {
    case .folder: unsafe result.kind = Int32(csandbox_step_folder.rawValue)
    case .file: unsafe result.kind = Int32(csandbox_step_file.rawValue)
    case .link: unsafe result.kind = Int32(csandbox_step_link.rawValue)
    case .bind(_, let identity, let attributes):
      unsafe result.kind = Int32(csandbox_step_bind.rawValue)
      unsafe result.attributes = attributes
      unsafe result.device = identity.device
      unsafe result.inode = identity.inode
    }
    return unsafe result
  }
}
