import Foundation
import Glibc

/// The files outside its folders that every program needs.
enum SystemFiles {
  /// Where the system keeps libraries; they are public, and read-only to the process.
  static let libraries = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"]

  /// What the loader, the C library and Foundation read: the loader's index, zones, processors.
  static let always = [
    "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf",
    "/usr/share/zoneinfo",
    "/usr/share/locale", "/sys/devices/system/cpu/online", "/sys/devices/system/cpu/possible",
    "/proc/sys/vm/overcommit_memory", "/dev/urandom", "/dev/random",
  ]

  static let devices = ["/dev/null", "/dev/zero"]

  /// What finding a host and checking its certificate needs.
  ///
  /// Keys (`/etc/ssl/private`) are not among them.
  static let forNetwork = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services", "/etc/protocols", "/etc/ssl/certs", "/etc/ssl/cert.pem",
    "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem",
    "/etc/pki/ca-trust/extracted", "/etc/ca-certificates", "/etc/crypto-policies",
    "/usr/share/ca-certificates", "/usr/local/share/ca-certificates",
  ]

  /// The grants for what of these exists.
  ///
  /// Of the runtime's folders only shared libraries are granted, as a program names these folders.
  static func grants(
    interpreter: String?,
    runtimeFolders: [String],
    network: NetworkAccess
  ) -> [FileGrant] {
    var grants: [String: FileAccess] = [:]
    for path in libraries + always { add(path, .read, to: &grants) }
    for path in devices { add(path, .readAndWriteFile, to: &grants) }
    if network != .none {
      for path in forNetwork { add(path, .read, to: &grants) }
    }
    for folder in runtimeFolders where !libraries.contains(where: { within(folder, $0) }) {
      for library in sharedLibraries(in: folder) { add(library, .read, to: &grants) }
    }
    if let interpreter { add(interpreter, .readAndExecute, to: &grants) }
    return grants.sorted { $0.key < $1.key }.map { FileGrant(path: $0.key, access: $0.value) }
  }

  /// Folders outside the system's own that hold the Swift runtime: that of this process, and those
  /// that the program names and that hold one.
  static func runtimeFolders(named: [String]) -> [String] {
    var folders = Set(ownRuntimeFolders)
    for folder in named {
      guard let real = realPath(folder), realPath(real + "/libswiftCore.so") != nil else {
        continue
      }
      folders.insert(real)
    }
    return folders.sorted()
  }

  /// The folders from which this process has Swift's libraries, as its memory map says.
  private static let ownRuntimeFolders: [String] = {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else {
      return []
    }
    var folders: Set<String> = []
    for line in maps.split(separator: "\n") where line.contains("/libswiftCore.so") {
      guard let start = line.firstIndex(of: "/"), let end = line.lastIndex(of: "/") else {
        continue
      }
      folders.insert(String(line[start..<end]))
    }
    return folders.sorted()
  }()

  private static func sharedLibraries(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("lib") && ($0.hasSuffix(".so") || $0.contains(".so.")) }
      .map { folder + "/" + $0 }
  }

  private static func add(
    _ path: String,
    _ access: FileAccess,
    to grants: inout [String: FileAccess]
  ) {
    // Where nothing is there, there is nothing to grant.
    guard let real = realPath(path) else { return }
    grants[real] = access
  }

  private static func within(_ path: String, _ folder: String) -> Bool {
    FileGrant(path: folder, access: .read).covers(path)
  }
}
