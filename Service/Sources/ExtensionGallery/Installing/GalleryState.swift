internal import DurableFiles
public import ExtensionBundles
public import Foundation
internal import ServiceFolders
public import WebExtensions

/// What is stored about one extension, whether or not it is installed now.
public struct KnownIdentity: Equatable, Sendable, Codable {
  /// The key that has to sign its packages.
  public var pin: PinnedKey
  /// The highest version installed so far that did not fail; nil before the first.
  public var highest: BundleVersion?
  /// ``PackageManifest/contentsDigest`` of that version.
  public var contents: Data?
  /// The list from which it is updated; nil if it came as a file or from an address.
  public var gallery: URL?
  /// What the user agreed that the last installed version may do in browsers; nil if an older Tickbird
  /// installed it, whose questions did not say everything.
  public var asked: WebExtensionRequests?
  /// The versions whose first start failed, newest last.
  public var failed: [FailedVersion] = []
}

/// A version that was rolled back.
public struct FailedVersion: Equatable, Sendable, Codable {
  /// `CFBundleVersion`.
  public let version: BundleVersion
  /// ``PackageManifest/contentsDigest``.
  public let contents: Data
  /// The package's SHA-256.
  public let package: Data
  /// What went wrong.
  public let reason: String
}

/// A version that is being installed, or has not been started yet.
struct Trial: Equatable, Sendable, Codable {
  let version: BundleVersion
  let contents: Data
  let package: Data
  /// What will be stored about the version, unless its first start fails.
  let identity: KnownIdentity
  /// The previous version; nil if there was none.
  let previous: String?
  /// True once the bundle is in place; from then on its key and version are stored.
  var isInstalled: Bool?
  /// Whether a damaged bundle was there: there is no previous version then, but there are its data.
  var replacesDamaged: Bool?
  var attempts = 0
  /// Set once it is decided that the previous version will be restored.
  var failure: String?
}

/// The stored state of the gallery.
///
/// It is in the service's data folder, which no extension's sandbox can access.
struct GalleryState: Equatable, Sendable, Codable {
  /// 2 adds galleries' root keys, which an older version would drop.
  static let currentFormat = 2
  private static let oldestFormat = 1
  var format = currentFormat
  var galleries: [KnownGallery] = []
  var identities: [String: KnownIdentity] = [:]
  var trials: [String: Trial] = [:]
  var schedule = UpdateSchedule()

  /// Whether this version can read a file of a format.
  static func isKnown(_ format: Int) -> Bool { (oldestFormat...currentFormat).contains(format) }

  /// What every version writes, and what is read before anything else.
  fileprivate struct Form: Decodable { var format: Int }

  /// Returns what currently applies to an extension, including a version not started yet.
  func identity(_ identifier: String) -> KnownIdentity? {
    trials[identifier]?.identity ?? identities[identifier]
  }

  /// Returns a known identifier that differs only in case.
  func twin(of identifier: String) -> String? {
    (Array(identities.keys) + Array(trials.keys)).sorted()
      .first { $0 != identifier && $0.lowercased() == identifier.lowercased() }
  }
}

/// The file of the state, and the folder for downloads in progress.
struct StateFile: Sendable {
  let folder: URL
  /// The room for what is taken away on a full disk.
  private let reserve: DiskReserve
  /// Says that the state was written.
  private let mark: ContentsMark

  init(folders: ServiceFolders) {
    reserve = DiskReserve(folder: folders.data)
    folder = folders.data.appending(path: "gallery", directoryHint: .isDirectory)
    mark = ContentsMark(of: folder, contents: "trusted keys")
  }

  private var file: URL { folder.appending(path: "State.json") }
  /// Where packages are downloaded and unpacked; each call has a ``Workspace`` in it.
  var staging: URL { folder.appending(path: "staging", directoryHint: .isDirectory) }

  /// Whether there is a state.
  ///
  /// - Throws: ``GalleryError`` with code `.file` if there was one, and is none.
  private var isWritten: Bool {
    get throws(GalleryError) {
      // Before the state, which another process may write for the first time meanwhile.
      let wasWritten = mark.isThere
      if FileSystem.exists(file) { return true }
      guard wasWritten else { return false }
      throw GalleryError(.file, mark.loss)
    }
  }

  /// Reads the state; a new one if there is no file.
  ///
  /// - Throws: ``GalleryError`` with code `.file` if the file is damaged, or was written and is missing: starting
  ///   over would forget whom to trust.
  func read() throws -> GalleryState {
    guard try isWritten else { return GalleryState() }
    let data = try InputFile(file).readAll(limit: 64 << 20, what: file.path)
    do {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      // Another version may have other keys, which damage nothing.
      guard GalleryState.isKnown(try decoder.decode(GalleryState.Form.self, from: data).format)
      else {
        throw GalleryError(
          .unsupportedVersion,
          "\(file.path) was written by a later Tickbird; update Tickbird"
        )
      }
      var state = try decoder.decode(GalleryState.self, from: data)
      // Upgrades a state written by an older version.
      state.format = GalleryState.currentFormat
      return state
    } catch let error as GalleryError {
      throw error
    } catch {
      throw GalleryError(
        .file,
        "\(file.path) is damaged. It says whose keys are trusted; bring it back from a copy, or "
          + "take it\(mark.isThere ? " and \(mark.path)" : "") away to trust again"
      )
    }
  }

  /// Writes the state; in the reserve's room, if the disk is full and that only takes trust or identities
  /// away.
  func write(_ state: GalleryState, takingAway isRemoval: Bool = false) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try FileSystem.attempt("\(file.path) cannot be written") {
      try encoder.encode(state)
    }
    if isRemoval {
      try reserve.takeAway { try FileSystem.replaceOwnFile(file, with: data) }
    } else {
      try FileSystem.replaceOwnFile(file, with: data)
    }
    mark.make()
  }

  /// Runs a body while no other process changes the state or installs.
  ///
  /// The body must not download anything, since all others wait for it.
  ///
  /// - Throws: ``GalleryError`` with code `.busy` if another process holds the lock for too long.
  func locked<Result>(
    patience: Duration = .seconds(60),
    _ body: (inout GalleryState) async throws -> Result
  ) async throws -> Result {
    // What is lost has no room for the files of those who change it.
    _ = try isWritten
    try FileSystem.attempt("\(folder.path) cannot be made") {
      try ServiceFolders.makePrivate(folder)
    }
    let lock = try await lock("lock", patience)
    defer { withExtendedLifetime(lock) {} }
    // Anything in the folder was left by a killed process.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where DurableFile.isDraftName(name) {
      try FileSystem.remove(folder.appending(path: name))
    }
    Workspace.removeLeftovers(in: self)
    var state = try read()
    return try await body(&state)
  }

  func lock(_ name: String, _ patience: Duration) async throws -> FileLock {
    do {
      return try await FileLock.waiting(for: folder.appending(path: name), patience: patience)
    } catch FileLock.Failure.held {
      throw GalleryError(
        .busy,
        "Another process is installing or updating extensions; try again when it is done"
      )
    } catch FileLock.Failure.unusable(let sentence) {
      throw GalleryError(.file, sentence)
    }
  }
}
