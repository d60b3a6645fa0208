internal import ExtensionBundles
internal import Crypto
public import Foundation

/// A package whose signature and length have been verified.
///
///     offset  bytes
///     0       8      89 54 42 50 0D 0A 1A 0A
///     8       4      length of the signed manifest, least significant byte first
///     12      n      the signed manifest; see ``PackageManifest``
///     12 + n         the contents of its files in its order, then of its images, with nothing between
///
/// All metadata is in the manifest: there are no headers between files that could contradict what
/// was signed, and no entries other than files.
///
/// Reads with bounded memory: the manifest, and 64 KiB of contents at a time.
public struct PackageReader {
  private let input: InputFile
  private let contentsOffset: UInt64
  private let imagesOffset: UInt64
  /// The file's name, for messages.
  private let what: String
  /// The key that signed the manifest.
  public let signer: PublicKey
  /// The manifest.
  public let manifest: PackageManifest
  /// The size of the whole package in bytes.
  public var size: UInt64 { input.size }

  /// Opens a package, and verifies its manifest's signature and its length.
  ///
  /// ``verify()`` and ``unpack(into:)`` verify the contents.
  ///
  /// - Parameters:
  ///   - file: The package.
  ///   - limits: How large its parts may be.
  ///   - name: What messages call it; by default the file's name.
  /// - Throws: ``GalleryError`` with code `.notAPackage`, `.truncated`, `.trailingBytes`,
  ///   `.badSignature`, `.malformed`, `.badPath`, `.duplicatePath`, `.tooLarge`,
  ///   `.unsupportedVersion`, `.badRotation` or `.file`.
  public init(
    _ file: URL,
    limits: PackageLimits = PackageLimits(),
    called name: String? = nil
  ) throws {
    what = name ?? file.lastPathComponent
    input = try InputFile(file)
    let head = [UInt8](try input.read(12))
    guard head.prefix(8).elementsEqual(PackageWriter.magic.prefix(head.count)), !head.isEmpty else {
      throw GalleryError(.notAPackage, "\(what) is not a package of Tickbird")
    }
    guard head.count == 12 else { throw Self.truncated(what) }
    let length = (0..<4).reduce(0) { $0 | Int(head[8 + $1]) << ($1 * 8) }
    guard length <= limits.manifestSize else {
      throw GalleryError(
        .tooLarge,
        "\(what): its manifest has \(length) bytes; at most \(limits.manifestSize) are taken"
      )
    }
    let text = try input.read(length)
    guard text.count == length else { throw Self.truncated(what) }
    let signed = try SignedText(
      text,
      kind: PackageManifest.kind,
      context: .packageManifest,
      second: .presentedPackage,
      what: what
    )
    signer = signed.key
    manifest = try PackageManifest(signed, limits: limits)
    contentsOffset = UInt64(12 + length)
    imagesOffset = contentsOffset + manifest.contentsSize
    let expected = imagesOffset + manifest.presentation.imagesSize
    guard input.size >= expected else { throw Self.truncated(what) }
    guard input.size == expected else {
      throw GalleryError(
        .trailingBytes,
        "\(what) has \(input.size - expected) bytes after its last file"
      )
    }
  }

  private static func truncated(_ what: String) -> GalleryError {
    GalleryError(.truncated, "\(what) ends too early; fetch it again")
  }

  /// Verifies the contents of every file and image, without writing any.
  ///
  /// - Throws: ``GalleryError`` with code `.changedContents`, `.malformed` or `.truncated`.
  public func verify() throws {
    try input.seek(to: contentsOffset)
    for file in manifest.files { try pass(file) { _ in } }
    try forEachImage { _, _ in }
  }

  /// Calls a body with each image and its verified bytes, one at a time.
  ///
  /// - Throws: ``GalleryError`` with code `.changedContents`, `.malformed` or `.truncated`.
  public func forEachImage(_ body: (Presentation.Image, Data) throws -> Void) throws {
    try input.seek(to: imagesOffset)
    for image in manifest.presentation.images {
      let bytes = try input.read(image.size)
      guard bytes.count == image.size else { throw Self.truncated(what) }
      try image.check(bytes, what: what)
      try body(image, bytes)
    }
  }

  /// Returns the SHA-256 of the whole package.
  public func digest() throws -> Data { try FileDigest.sha256(of: input) }

  /// Writes the bundle into a folder.
  ///
  /// Files get the modes 755 and 644, and are verified while they are written; afterwards the
  /// bundle is compared with the manifest.
  ///
  /// - Parameter folder: A folder that nobody else writes to.
  /// - Returns: The bundle, durably written.
  /// - Throws: ``GalleryError``; then nothing of the bundle is left.
  public func unpack(into folder: URL) throws -> URL {
    let bundle = folder.appending(path: manifest.bundleName, directoryHint: .isDirectory)
    guard !FileSystem.exists(bundle) else {
      throw GalleryError(.file, "\(bundle.path) is there already")
    }
    do {
      try input.seek(to: contentsOffset)
      var folders: Set<URL> = [bundle]
      try FileSystem.makeFolder(bundle)
      for file in manifest.files {
        let url = bundle.appending(path: file.path, directoryHint: .notDirectory)
        let parent = url.deletingLastPathComponent()
        if folders.insert(parent).inserted { try FileSystem.makeFolder(parent) }
        let output = try WritableFile(new: url, mode: file.isExecutable ? 0o755 : 0o644)
        try pass(file, to: output.write)
        try output.finish()
      }
      // They stay in the package, but nothing of it is taken where one is not what was signed.
      try forEachImage { _, _ in }
      for folder in folders { try FileSystem.sync(folder: folder) }
      try FileSystem.sync(folder: folder)
      try check(BundleInformation(bundle: bundle))
    } catch {
      try? FileSystem.remove(bundle)
      throw error
    }
    return bundle
  }

  private func check(_ information: BundleInformation) throws {
    let said = PackageManifest(
      information,
      name: manifest.bundleName,
      presentation: manifest.presentation,
      rotations: manifest.rotations,
      files: manifest.files
    )
    guard said == manifest, said.version.description == manifest.version.description else {
      throw GalleryError(
        .malformed,
        "\(what): its manifest and the bundle's Info.plist name the bundle differently"
      )
    }
    try manifest.checkExecutable(information)
  }

  private func pass(_ file: PackageManifest.File, to write: (Data) throws -> Void) throws {
    var hash = SHA256()
    var left = file.size
    while left > 0 {
      let part = try input.read(Int(min(left, UInt64(PackageWriter.chunk))))
      guard !part.isEmpty else { throw Self.truncated(what) }
      left -= UInt64(part.count)
      hash.update(data: part)
      try write(part)
    }
    guard Data(hash.finalize()) == file.digest else {
      throw GalleryError(
        .changedContents,
        "\(what): \"\(file.path)\" is not what was signed; fetch the package again"
      )
    }
  }
}
