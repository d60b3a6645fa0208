import Foundation
import Glibc

/// Everything that a start needs, validated.
struct LaunchPlan: Sendable {
  var executable: String
  var arguments: [String]
  var environment: [String]
  var folder: String
  var channel: Int32
  var output: Int32
  var limits: ProcessLimits
  var grants: [FileGrant]
  /// The links by which the grants are reached.
  var links: Set<FollowedLink>
  var profile: SandboxProfile
  var availability: SandboxAvailability
  var processor: Processor?
  /// Creates control groups for processes; nil if that is not possible.
  ///
  /// Set up before the process exists, since a group with several processes cannot be divided.
  var groups = ControlGroups.shared.groups

  init(
    executable: URL,
    arguments: [String],
    environment: [String: String],
    channel: Int32,
    output: Int32,
    profile: SandboxProfile,
    limits: ProcessLimits,
    availability: SandboxAvailability
  ) throws {
    if profile.missingProtection == .refuse, !availability.missing.isEmpty {
      throw SandboxError(
        .missingProtection,
        "\(executable.lastPathComponent) is not started without a sandbox. \(availability.sentence)"
      )
    }
    let found = try ProfileFolders(profile)
    let program = try found.program(executable.path(percentEncoded: false))
    processor = Processor.current
    var system = try SystemFiles(network: profile.network, avoiding: found.avoiding)
    if let processor {
      let file = try ExecutableFile(path: program.path, processor: processor)
      if let interpreter = file.interpreter {
        try system.addInterpreter(interpreter, of: program.path)
      }
    }
    grants = system.grants.values.sorted { $0.path < $1.path }
    grants.append(FileGrant(file: found.bundle, access: .readAndExecute))
    grants += found.writable.map { FileGrant(file: $0, access: .readAndWrite) }
    links = system.links.union(found.links)

    try Self.check(limits)
    try Self.check(channel, name: "channel", optional: true)
    try Self.check(output, name: "output", optional: false)
    self.executable = program.path
    self.arguments = [program.path] + arguments
    self.environment = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    folder = found.container.path
    self.channel = channel
    self.output = output
    self.limits = limits
    self.profile = profile
    self.availability = availability
    for text in self.arguments + self.environment where text.utf8.contains(0) {
      throw SandboxError(.argument, "An argument or variable holds a zero byte: \(text.prefix(40))")
    }
    for name in environment.keys where name.isEmpty || name.contains("=") {
      throw SandboxError(.argument, "\"\(name)\" is not a variable name")
    }
  }

  private static func check(_ limits: ProcessLimits) throws {
    let values: [(String, Int?)] = [
      ("memory", limits.memory), ("address space", limits.addressSpace),
      ("processor seconds", limits.processorSeconds), ("file size", limits.fileSize),
      ("threads", limits.threads), ("disk space", limits.disk?.bytes),
      ("files", limits.disk?.files), ("folders inside each other", limits.disk?.depth),
    ]
    for (name, value) in values {
      if let value, value < 1 {
        throw SandboxError(.argument, "The limit of \(name) is \(value); it must be at least 1")
      }
    }
    if let files = limits.openFiles, files < ProcessLimits.fewestOpenFiles {
      throw SandboxError(
        .argument,
        "The limit of open files is \(files); it must be at least \(ProcessLimits.fewestOpenFiles)"
      )
    }
  }

  /// Checks a descriptor to pass on; a datagram socket could be connected to any path-named socket
  /// of the system.
  private static func check(_ descriptor: Int32, name: String, optional: Bool) throws {
    if optional, descriptor == -1 { return }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw SandboxError(.argument, "The \(name) \(descriptor) is not an open descriptor")
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw SandboxError(.argument, "The \(name) \(descriptor) is a folder")
      }
      return
    }
    var type: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0,
      type == Int32(SOCK_STREAM.rawValue)
    else {
      throw SandboxError(
        .argument,
        "The \(name) \(descriptor) must be a stream socket, not another"
      )
    }
  }

  /// The root that the process sees; nil if it has no mount namespace of its own.
  var privateRoot: PrivateRoot? {
    if case .none = availability.namespaces { return nil }
    return PrivateRoot(grants: grants, links: links)
  }
}
