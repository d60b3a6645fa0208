internal import DurableFiles
public import Foundation

/// The folder in which `swift build` keeps what it compiled for an extension.
///
/// Most of the time of a build goes into the modules under Apple's names, which are the same for all
/// extensions. So extensions that depend on nothing else share a folder in the user's cache. Before
/// another extension is built there, everything but those modules is removed: an extension must not
/// see modules that a stranger's project left behind, nor may `canImport` depend on what was built
/// before. The folder is locked while a build uses it.
public final class BuildFolder {
  /// The path for `--scratch-path`.
  public let url: URL
  private let lock: FileLock?

  private init(_ url: URL, lock: FileLock?) {
    self.url = url
    self.lock = lock
  }

  /// Prepares the folder for a build, and waits while another build uses it.
  ///
  /// - Parameters:
  ///   - project: The extension.
  ///   - kind: What distinguishes builds that share nothing, such as the configuration.
  ///   - environment: The variables that name the user's cache.
  ///   - willWait: Called once if another build has to end first.
  /// - Returns: The shared folder; `.build` in the extension's own folder if its `Package.swift`
  ///   depends on more than Tickbird's modules, or the cache cannot be used.
  public static func prepare(
    for project: ExtensionProject,
    kind: String,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    willWait: () -> Void = {}
  ) -> BuildFolder {
    let own = BuildFolder(project.folder.appendingPathComponent(".build"), lock: nil)
    guard let modules = sharedModules(of: project.folder),
      let cache = cache(environment)
    else { return own }
    let name = modules.isWithCryptography ? kind + "-cryptography" : kind
    let shared = cache.appendingPathComponent("extension-builds/\(name)", isDirectory: true)
    do {
      try DurableFile.makeFolder(shared.path)
      let lock = try lock(shared.appendingPathComponent("lock"), willWait)
      let folder = BuildFolder(shared, lock: lock)
      try folder.turnOver(to: project.folder, keeping: modules.names)
      return folder
    } catch {
      return own
    }
  }

  /// The longest time that another build may take.
  private static let patience: Duration = .seconds(3600)

  private static func lock(_ file: URL, _ willWait: () -> Void) throws -> FileLock {
    do {
      return try FileLock(file)
    } catch {
      willWait()
      return try FileLock.waiting(for: file, patience: patience)
    }
  }

  /// Returns the folder for data that can be made again: as in `ServiceFolders`.
  ///
  /// None where its name is not in UTF-8: it would be another folder.
  private static func cache(_ environment: [String: String]) -> URL? {
    func folder(_ variable: String) -> URL? {
      guard let path = environment[variable], path.hasPrefix("/"),
        !path.unicodeScalars.contains("\u{FFFD}")
      else { return nil }
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    if let own = folder("TICKBIRD_HOME") { return own.appendingPathComponent("cache") }
    return (folder("XDG_CACHE_HOME") ?? folder("HOME")?.appendingPathComponent(".cache"))?
      .appendingPathComponent("tickbird")
  }

  /// Returns the modules that extensions share, if `Package.swift` depends on nothing else.
  static func sharedModules(of folder: URL) -> (names: Set<String>, isWithCryptography: Bool)? {
    let file = folder.appendingPathComponent("Package.swift")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    let packages = text.matches(
      of: /\.package\s*\(\s*name:\s*"([^"]*)",\s*path:\s*"([^"\\]+)"\s*\)/
    )
    let count = text.matches(of: /\.package\s*\(/).count
    guard count == packages.count, let first = packages.first(where: { $0.1 == "AppleModules" })
    else { return nil }
    let modules = String(first.2)
    let extra = packages.filter { $0.1 != "AppleModules" }
    let cryptography = URL(fileURLWithPath: modules).deletingLastPathComponent()
      .appendingPathComponent("AppleCryptography").path
    guard extra.allSatisfy({ $0.1 == "AppleCryptography" && $0.2 == cryptography }) else {
      return nil
    }
    var names: Set<String> = []
    for part in ["Sources", "Shared"] {
      let entries = try? FileManager.default.contentsOfDirectory(atPath: "\(modules)/\(part)")
      guard let entries else { return nil }
      names.formUnion(entries)
    }
    if !extra.isEmpty { names.formUnion(cryptographyModules) }
    return (names, !extra.isEmpty)
  }

  /// The modules of swift-crypto.
  ///
  /// A project's own target cannot have one of these names in the same build.
  private static let cryptographyModules: Set<String> = [
    "CCryptoBoringSSL", "CCryptoBoringSSLShims", "Crypto", "CryptoBoringWrapper", "CryptoKit",
    "SwiftASN1",
  ]

  /// Removes what another extension left, unless the same one is built again.
  func turnOver(to project: URL, keeping modules: Set<String>) throws {
    let record = url.appendingPathComponent("owner")
    // With its manifest, since another project may come to be in the same place.
    let manifest = try Data(contentsOf: project.appendingPathComponent("Package.swift"))
    let owner = Data("\(project.standardizedFileURL.path)\n".utf8) + manifest
    guard (try? Data(contentsOf: record)) != owner else { return }
    let manager = FileManager.default
    // No owner until all of the last one's is gone.
    if manager.fileExists(atPath: record.path) { try manager.removeItem(at: record) }
    for folder in try productFolders() {
      for name in try manager.contentsOfDirectory(atPath: folder.path) {
        let path = folder.appendingPathComponent(name)
        if name == "Modules" {
          for module in try manager.contentsOfDirectory(atPath: path.path)
          where !modules.contains(Self.stem(module)) {
            try manager.removeItem(at: path.appendingPathComponent(module))
          }
        } else if !Self.isSwiftPM(name),
          !modules.contains(Self.stem(name)) || !name.hasSuffix(".build")
        {
          try manager.removeItem(at: path)
        }
      }
    }
    try owner.write(to: record)
  }

  /// Whether this is SwiftPM's own and says nothing of an extension.
  ///
  /// Everything is compiled again if the file with the compiler's version is new. The description of
  /// the build is not kept: it is the last extension's.
  private static func isSwiftPM(_ name: String) -> Bool {
    name == "ModuleCache" || name == "index" || name.hasPrefix("swift-version-")
  }

  private static func stem(_ name: String) -> String {
    String(name.prefix { $0 != "." })
  }

  /// The folders of products: one in each platform's, for each configuration.
  private func productFolders() throws -> [URL] {
    let manager = FileManager.default
    func folders(in url: URL) throws -> [URL] {
      try manager.contentsOfDirectory(atPath: url.path).map { url.appendingPathComponent($0) }
        .filter {
          let type = try? manager.attributesOfItem(atPath: $0.path)[.type] as? FileAttributeType
          return type == .typeDirectory
        }
    }
    let ignored: Set<String> = ["artifacts", "checkouts", "plugins", "repositories"]
    return try folders(in: url).filter { !ignored.contains($0.lastPathComponent) }
      .flatMap(folders)
  }
}
