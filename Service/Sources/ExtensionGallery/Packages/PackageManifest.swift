public import ExtensionBundles
public import Foundation

/// The manifest of a package: its bundle, what it shows of itself, who signed it, and every file.
///
///     tickbird-package 1                 2 with a presentation
///     key <64 hexadecimal digits>
///     identifier com.example.blocker
///     version 1.2
///     short-version 1.2 beta
///     name My Blocker
///     extension-point com.apple.Safari.content-blocker
///     bundle My Blocker.appex
///     summary …                          only in version 2; see ``Presentation``
///     rotation …                         none or several; see ``KeyRotation``
///     file x 81920 <sha256> MyBlocker    in the order of the paths' bytes
///     file - 512 <sha256> Resources/a b.json
///     signature <128 hexadecimal digits>
public struct PackageManifest: Equatable, Sendable {
  static let kind = "tickbird-package"

  /// A file of the bundle.
  public struct File: Equatable, Sendable {
    /// The path in the bundle, with `/` between components.
    public let path: String
    /// The size in bytes.
    public let size: UInt64
    /// Whether it is executable.
    public let isExecutable: Bool
    /// The SHA-256 of its contents.
    public let digest: Data

    fileprivate var line: String {
      "file \(isExecutable ? "x" : "-") \(size) \(Hexadecimal.text(digest)) \(path)"
    }
  }

  /// The bundle's identifier.
  public let identifier: String
  /// `CFBundleVersion`, which decides what is newer.
  public let version: BundleVersion
  /// `CFBundleShortVersionString`, for display.
  public let shortVersion: String
  /// The display name.
  public let name: String
  /// `NSExtensionPointIdentifier`.
  public let extensionPoint: String
  /// The name of the bundle's folder, `NAME.appex`.
  public let bundleName: String
  /// What it shows of itself; empty in version 1.
  public let presentation: Presentation
  /// Rotations that lead to the key that signed.
  public let rotations: [KeyRotation]
  /// The files, in the order of their contents in the package.
  public let files: [File]

  /// The SHA-256 of the file lines; equal for equal contents, whichever key signed.
  public var contentsDigest: Data { Self.contentsDigest(of: files) }

  static func contentsDigest(of files: [File]) -> Data {
    FileDigest.sha256(of: Data(files.map { $0.line + "\n" }.joined().utf8))
  }

  /// The total size of all files in bytes.
  public var contentsSize: UInt64 { files.reduce(0) { $0 + $1.size } }

  init(
    _ bundle: BundleInformation,
    name: String,
    presentation: Presentation = Presentation(),
    rotations: [KeyRotation],
    files: [File]
  ) {
    identifier = bundle.identifier
    version = bundle.version
    shortVersion = bundle.shortVersion
    self.name = bundle.name
    extensionPoint = bundle.extensionPoint
    bundleName = name
    self.presentation = presentation
    self.rotations = rotations
    self.files = files
  }

  /// Parses the signed lines.
  init(_ text: SignedText, limits: PackageLimits) throws {
    var lines = text.lines
    identifier = try lines.bundleIdentifier("identifier")
    version = try lines.version("version")
    shortVersion = try lines.shownText("short-version")
    name = try lines.shownText("name")
    extensionPoint = try lines.bundleIdentifier("extension-point")
    bundleName = try lines.value("bundle")
    guard BundleInformation.isBundleName(bundleName) else {
      throw lines.failure(
        "\"\(bundleName)\" is not the name of a bundle, NAME.appex",
        code: .badPath
      )
    }
    presentation = text.version == 1 ? Presentation() : try Presentation(&lines)
    guard text.version == 1 || !presentation.isEmpty else {
      throw lines.failure("version 2 of the format is for packages that show something")
    }
    rotations = try lines.rotations()
    var files: [File] = []
    var total: UInt64 = 0
    var paths = PathSet()
    while !lines.isAtEnd {
      guard files.count < limits.files else {
        throw lines.failure("there are more than \(limits.files) files", code: .tooLarge)
      }
      let file = try Self.file(try lines.value("file"), lines)
      if let last = files.last {
        if last.path.utf8.elementsEqual(file.path.utf8) {
          throw lines.failure("the file \"\(file.path)\" is there twice", code: .duplicatePath)
        }
        guard last.path.utf8.lexicographicallyPrecedes(file.path.utf8) else {
          throw lines.failure("\"\(file.path)\" is not in the order of the paths' bytes")
        }
      }
      try paths.insert(file.path, what: lines.what)
      // Each size is below 2⁶³ and the sum below the limit, so this cannot overflow.
      total += file.size
      guard total <= limits.contentsSize else {
        throw lines.failure(
          "the files have more than the \(limits.contentsSize) bytes that are taken",
          code: .tooLarge
        )
      }
      files.append(file)
    }
    guard files.contains(where: { $0.path == BundleInformation.fileName }) else {
      throw lines.failure("there is no file Info.plist")
    }
    self.files = files
  }

  private static func file(_ text: String, _ lines: SignedLines) throws -> File {
    let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "x" || parts[0] == "-",
      let size = SignedLines.number(parts[1]),
      let digest = Hexadecimal.bytes(parts[2]), digest.count == 32
    else {
      throw lines.failure("expected \"file\", x or -, a size, a SHA-256 and a path")
    }
    let path = String(parts[3])
    if let fault = PackagePath.fault(path) {
      throw lines.failure("the path \"\(path)\" is refused: \(fault)", code: .badPath)
    }
    return File(path: path, size: size, isExecutable: parts[0] == "x", digest: digest)
  }

  func signed(with key: SigningKey) throws -> Data {
    var lines = [
      "identifier \(identifier)", "version \(version)", "short-version \(shortVersion)",
      "name \(name)", "extension-point \(extensionPoint)", "bundle \(bundleName)",
    ]
    // Without a presentation the format is the original one.
    lines += presentation.lines
    lines += rotations.map(\.line)
    lines += files.map(\.line)
    return try SignedText.sign(
      lines,
      kind: Self.kind,
      context: presentation.isEmpty ? .packageManifest : .presentedPackage,
      version: presentation.isEmpty ? 1 : 2,
      with: key
    )
  }
}

extension SignedLines {
  mutating func bundleIdentifier(_ name: String) throws -> String {
    let text = try value(name)
    guard BundleInformation.isIdentifier(text) else {
      throw failure("\(name) is not letters, digits, hyphens and dots")
    }
    return text
  }

  mutating func version(_ name: String) throws -> BundleVersion {
    let text = try value(name)
    guard let version = BundleVersion(published: text) else {
      throw failure("\(name) is not whole numbers with dots between them")
    }
    return version
  }

  mutating func shownText(_ name: String) throws -> String {
    let text = try value(name)
    guard BundleInformation.isShownText(text) else {
      throw failure("\(name) is over 200 bytes long, or has characters that are not seen")
    }
    return text
  }

  mutating func rotations(
    _ name: String = "rotation",
    of role: KeyRotation.Role = .signing,
    limit: Int = KeyRotation.limit
  ) throws -> [KeyRotation] {
    var rotations: [KeyRotation] = []
    while !isAtEnd, upcoming == name {
      let line = try value(name)
      guard rotations.count < limit else {
        throw failure("there are more than \(limit) rotations", code: .tooLarge)
      }
      rotations.append(try KeyRotation(line: line, of: role, in: self))
    }
    return rotations
  }
}
