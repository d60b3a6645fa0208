internal import CLibrary
internal import Crypto
internal import DurableFiles
public import Foundation
internal import ServiceFolders

/// Writes files so that all of it can be undone: each change is recorded, durably, before it is made.
///
/// What somebody else has written, or has changed since, is never replaced or removed. While a value
/// exists no other process changes the same record.
public final class SetupChanges {
  /// What was done to a file, or would be done.
  public enum Outcome: Equatable, Sendable {
    /// It was written, new or in place of setup's own older one.
    case written(String)
    /// A value was put into it, beside what is in it.
    case merged(String)
    /// It is as it has to be.
    case unchanged(String)
    /// It is as it has to be, was not recorded, and is now: it is setup's own by what it says.
    case takenOver(String)
    /// It was removed.
    case removed(String)
    /// A value was taken out of it.
    case takenOut(String)
    /// It was left alone, for the given reason.
    case left(String, reason: String)
    /// It was not there and not put there, for the given reason; that is as it has to be.
    case passedOver(String, reason: String)
  }

  /// Where the record is.
  let recordFile: URL
  /// The system whose files are changed; all paths in the record are paths in it.
  let root: SystemRoot
  /// What is written by now.
  public internal(set) var record: SetupRecord
  /// Whether nothing is written, to find out what would be.
  public let isTrial: Bool
  private let trust: Trust?
  let isForAll: Bool
  private var lock: FileLock?
  /// Whether things are taken away, which has to be possible on a full disk.
  var isUndoing = false
  private var reserve: DiskReserve { DiskReserve(folder: recordFile.deletingLastPathComponent()) }
  /// The largest file that is replaced or changed, in bytes.
  static let limit = 256 << 20

  /// Opens a record.
  ///
  /// - Parameters:
  ///   - recordFile: The file, which need not exist; in an image, its path there.
  ///   - root: The system whose files are changed.
  ///   - trust: Who may be able to change the folders that are written to; nil for a user's own files.
  ///   - isForAll: Whether everybody may read what is written.
  ///   - isTrial: Whether nothing is to be written.
  /// - Throws: ``SetupError``.
  public init(
    recordFile: URL,
    root: SystemRoot = .running,
    trust: Trust?,
    isForAll: Bool,
    isTrial: Bool
  ) throws(SetupError) {
    let recordFile = URL(filePath: try root.place(recordFile.path), directoryHint: .notDirectory)
    self.recordFile = recordFile
    self.root = root
    self.trust = trust
    self.isForAll = isForAll
    self.isTrial = isTrial
    let folder = recordFile.deletingLastPathComponent()
    let missing = isTrial ? [] : Self.missingFolders(folder.path)
    if isTrial {
      lock = nil
    } else {
      try Self.check(folder.path, trust)
      do {
        try DurableFile.makeFolder(folder.path, permissions: isForAll ? 0o755 : 0o700)
        lock = try FileLock.waiting(
          for: Self.lockFile(recordFile),
          holder: "tickbird setup",
          patience: .seconds(10)
        )
      } catch FileLock.Failure.held(let holder) {
        throw SetupError(.busy, "\(holder ?? "another process") is setting up; try again")
      } catch FileLock.Failure.unusable(let sentence) {
        throw SetupError(.record, sentence)
      } catch {
        throw SetupError(.file, "\(error)")
      }
    }
    try Self.check(recordFile.path, trust)
    // A link there is one of the image's, and this process would follow it out of it.
    if !root.isRunning, case .other(let reason) = Self.look(at: recordFile.path) {
      throw SetupError(.record, "\(recordFile.path) cannot be used: \(reason)")
    }
    record = try SetupRecord.read(recordFile)
    if !missing.isEmpty {
      record.folders += missing.map { root.path(of: $0) }
      try save()
    }
  }

  static func lockFile(_ recordFile: URL) -> URL { recordFile.appendingPathExtension("lock") }

  // MARK: Writing

  /// Writes a file as a whole.
  ///
  /// - Parameters:
  ///   - path: Its absolute path in the system; missing folders are made.
  ///   - data: Its contents.
  ///   - permissions: Its permissions.
  /// - Returns: What was done.
  /// - Throws: ``SetupError``; then the file is as it was.
  public func write(
    _ path: String,
    _ data: Data,
    permissions: UInt32? = nil
  ) throws(SetupError) -> Outcome {
    let place = try checked(path)
    let known = record.files.firstIndex { $0.path == path }
    let digest = Self.digest(data)
    switch Self.look(at: place) {
    case .absent: break
    case .other(let reason): return .left(place, reason: reason)
    case .file(let found):
      let foundDigest = Self.digest(found)
      if foundDigest == digest {
        // Byte for byte setup's own: whoever has written it, a lost record must not keep it there.
        try recordFound(path, digest)
        return known == nil ? .takenOver(place) : .unchanged(place)
      }
      guard let known, record.files[known].digests.contains(foundDigest) else {
        return .left(place, reason: known == nil ? Self.foreign : Self.changed)
      }
    }
    guard !isTrial else { return .written(place) }
    try makeFolder(Self.folder(of: place))
    let index = known ?? record.files.endIndex
    if known == nil { record.files.append(.init(path: path, digests: [])) }
    record.files[index].digests.append(digest)
    try save()
    try file {
      try DurableFile.replace(
        place,
        with: data,
        permissions: .exactly(permissions ?? (isForAll ? 0o644 : 0o600))
      )
    }
    record.files[index].digests = [digest]
    try save()
    return .written(place)
  }

  /// Records a file that is there, and that is setup's own by what it says.
  ///
  /// - Throws: ``SetupError``.
  func recordFound(_ path: String, _ digest: String) throws(SetupError) {
    guard !isTrial else { return }
    if let known = record.files.firstIndex(where: { $0.path == path }) {
      guard record.files[known].digests != [digest] else { return }
      record.files[known].digests = [digest]
    } else {
      record.files.append(.init(path: path, digests: [digest]))
    }
    try save()
  }

  /// Records that something else is going to write a file of setup's own, such as a key.
  ///
  /// A file that is there already is somebody else's, was recorded before, or is for the caller to tell.
  ///
  /// - Throws: ``SetupError``.
  func expect(_ path: String) throws(SetupError) {
    guard !isTrial, case .absent = Self.look(at: try checked(path)) else { return }
    record.files.removeAll { $0.path == path }
    record.files.append(.init(path: path, digests: []))
    try save()
  }

  /// Records what was written where ``expect(_:)`` has announced it; nothing if that is recorded already.
  ///
  /// - Throws: ``SetupError``.
  func adopt(_ path: String) throws(SetupError) {
    guard !isTrial,
      let index = record.files.firstIndex(where: { $0.path == path && $0.digests.isEmpty }),
      case .file(let found) = Self.look(at: try checked(path))
    else { return }
    record.files[index].digests = [Self.digest(found)]
    try save()
  }

  /// Makes a folder, once it is known that others cannot change what will be in it.
  func prepareFolder(_ path: String) throws(SetupError) {
    let place = try root.real(path)
    try Self.check(place, trust)
    try makeFolder(place)
  }

  /// Makes a folder with its missing parents, each of which is recorded.
  ///
  /// - Parameter place: Where it is, as ``checked(_:)`` has returned it.
  /// - Throws: ``SetupError``.
  func makeFolder(_ place: String) throws(SetupError) {
    let missing = Self.missingFolders(place)
    guard !missing.isEmpty, !isTrial else { return }
    for folder in missing.map(root.path(of:)) where !record.folders.contains(folder) {
      record.folders.append(folder)
    }
    try save()
    try file { try DurableFile.makeFolder(place, permissions: self.isForAll ? 0o755 : 0o700) }
  }

  /// The folders on the way to a path, itself included, that are not there, the outermost first.
  private static func missingFolders(_ path: String) -> [String] {
    var missing: [String] = []
    var next = path
    while next != "/", !DurableFile.isThere(next) {
      missing.append(next)
      next = folder(of: next)
    }
    return missing.reversed()
  }

  /// Writes the record.
  func save() throws(SetupError) {
    guard !isTrial else { return }
    // Of an administrator's files there are whole copies, which may have been for a few eyes alone.
    let isForAnybody = isForAll && record.entries.isEmpty
    func write() throws(FileFailure) {
      try record.write(recordFile, permissions: isForAnybody ? 0o644 : 0o600)
    }
    try file {
      if self.isUndoing { try self.reserve.using(write) } else { try write() }
    }
  }

  /// Removes the folders that were made, and then the record of them.
  ///
  /// Only those that are empty; a user's data may be in them. Who is interrupted finds in the record what is
  /// left to remove; when that is gone, nothing is but the folders that led to it.
  func end() throws(SetupError) {
    var folders: [String] = []
    for folder in record.folders { folders.append(try root.place(folder)) }
    let own = Self.folder(of: recordFile.path)
    let (way, others) = (
      folders.filter { (own + "/").hasPrefix($0 + "/") } + [own],
      folders.filter { !(own + "/").hasPrefix($0 + "/") }
    )
    for folder in others.reversed() where unsafe rmdir(folder) == 0 {
      try file { try DurableFile.synchronizeFolder(Self.folder(of: folder)) }
    }
    try file {
      try DurableFile.remove(self.recordFile.path)
      try DurableFile.remove(Self.lockFile(self.recordFile).path)
    }
    for folder in way.reversed() { _ = unsafe rmdir(folder) }
    lock = nil
  }

  /// Whether anything of a setup is there that undoing removes: its record, or what is beside that to the end.
  public static func isThere(recordFile: URL) -> Bool {
    DurableFile.isThere(recordFile.path) || DurableFile.isThere(lockFile(recordFile).path)
  }

  // MARK: Files

  enum Found { case absent, file(Data), other(String) }

  static let foreign = "it was there before, and is not setup's own; move it away, then try again"
  static let changed = "somebody has changed it since"

  /// What is at a path; links are not followed.
  static func look(at path: String, limit: Int = limit) -> Found {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      return errno == ENOENT || errno == ENOTDIR
        ? .absent : .other("it cannot be looked at: \(FileFailure.reason(errno))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return .other("it is not an ordinary file") }
    do throws(FileFailure) {
      return .file(Data(try DurableFile.contents(of: path, atMost: limit)))
    } catch {
      return .other(error.description)
    }
  }

  static func digest(_ data: Data) -> String {
    SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  static func folder(of path: String) -> String {
    URL(filePath: path, directoryHint: .notDirectory).deletingLastPathComponent().path
  }

  /// Returns where a file of the system is, once it is known that nobody else could put another there.
  func checked(_ path: String) throws(SetupError) -> String {
    let place = try root.place(path)
    if let trust, let weakness = try root.weakness(of: path, trust, followsLast: false) {
      throw Self.unsafe(place, weakness)
    }
    return place
  }

  /// Returns who else could put something at a place; nil if nobody could.
  func weakness(of place: String) -> String? { trust?.weakness(of: place) }

  private static func check(_ path: String, _ trust: Trust?) throws(SetupError) {
    if let weakness = trust?.weakness(of: path) { throw unsafe(path, weakness) }
  }

  private static func unsafe(_ path: String, _ weakness: String) -> SetupError {
    SetupError(
      .unsafe,
      "\(path) is not used, because others than root could change it: \(weakness)"
    )
  }

  /// Does something with files, whose failures name them.
  func file(_ body: () throws -> Void) throws(SetupError) {
    do { try body() } catch { throw SetupError(.file, "\(error)") }
  }
}
