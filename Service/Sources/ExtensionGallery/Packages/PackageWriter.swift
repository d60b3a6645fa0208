internal import Crypto
public import Foundation

/// Packages and signs a bundle.
///
/// The same bundle and key give the same bytes. No more than 64 KiB of files' contents are in
/// memory at a time.
///
/// > Deviation: on Apple's systems CryptoKit signs, whose signatures are randomized.
public struct PackageWriter {
  static let magic = Data([0x89, 0x54, 0x42, 0x50, 0x0D, 0x0A, 0x1A, 0x0A])
  static let chunk = 1 << 16

  private let bundle: URL
  private let limits: PackageLimits
  /// The metadata of the bundle.
  public let information: BundleInformation

  /// Reads a bundle's property lists.
  ///
  /// - Throws: ``GalleryError``.
  public init(bundle: URL, limits: PackageLimits = PackageLimits()) throws {
    self.bundle = bundle
    self.limits = limits
    guard BundleInformation.isBundleName(bundle.lastPathComponent) else {
      throw GalleryError(
        .bundle,
        "\(bundle.path) is not a bundle, NAME.appex; tickbird extension build makes one"
      )
    }
    information = try BundleInformation(bundle: bundle)
  }

  /// The usual name of the package's file.
  public var fileName: String { "\(information.identifier)-\(information.version).tickbird" }

  /// Writes the package.
  ///
  /// - Parameters:
  ///   - file: The destination; an existing file is replaced atomically.
  ///   - key: Signs the package.
  ///   - rotations: Rotations that lead to the key.
  ///   - shown: What the package shows of its extension; nil for nothing.
  /// - Returns: The package's manifest.
  /// - Throws: ``GalleryError``, with code `.badPath` for anything other than files and folders.
  @discardableResult
  public func write(
    to file: URL,
    signedBy key: SigningKey,
    rotations: [KeyRotation] = [],
    showing shown: PresentationFolder? = nil
  ) throws -> PackageManifest {
    // Nobody could install what cannot say what it asks for.
    _ = try BundleRequests(bundle: bundle)
    let shown = shown ?? .none
    guard rotations.count <= KeyRotation.limit else {
      throw GalleryError(.tooLarge, "A package brings at most \(KeyRotation.limit) rotations")
    }
    let manifest = PackageManifest(
      information,
      name: bundle.lastPathComponent,
      presentation: shown.presentation,
      rotations: rotations,
      files: try files()
    )
    try manifest.checkExecutable(information)
    let text = try manifest.signed(with: key)
    // Verify the result like a stranger's, so that no package is made that is refused elsewhere.
    _ = try PackageManifest(
      SignedText(
        text,
        kind: PackageManifest.kind,
        context: .packageManifest,
        second: .presentedPackage,
        what: bundle.path
      ),
      limits: limits
    )
    guard text.count <= limits.manifestSize else {
      throw GalleryError(.tooLarge, "\(bundle.path) has too many files for one package")
    }
    let new = file.deletingLastPathComponent()
      .appending(path: ".\(file.lastPathComponent).\(UUID().uuidString)")
    do {
      let output = try WritableFile(new: new, mode: 0o644)
      try output.write(Self.magic + Self.length(text.count) + text)
      for entry in manifest.files { try copy(entry, to: output) }
      for image in shown.images { try output.write(image) }
      try output.finish()
      try FileSystem.rename(new, to: file)
    } catch {
      try? FileSystem.remove(new)
      throw error
    }
    return manifest
  }

  /// Returns the ``PackageManifest/contentsDigest`` that the bundle's package would have.
  ///
  /// - Throws: ``GalleryError``.
  func contentsDigest() throws -> Data { PackageManifest.contentsDigest(of: try files()) }

  static func length(_ count: Int) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) })
  }

  private func files() throws -> [PackageManifest.File] {
    var result: [PackageManifest.File] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let place = folder.isEmpty ? bundle : bundle.appending(path: folder)
      let names = try FileSystem.attempt("\(place.path) cannot be read") {
        try FileManager.default.contentsOfDirectory(atPath: place.path)
      }
      for name in names {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        if let fault = PackagePath.fault(path) {
          throw GalleryError(.badPath, "\(bundle.path): \"\(path)\" cannot be packaged: \(fault)")
        }
        let url = bundle.appending(path: path)
        let type = try FileSystem.attempt("\(url.path) cannot be read") {
          try FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
        }
        switch type {
        case .typeDirectory: folders.append(path)
        case .typeRegular: result.append(try entry(path, url))
        default:
          throw GalleryError(
            .badPath,
            "\(url.path) is a link or a special file; a package holds files and folders alone"
          )
        }
        guard result.count <= limits.files else {
          throw GalleryError(.tooLarge, "\(bundle.path) has more than \(limits.files) files")
        }
      }
    }
    return result.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private func entry(_ path: String, _ url: URL) throws -> PackageManifest.File {
    let input = try InputFile(url, followingLinks: false)
    var hash = SHA256()
    var size: UInt64 = 0
    while true {
      let part = try input.read(Self.chunk)
      if part.isEmpty { break }
      size += UInt64(part.count)
      guard size <= limits.contentsSize else {
        throw GalleryError(.tooLarge, "\(url.path) has more than \(limits.contentsSize) bytes")
      }
      hash.update(data: part)
    }
    return PackageManifest.File(
      path: path,
      size: size,
      isExecutable: input.mode & 0o111 != 0,
      digest: Data(hash.finalize())
    )
  }

  private func copy(_ entry: PackageManifest.File, to output: WritableFile) throws {
    let url = bundle.appending(path: entry.path)
    let input = try InputFile(url, followingLinks: false)
    var hash = SHA256()
    var size: UInt64 = 0
    while size <= entry.size {
      let part = try input.read(Self.chunk)
      if part.isEmpty { break }
      size += UInt64(part.count)
      hash.update(data: part)
      try output.write(part)
    }
    guard size == entry.size, Data(hash.finalize()) == entry.digest else {
      throw GalleryError(.changedContents, "\(url.path) was changed while it was packaged")
    }
  }
}

extension PackageManifest {
  /// Checks that the file named by `CFBundleExecutable` exists and is executable.
  func checkExecutable(_ information: BundleInformation) throws {
    guard let executable = information.executable else { return }
    guard files.contains(where: { $0.path == executable && $0.isExecutable }) else {
      throw GalleryError(
        .bundle,
        "\(bundleName): CFBundleExecutable is \(executable), and there is no such file that can be "
          + "run"
      )
    }
  }
}
