import CLibrary
import CSandbox
import Glibc

/// What Landlock lets a process do below one path.
enum FileAccess: Sendable {
  case read
  /// Device files such as `/dev/null`.
  case readAndWriteFile
  case readAndExecute
  case readAndWrite
}

/// One file or folder and what may be done with it and below it.
struct FileGrant: Sendable {
  let file: FoundFile
  let access: FileAccess

  /// Absolute, without symbolic links.
  var path: String { file.path }

  /// Whether a path without symbolic links is the granted one or below it.
  func covers(_ other: String) -> Bool { other.isAtOrBelow(path) }
}

/// The rights of Landlock's interface.
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

  /// Those that a version knows: 13 at first, then REFER, TRUNCATE, and IOCTL_DEV in version 5.
  static func all(version: Int) -> Self {
    let count: UInt64 = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13
    return Self(rawValue: (1 << count) - 1)
  }

  /// Those that a rule about a file may have.
  static let ofFiles: Self = [.execute, .writeFile, .readFile, .truncate]
}

extension FileAccess {
  var rights: LandlockRights {
    switch self {
    case .read: [.readFile, .readFolder]
    case .readAndWriteFile: [.readFile, .writeFile]
    case .readAndExecute: [.readFile, .readFolder, .execute]
    // Neither devices nor pipes nor sockets are made, and nothing there is executed.
    case .readAndWrite:
      [
        .readFile, .readFolder, .writeFile, .removeFile, .removeFolder, .makeFile, .makeFolder,
        .makeLink, .refer, .truncate,
      ]
    }
  }
}

/// A Landlock rule set as a descriptor, which is closed with it.
final class LandlockRuleSet {
  let descriptor: Int32

  /// Makes a rule set that denies everything that this version knows, apart from the grants.
  ///
  /// From version 4 on TCP is denied too as far as the profile says, from version 6 on abstract
  /// sockets and signals; the filter denies the same on older kernels.
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
      throw SandboxError(.system, "Landlock makes no rule set: \(describeError(-result))")
    }
    descriptor = Int32(result)
    for grant in grants { try add(grant, handled: handled) }
  }

  deinit { close(descriptor) }

  private func add(_ grant: FileGrant, handled: LandlockRights) throws {
    var rights = grant.access.rights.intersection(handled)
    if !grant.file.isFolder { rights.formIntersection(.ofFiles) }
    // Packed: 8 bytes of rights, 4 of descriptor.
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
        "Landlock takes no rule for \(grant.path): \(describeError(-result))"
      )
    }
  }
}

/// `O_PATH`, which Swift does not import.
let pathOnly: Int32 = 0o10000000

/// The system's words for an error's number.
func describeError(_ number: Int) -> String {
  systemWords(for: Int32(truncatingIfNeeded: number))
}
