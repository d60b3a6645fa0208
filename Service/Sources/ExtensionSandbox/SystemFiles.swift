import CSandbox
import Glibc

/// The files outside its folders that every program needs.
///
/// All paths are this program's own; none comes from the program being started.
struct SystemFiles {
  /// The system's library folders: public, and read-only to the process.
  static let libraries = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"]

  /// What the loader, the C library and Foundation read: the loader's cache, time zones,
  /// processors.
  static let always = [
    "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf",
    "/usr/share/zoneinfo",
    "/usr/share/locale", "/sys/devices/system/cpu/online", "/sys/devices/system/cpu/possible",
    "/proc/sys/vm/overcommit_memory", "/dev/urandom", "/dev/random",
  ]

  static let devices = ["/dev/null", "/dev/zero"]

  /// What resolving a host and checking its certificate needs.
  ///
  /// Private keys (`/etc/ssl/private`) are not included.
  static let forNetwork = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services", "/etc/protocols", "/etc/ssl/certs", "/etc/ssl/cert.pem",
    "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem",
    "/etc/pki/ca-trust/extracted", "/etc/ca-certificates", "/etc/crypto-policies",
    "/usr/share/ca-certificates", "/usr/local/share/ca-certificates",
  ]

  private(set) var grants: [String: FileGrant] = [:]
  private var walk: PathWalk

  /// The links by which the grants are reached.
  var links: Set<FollowedLink> { walk.links }

  /// Finds those of the files that exist.
  ///
  /// - Parameters:
  ///   - network: The connections that may be made.
  ///   - runtimeFolders: Folders whose shared libraries are granted, as this program names them.
  ///   - avoiding: The folders that programs write to.
  /// - Throws: ``SandboxError`` with code `folder` if one of the paths leads to these.
  init(
    network: NetworkAccess,
    runtimeFolders: [String] = Self.runtimeFolders,
    avoiding: WritableFolders
  ) throws {
    walk = PathWalk(avoiding: avoiding)
    for path in Self.libraries + Self.always { try add(path, .read) }
    for path in Self.devices { try add(path, .readAndWriteFile) }
    if network != .none {
      for path in Self.forNetwork { try add(path, .read) }
    }
    for folder in runtimeFolders { try addLibraries(in: folder) }
  }

  /// Grants the loader that a program names, if it is the system's.
  ///
  /// Its path must have the form of the system's loaders: any other could lead somewhere else by
  /// the time the program starts.
  ///
  /// - Throws: ``SandboxError`` with code `executable` or `folder`.
  mutating func addInterpreter(_ named: String, of program: String) throws {
    let refused = SandboxError(
      .executable,
      "\(program) names the loader \(named), which is not one of the system's"
    )
    let components = named.split(separator: "/", omittingEmptySubsequences: false)
    guard Self.libraries.contains(where: { named.hasPrefix($0 + "/") }),
      !components.dropFirst().contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
      let found = try find(named), found.isRegular,
      Self.isLoader(found.path.split(separator: "/").last ?? ""),
      grants.values.contains(where: { $0.file.isFolder && $0.covers(found.path) })
    else { throw refused }
    grants[found.path] = FileGrant(file: found, access: .readAndExecute)
  }

  private static func isLoader(_ name: Substring) -> Bool {
    name.hasPrefix("ld-") || name.hasPrefix("ld.")
  }

  /// Returns whether a file name is that of a shared library.
  static func isLibrary(_ name: String) -> Bool {
    name.hasPrefix("lib") && (name.hasSuffix(".so") || name.contains(".so."))
  }

  /// The folder of Swift's libraries, as this process's loader named it; empty if it is linked
  /// statically.
  static let runtimeFolders: [String] = {
    guard let name = unsafe csandbox_origin("swift_retain") else { return [] }
    let path = unsafe String(cString: name)
    guard path.hasPrefix("/"), path.hasSuffix("/libswiftCore.so"),
      let end = path.lastIndex(of: "/")
    else { return [] }
    return [String(path[..<end])]
  }()

  /// Grants the shared libraries of a folder, but not the folder.
  ///
  /// A link is accepted only if it leads to another library of the same folder, which is granted
  /// under its own name. Folders, pipes, sockets and devices with such a name are skipped.
  private mutating func addLibraries(in path: String) throws {
    guard let folder = try find(path), folder.isFolder,
      !grants.values.contains(where: { $0.file.isFolder && $0.covers(folder.path) })
    else { return }
    for name in folder.names where Self.isLibrary(name) {
      guard let library = try? folder.child(name) else { continue }
      if library.isRegular {
        grants[library.path] = FileGrant(file: library, access: .read)
      } else if library.isLink, let target = try? library.target(), Self.isLibrary(target),
        !target.contains("/")
      {
        walk.note(FollowedLink(path: library.path, target: target))
      }
    }
  }

  private mutating func add(_ path: String, _ access: FileAccess) throws {
    // Nothing there, so nothing to grant.
    guard let found = try find(path) else { return }
    grants[found.path] = FileGrant(file: found, access: access)
  }

  private mutating func find(_ path: String) throws -> FoundFile? {
    do throws(PathFailure) {
      return try walk.find(path).file
    } catch {
      guard case .writable = error else { return nil }
      throw SandboxError(
        .folder,
        "\(path) \(error.reason). Nothing of the system may be there: move it, or the folder of"
          + " the extensions' data"
      )
    }
  }
}
