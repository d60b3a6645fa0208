import CLibrary
import CSandbox
import Glibc

/// What Landlock lets a process do at and below one path.
enum FileAccess: Sendable {
  case read
  /// Device files such as `/dev/null`.
  case readAndWriteFile
  case readAndExecute
  case readAndWrite
}

/// Access to one file or folder and everything below it.
struct FileGrant: Sendable {
  let file: FoundFile
  let access: FileAccess

  /// Absolute, without symbolic links.
  var path: String { file.path }

  /// Returns whether a path without symbolic links is the granted one or below it.
  func covers(_ other: String) -> Bool { other.isAtOrBelow(path) }
}

/// The access rights of Landlock's interface.
///
/// > Source: the kernel's `linux/landlock.h`, named there `LANDLOCK_ACCESS_FS_…`.
struct LandlockRights: OptionSet, Sendable {
  let rawValue: UInt64

  static let execute = Self(rawValue: 1 << 0)
  static let writeFile = Self(rawValue: 1 << 1)
  static let readFile = Self(rawValue: 1 << 2)
  static let readFolder = Self(rawValue: 1 << 3)
  static let removeFolder = Self(rawValue: 1 << 4)
  static let removeFile = Self(rawValue: 1 << 5)
  static let makeFolder = Self(rawValue: 1 << 7)
  static let makeFile = Self(rawValue: 1 << 8)
  static let makeLink = Self(rawValue: 1 << 12)
  static let refer = Self(rawValue: 1 << 13)
  static let truncate = Self(rawValue: 1 << 14)

  /// Returns the rights that a version knows: 13 at first, then REFER, TRUNCATE, and IOCTL_DEV in
  /// version 5.
  static func all(version: Int) -> Self {
    let count: UInt64 = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13
    return Self(rawValue: (1 << count) - 1)
  }

  /// The rights that apply to files.
  static let ofFiles: Self = [.execute, .writeFile, .readFile, .truncate]
}

extension FileAccess {
  var rights: LandlockRights {
    switch self {
    case .read: [.readFile, .readFolder]
    case .readAndWriteFile: [.readFile, .writeFile]
    case .readAndExecute: [.readFile, .readFolder, .execute]
    // Devices, pipes and sockets cannot be created, and nothing can be executed.
    case .readAndWrite:
      [
        .readFile, .readFolder, .writeFile, .removeFile, .removeFolder, .makeFile, .makeFolder,
        .makeLink, .refer, .truncate,
      ]
    }
  }
}

/// A Landlock rule set: a descriptor that is closed with this object.
final class LandlockRuleSet {
  let descriptor: Int32

  /// Creates a rule set that denies everything that this version knows, except the grants.
  ///
  /// From version 4 on it also denies TCP unless the profile allows it, and from version 6 on
  /// abstract sockets and signals; on older kernels the filter denies the same.
  ///
  /// - Throws: ``SandboxError`` with code `system`.
  init(grants: [FileGrant], network: NetworkAccess, version: Int) throws {
    let bindTCP: UInt64 = 1
    let connectTCP: UInt64 = 2
    let abstractSocketsAndSignals: UInt64 = 3
    let handled = LandlockRights.all(version: version)
    var attributes: [UInt64] = [handled.rawValue]
    if version >= 4 {
      attributes.append(
        network == .none ? bindTCP | connectTCP : network == .client ? bindTCP : 0
      )
    }
    if version >= 6 { attributes.append(abstractSocketsAndSignals) }
    let size = attributes.count * MemoryLayout<UInt64>.size
    let result = unsafe attributes.withUnsafeBytes { bytes in
      csandbox_call(
        SystemCall.landlockCreateRuleset,
        Int(bitPattern: bytes.baseAddress),
        size,
        0,
        0,
        0
      )
    }
    guard result >= 0 else {
      throw SandboxError(.system, "Landlock cannot make a rule set: \(describeError(-result))")
    }
    descriptor = Int32(result)
    for grant in grants { try add(grant, handled: handled) }
  }

  deinit { close(descriptor) }

  private func add(_ grant: FileGrant, handled: LandlockRights) throws {
    var rights = grant.access.rights.intersection(handled)
    if !grant.file.isFolder { rights.formIntersection(.ofFiles) }
    // A packed struct: 8 bytes of rights, 4 of descriptor.
    let rule: [UInt32] = [
      UInt32(truncatingIfNeeded: rights.rawValue),
      UInt32(truncatingIfNeeded: rights.rawValue >> 32),
      UInt32(bitPattern: grant.file.descriptor),
    ]
    let pathBeneath = 1
    let result = unsafe rule.withUnsafeBytes { bytes in
      csandbox_call(
        SystemCall.landlockAddRule,
        Int(descriptor),
        pathBeneath,
        Int(bitPattern: bytes.baseAddress),
        0,
        0
      )
    }
    guard result == 0 else {
      throw SandboxError(
        .system,
        "Landlock refuses a rule for \(grant.path): \(describeError(-result))"
      )
    }
  }
}

/// `O_PATH`, which Swift does not import.
let pathOnly: Int32 = 0o10000000

/// Returns the system's message for an error number.
func describeError(_ number: Int) -> String {
  systemWords(for: Int32(truncatingIfNeeded: number))
}
