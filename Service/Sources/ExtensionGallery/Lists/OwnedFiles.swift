internal import Foundation

/// The files that a build writes into a gallery's folder, so that it replaces and removes only its own.
///
/// `tickbird-gallery/files.txt` has a line `DIGEST PATH` for each. While files are being written it has
/// the old and the new ones, so that a build that was cut short can be repeated. What somebody else
/// wrote or changed is never touched.
final class OwnedFiles {
  private static let recordName = "\(GalleryCatalogue.folderName)/files.txt"
  /// Is there from the first build's beginning until its list is in place.
  private static let firstName = "\(GalleryCatalogue.folderName)/.first-build"
  private static let sizeLimit = 32 << 20

  private let folder: URL
  private var known: [String: Set<Data>]
  private var wanted: [String: Data] = [:]

  /// Reads which files are owned.
  ///
  /// - Throws: ``GalleryError`` with code `.file` or `.malformed`.
  init(_ folder: URL) throws {
    self.folder = folder
    let own = folder.appending(path: GalleryCatalogue.folderName)
    guard !FileSystem.isLink(own) else {
      throw GalleryError(
        .file,
        "\(own.path) is a link, and nothing is written where it leads to; move it away"
      )
    }
    let file = folder.appending(path: Self.recordName)
    known = [:]
    guard FileSystem.exists(file) else { return }
    let text = try InputFile(file).readAll(limit: Self.sizeLimit, what: file.path)
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let digest = Hexadecimal.bytes(parts[0]),
        Self.isOwnable(String(parts[1]))
      else {
        throw GalleryError(
          .malformed,
          "\(file.path) names \"\(line)\", which no build writes; take the file away, and what it names"
        )
      }
      known[String(parts[1]), default: []].insert(digest)
    }
  }

  /// Whether a list has ever been put in place here, as far as the other files tell.
  var hadList: Bool {
    guard !FileSystem.exists(folder.appending(path: Self.firstName)) else { return false }
    let own = folder.appending(path: GalleryCatalogue.folderName)
    // The record may be lost as well.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: own.path)) ?? []
    return !known.isEmpty || names.contains(where: GalleryCatalogue.isFileName)
  }

  /// Marks the folder's first build as begun, or its list as being in place, so that it can be repeated if it
  /// is cut short.
  ///
  /// - Throws: ``GalleryError`` with code `.file`.
  func setFirstBuild(_ isUnfinished: Bool) throws {
    let file = folder.appending(path: Self.firstName)
    guard isUnfinished != FileSystem.exists(file) else { return }
    guard isUnfinished else { return try FileSystem.remove(file) }
    try FileSystem.makeFolder(folder.appending(path: GalleryCatalogue.folderName))
    try FileSystem.replace(file, with: Data(), mode: 0o644)
  }

  /// Whether a build may write a path at all: `index.html`, and what is in its own folder.
  private static func isOwnable(_ path: String) -> Bool {
    guard PackagePath.fault(path) == nil else { return false }
    let parts = path.split(separator: "/")
    return path == "index.html"
      || parts.count == 2 && parts[0] == GalleryCatalogue.folderName && path != recordName
  }

  /// Checks that nothing of somebody else's is in the way, and records what is going to be written.
  ///
  /// - Parameter files: The digests of all files by their paths.
  /// - Throws: ``GalleryError`` with code `.file`; then nothing was written.
  func begin(_ files: [String: Data]) throws {
    for (path, digest) in files.sorted(by: { $0.key < $1.key }) {
      precondition(Self.isOwnable(path), "a build writes \(path)")
      let file = folder.appending(path: path)
      guard FileSystem.exists(file) else { continue }
      let found = FileSystem.isLink(file) ? nil : try FileDigest.sha256(of: file)
      guard let found, found == digest || known[path]?.contains(found) == true else {
        throw GalleryError(
          .file,
          "\(file.path) is not what a build has written, and is not replaced; move it away, or build "
            + "with --no-site"
        )
      }
    }
    wanted = files
    var both = known
    for (path, digest) in files { both[path, default: []].insert(digest) }
    try FileSystem.makeFolder(folder.appending(path: GalleryCatalogue.folderName))
    try write(both)
    known = both
  }

  /// Writes a file, unless it is there already.
  ///
  /// - Precondition: ``begin(_:)`` was told of it.
  func write(_ bytes: Data, to path: String) throws {
    precondition(wanted[path] != nil, "a build writes \(path)")
    let file = folder.appending(path: path)
    if FileSystem.isFile(file), !FileSystem.isLink(file),
      try FileDigest.sha256(of: file) == wanted[path]
    {
      return
    }
    try FileSystem.replace(file, with: bytes, mode: 0o644)
  }

  /// Removes files of earlier builds that are not wanted any more.
  func finish() throws {
    for (path, digests) in known where wanted[path] == nil {
      let file = folder.appending(path: path)
      guard FileSystem.isFile(file), !FileSystem.isLink(file),
        digests.contains(try FileDigest.sha256(of: file))
      else { continue }
      try FileSystem.remove(file)
    }
    try write(wanted.mapValues { [$0] })
  }

  private func write(_ files: [String: Set<Data>]) throws {
    let lines = files.sorted { $0.key < $1.key }.flatMap { path, digests in
      digests.map { Hexadecimal.text($0) }.sorted().map { "\($0) \(path)\n" }
    }
    try FileSystem.replace(
      folder.appending(path: Self.recordName),
      with: Data(lines.joined().utf8),
      mode: 0o644
    )
  }
}
