internal import CLibrary

/// The error of a failed operation on a file or folder.
public struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder.
  public var path: String
  /// The failed action, as in “cannot be *written*”.
  public var action: String
  /// The system's error number, ``notAFile``, ``linkToNothing``, ``foreignLink`` or ``linkToForeignName``.
  public var number: Int32

  /// The number of what is a pipe, a device or a socket where a file is expected.
  ///
  /// The system has no number for it; "invalid argument" would say nothing.
  public static let notAFile: Int32 = -1
  /// The number of a link whose end is not there, as of one to a disk that is not mounted.
  ///
  /// It is no absence: what is meant is somewhere else, and must not be begun anew.
  public static let linkToNothing: Int32 = -2

  /// The number of a link that is another user's, or leads to what another user has or can replace.
  public static let foreignLink: Int32 = -3

  /// The number of a link to a name that is not in UTF-8, and so cannot be named here.
  public static let linkToForeignName: Int32 = -4

  /// Creates an error.
  public init(_ path: String, _ action: String, _ number: Int32) {
    self.path = path
    self.action = action
    self.number = number
  }

  /// What failed, why, and what to do, without a full stop.
  public var description: String {
    // A folder that is made for what is to be read does not help.
    let isReading = action == "read" || action == "opened"
    let remedy = isReading && number == ENOENT ? "" : Self.remedy(number)
    return "\(path) cannot be \(action): \(reason)" + (remedy.isEmpty ? "" : "; \(remedy)")
  }

  /// The reason, beginning with a small letter.
  public var reason: String { Self.reason(number) }

  /// Whether the file does not exist, and nothing leads to where it may be.
  public var isAbsence: Bool { number == ENOENT }

  /// Whether the file is larger than is allowed.
  public var isTooLarge: Bool { number == EFBIG }

  /// Whether the failure is the path's: nothing there, something other than a file, or too much.
  ///
  /// Any other failure, such as of the disk, or too many open files, is the machine's and says
  /// nothing about the file's author.
  public var isAboutFile: Bool {
    [
      ENOENT, ENOTDIR, EISDIR, EINVAL, EFBIG, ELOOP, ENXIO, Self.notAFile, Self.linkToNothing,
      Self.foreignLink, Self.linkToForeignName,
    ].contains(number)
  }

  /// Whether the disk, or the user's quota, is full.
  public var isLackOfRoom: Bool { Self.isLackOfRoom(number) }

  /// Whether an error number means that the disk, or the user's quota, is full.
  public static func isLackOfRoom(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }

  /// Returns an error number in words, beginning with a small letter.
  public static func reason(_ number: Int32) -> String {
    switch number {
    case ENOSPC: return "the disk is full, or has no room for more files"
    case EDQUOT: return "your quota on the disk is used up"
    case EROFS: return "the file system is read-only"
    case EIO: return "the disk failed (input/output error)"
    case notAFile, ENXIO: return "it is a pipe, a device or a socket, and not a file"
    case linkToNothing: return "it is a link, and what it leads to is not there"
    case foreignLink:
      return "it is a link, and others have a say in where it leads to: what is on the way must be "
        + "yours or root's, and nobody else may write there"
    case linkToForeignName: return "it is a link to a name that is not in UTF-8"
    case EFBIG: return "the file would be larger than is allowed"
    default: return systemWords(for: number)
    }
  }

  /// Returns what to do about an error; empty if there is nothing to suggest.
  public static func remedy(_ number: Int32) -> String {
    switch number {
    case ENOSPC: "make room on it"
    case EDQUOT: "remove files of yours, or ask for a larger quota"
    case EROFS: "mount it for writing, or use another place"
    case EIO: "check the disk, and copy what is on it"
    case EACCES, EPERM: "give yourself the permission, or use another place"
    case ENOENT: "create its folder"
    case ENOTDIR: "move away what is in the place of its folder"
    case EEXIST: "move away what has its name"
    case ELOOP: "put what it is to lead to in the place of the link"
    case EMFILE, ENFILE: "end some programs"
    case notAFile, ENXIO: "give the name of a file, or move it away"
    case linkToNothing:
      "mount the disk that it leads to, or put a file or folder in the place of the link"
    case foreignLink:
      "put a file in the place of the link, or link to a file in a folder into which only you can write (chmod go-w)"
    case linkToForeignName: "link to a file whose path is in UTF-8"
    case EISDIR: "give the name of a file, or move the folder away"
    default: ""
    }
  }
}
