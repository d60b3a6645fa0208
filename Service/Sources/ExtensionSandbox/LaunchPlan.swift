import Foundation
import Glibc

/// All that a start needs, checked.
struct LaunchPlan: Sendable {
  var executable: String
  var arguments: [String]
  var environment: [String]
  var folder: String
  var channel: Int32
  var output: Int32
  var limits: ProcessLimits
  var grants: [FileGrant]
  var profile: SandboxProfile
  var availability: SandboxAvailability
  var processor: Processor?

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
    let bundle = try Self.folder(profile.bundle, role: "The bundle")
    let writable = try profile.readWrite.map { try Self.writableFolder($0) }
    guard let first = writable.first else {
      throw SandboxError(.folder, "A profile needs a folder to write to: the container.")
    }
    for folder in writable {
      guard !FileGrant(path: folder, access: .read).covers(bundle),
        !FileGrant(path: bundle, access: .read).covers(folder)
      else {
        throw SandboxError(
          .folder,
          "The bundle \(bundle) and the writable folder \(folder) must not be within each other."
        )
      }
    }
    guard let program = realPath(executable.path(percentEncoded: false)) else {
      throw SandboxError(
        .executable,
        "There is no program \(executable.path(percentEncoded: false))."
      )
    }
    guard FileGrant(path: bundle, access: .read).covers(program) else {
      throw SandboxError(.executable, "The program \(program) is not in the bundle \(bundle).")
    }
    guard unsafe access(program, X_OK) == 0 else {
      throw SandboxError(.executable, "The program \(program) is not executable; chmod +x helps.")
    }

    processor = Processor.current
    var interpreter: String?
    var runtimeFolders: [String] = []
    if let processor {
      let file = try ExecutableFile(path: program, processor: processor)
      interpreter = try Self.interpreter(file.interpreter, of: program)
      runtimeFolders = SystemFiles.runtimeFolders(named: file.libraryFolders)
    }
    grants = SystemFiles.grants(
      interpreter: interpreter,
      runtimeFolders: runtimeFolders,
      network: profile.network
    )
    grants.append(FileGrant(path: bundle, access: .readAndExecute))
    grants += writable.map { FileGrant(path: $0, access: .readAndWrite) }

    try Self.check(limits)
    try Self.check(channel, name: "channel", optional: true)
    try Self.check(output, name: "output", optional: false)
    self.executable = program
    self.arguments = [program] + arguments
    self.environment = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    folder = first
    self.channel = channel
    self.output = output
    self.limits = limits
    self.profile = profile
    self.availability = availability
    for text in self.arguments + self.environment where text.utf8.contains(0) {
      throw SandboxError(.argument, "An argument or variable holds a zero byte: \(text.prefix(40))")
    }
    for name in environment.keys where name.isEmpty || name.contains("=") {
      throw SandboxError(.argument, "\"\(name)\" is no name of a variable.")
    }
  }

  private static func folder(_ url: URL, role: String) throws -> String {
    let path = url.path(percentEncoded: false)
    guard url.isFileURL, let real = realPath(path) else {
      throw SandboxError(.folder, "\(role) \(path) does not exist.")
    }
    var status = stat()
    guard unsafe stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw SandboxError(.folder, "\(role) \(path) is not a folder.")
    }
    guard real != "/" else { throw SandboxError(.folder, "\(role) cannot be the whole system.") }
    return real
  }

  /// The process has no capabilities, also as root: the permissions of a folder count.
  private static func writableFolder(_ url: URL) throws -> String {
    let real = try folder(url, role: "The writable folder")
    var status = stat()
    guard unsafe stat(real, &status) == 0 else {
      throw SandboxError(.folder, "\(real) cannot be looked at: \(describeError(Int(errno)))")
    }
    let needed: mode_t = 0o3
    let granted =
      if status.st_uid == geteuid() {
        status.st_mode >> 6
      } else if status.st_gid == getegid() {
        status.st_mode >> 3
      } else {
        status.st_mode
      }
    let system = (SystemFiles.libraries + ["/etc", "/dev", "/proc", "/sys"]).compactMap(realPath)
    for other in system
    where FileGrant(path: real, access: .read).covers(other)
      || FileGrant(path: other, access: .read).covers(real)
    {
      throw SandboxError(.folder, "\(real) holds files of the system, or is one of its folders.")
    }
    guard granted & needed == needed else {
      throw SandboxError(
        .folder,
        "The folder \(real) belongs to user \(status.st_uid) and cannot be written to by user"
          + " \(geteuid()); change its owner or permissions."
      )
    }
    return real
  }

  /// The loader is executed with the program: it must be the system's.
  private static func interpreter(_ named: String?, of program: String) throws -> String? {
    guard let named else { return nil }
    guard let real = realPath(named), let name = real.split(separator: "/").last,
      name.hasPrefix("ld-") || name.hasPrefix("ld."),
      SystemFiles.libraries.contains(where: {
        guard let library = realPath($0) else { return false }
        return FileGrant(path: library, access: .read).covers(real)
      })
    else {
      throw SandboxError(
        .executable,
        "\(program) names the loader \(named), which is not one of the system's."
      )
    }
    return real
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
        throw SandboxError(.argument, "The limit of \(name) is \(value); it must be at least 1.")
      }
    }
    if let files = limits.openFiles, files < ProcessLimits.fewestOpenFiles {
      throw SandboxError(
        .argument,
        "The limit of open files is \(files); it must be at least \(ProcessLimits.fewestOpenFiles)."
      )
    }
  }

  /// A datagram socket could be turned to any path-named socket of the system.
  private static func check(_ descriptor: Int32, name: String, optional: Bool) throws {
    if optional, descriptor == -1 { return }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw SandboxError(.argument, "The \(name) \(descriptor) is not an open descriptor.")
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw SandboxError(.argument, "The \(name) \(descriptor) is a folder.")
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
        "The \(name) \(descriptor) must be a stream socket, not another."
      )
    }
  }
}
