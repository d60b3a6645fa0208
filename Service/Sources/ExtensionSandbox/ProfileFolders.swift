import Foundation
import Glibc

/// The folders that a profile names, resolved and checked.
struct ProfileFolders {
  let bundle: FoundFile
  /// The writable folders; the first is the container.
  let writable: [FoundFile]
  var container: FoundFile { writable[0] }
  /// The folders that no other path may lead to.
  let avoiding: WritableFolders
  private var walk: PathWalk

  /// The links by which the folders are reached.
  var links: Set<FollowedLink> { walk.links }

  /// - Throws: ``SandboxError`` with code `folder`.
  init(_ profile: SandboxProfile) throws {
    walk = PathWalk()
    var roots = WritableFolders()
    for url in profile.writableRoots {
      let root = try Self.folder(url, role: "The folder of writable folders", &walk).file
      try Self.add(root, to: &roots)
    }
    // A link in one of the roots may have been made by a program.
    walk.avoiding = roots
    let system = try Self.system()
    var found = WritableFolders()
    var parents: [FoundFile] = []
    for url in profile.readWrite {
      let (file, parent) = try Self.folder(
        url,
        role: "The writable folder",
        &walk,
        isWritable: true
      )
      guard !found.folders.contains(where: { $0.identity == file.identity }) else { continue }
      try Self.checkPermissions(file)
      try Self.checkPlace(file, in: parent, roots, system: system)
      try Self.add(file, to: &found)
      parents.append(parent)
    }
    guard !found.folders.isEmpty else {
      throw SandboxError(.folder, "A profile needs a folder to write to: the container")
    }
    for (folder, parent) in zip(found.folders, parents) where (try? found.contain(parent)) != false
    {
      throw SandboxError(
        .folder,
        "The writable folder \(folder.path) is within another of them"
      )
    }
    var all = roots
    for folder in found.folders { try Self.add(folder, to: &all) }
    walk.avoiding = all
    avoiding = all
    writable = found.folders
    bundle = try Self.folder(profile.bundle, role: "The bundle", &walk).file
  }

  /// Finds the program, which must be a file in the bundle.
  ///
  /// - Throws: ``SandboxError`` with code `executable`, or `system` if the machine does not say.
  func program(_ path: String) throws -> FoundFile {
    var walk = walk
    let program: FoundFile
    do throws(PathFailure) {
      program = try walk.find(path).file
    } catch {
      let isOfMachine =
        if case .system(_, let number) = error { !SandboxError.isOfProgram(number) } else { false }
      throw SandboxError(
        isOfMachine ? .system : .executable,
        "There is no program \(path): it \(error.reason)"
      )
    }
    guard program.path.isAtOrBelow(bundle.path) else {
      throw SandboxError(
        .executable,
        "The program \(program.path) is not in the bundle \(bundle.path)"
      )
    }
    guard program.isRegular else {
      throw SandboxError(.executable, "The program \(program.path) is not a file")
    }
    guard unsafe access(program.path, X_OK) == 0 else {
      guard errno == EACCES else {
        throw SandboxError.program("\(program.path) cannot be looked at", errno)
      }
      throw SandboxError(
        .executable,
        "The program \(program.path) is not executable; chmod +x helps"
      )
    }
    return program
  }

  private static func folder(
    _ url: URL,
    role: String,
    _ walk: inout PathWalk,
    isWritable: Bool = false
  ) throws -> (file: FoundFile, folder: FoundFile) {
    let path = url.path(percentEncoded: false)
    guard url.isFileURL, path.hasPrefix("/") else {
      throw SandboxError(.folder, "\(role) \(path) is not an absolute path")
    }
    let found: (file: FoundFile, folder: FoundFile)
    do throws(PathFailure) {
      found = try walk.find(path, isWritable: isWritable)
    } catch {
      throw SandboxError(.folder, "\(role) \(path) \(error.reason)")
    }
    guard found.file.isFolder else {
      throw SandboxError(.folder, "\(role) \(path) is not a folder")
    }
    guard found.file.path != "/" else {
      throw SandboxError(.folder, "\(role) cannot be the whole system")
    }
    return found
  }

  private static func add(_ folder: FoundFile, to folders: inout WritableFolders) throws {
    do throws(PathFailure) {
      try folders.add(folder)
    } catch {
      throw SandboxError(.folder, "\(folder.path) \(error.reason)")
    }
  }

  private static func system() throws -> WritableFolders {
    var folders = WritableFolders()
    var walk = PathWalk()
    for path in SystemFiles.libraries + ["/etc", "/dev", "/proc", "/sys"] {
      if let folder = try? walk.find(path).file { try add(folder, to: &folders) }
    }
    return folders
  }

  /// Requires a folder directly in a root: a deeper one may have been made by a program.
  private static func checkPlace(
    _ folder: FoundFile,
    in parent: FoundFile,
    _ roots: WritableFolders,
    system: WritableFolders
  ) throws {
    let isDirectlyInOne = roots.folders.contains { $0.identity == parent.identity }
    guard isDirectlyInOne || (try? roots.contain(folder)) == false, !roots.lieBelow(folder) else {
      throw SandboxError(
        .folder,
        "The writable folder \(folder.path) is not one of the folders that the host has made"
      )
    }
    guard (try? system.contain(folder)) == false, !system.lieBelow(folder) else {
      throw SandboxError(
        .folder,
        "\(folder.path) holds files of the system, or is one of its folders"
      )
    }
  }

  /// Checks a folder's permissions, which count even for root, as the process has no capabilities.
  private static func checkPermissions(_ folder: FoundFile) throws {
    var status = stat()
    guard unsafe fstat(folder.descriptor, &status) == 0 else {
      throw SandboxError(
        .folder,
        "\(folder.path) cannot be looked at: \(describeError(Int(errno)))"
      )
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
    guard granted & needed == needed else {
      throw SandboxError(
        .folder,
        "The folder \(folder.path) belongs to user \(status.st_uid) and cannot be written to by"
          + " user \(geteuid()); change its owner or permissions"
      )
    }
  }
}
