internal import ArgumentParser
internal import CommandArguments
internal import DurableFiles
internal import ExtensionGallery
internal import Foundation
internal import TextOutput

/// The commands for signed packages.
struct PackageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "package",
    abstract: CommandAbstract.package,
    discussion: """
      For example:
        tickbird package key new
        tickbird package Blocker.appex --presentation Blocker.shown
        tickbird package rules.json --name "My rules" \\
          --identifier com.example.rules --list-version 1
        tickbird package verify com.example.blocker-1.0.tickbird

      \(TickbirdHost.exitStatusHelp)
      """,
    subcommands: [PackageMake.self, PackageShow.self, PackageVerify.self, PackageKey.self],
    defaultSubcommand: PackageMake.self
  )
}

/// Packages and signs a bundle.
struct PackageMake: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Makes a signed package from a bundle, or from a rule list alone.",
    discussion: """
      A rule list is the JSON that Safari takes, which tickbird convert makes of other blockers' lists. It \
      is installed and updated like an extension.

      The package is one file, IDENTIFIER-VERSION.tickbird, whose path goes to standard output. \
      The same bundle and key give the same bytes.
      """
  )

  @Option(help: ArgumentHelp(PackageKey.defaultHelp, valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "A rotation to this key from an earlier one, by tickbird package key rotate; can be given "
        + "several times.",
      valueName: "file"
    )
  )
  var rotation: [String] = []

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The package's file, whose name ends in .tickbird, or the folder for it, which is made if it "
        + "is not there.",
      valueName: "path"
    )
  )
  var output = "."

  @Option(
    help: ArgumentHelp(
      "The folder with \(PresentationFolder.fileName), the icon and the pictures that galleries show.",
      valueName: "folder"
    ),
    completion: .directory
  )
  var presentation: String?

  @OptionGroup(title: "For a rule list") var list: PackagedList

  @Argument(help: "The folder NAME.appex, or a rule list, NAME.json.", completion: .directory)
  var bundle: String

  func validate() throws { try list.validate(isList: isList) }

  private var isList: Bool { URL(fileURLWithPath: bundle).pathExtension.lowercased() == "json" }

  func run() async throws {
    try await GalleryEnvironment.run {
      let key = try GalleryEnvironment.key(key)
      let place = FileManager.default.temporaryDirectory
        .appending(path: "tickbird-package-\(UUID().uuidString)", directoryHint: .isDirectory)
      defer { if isList { try? FileManager.default.removeItem(at: place) } }
      var source = try GivenPath.url(bundle).standardizedFileURL
      if isList { source = try list.bundle(of: source, in: place) }
      let writer = try PackageWriter(bundle: source)
      let shown = try presentation.map { try PresentationFolder(GivenPath.url($0)) }
      let rotations = try rotation.map { try KeyRotation(contentsOf: GivenPath.url($0)) }
      let file = try Self.file(at: output, named: writer.fileName)
      let manifest = try writer.write(
        to: file,
        signedBy: key,
        rotations: rotations,
        showing: shown
      )
      StandardOutput.line("\(path: file.path)")
      Report.complain(
        "packaged \(manifest.name) \(manifest.version), signed by \(try key.publicKey.fingerprint)"
      )
    }
  }
}

extension PackageMake {
  /// Returns the package's file, and creates its folder if that is what was given.
  fileprivate static func file(at output: String, named name: String) throws -> URL {
    let place = try GivenPath.url(output)
    var isFolder: ObjCBool = false
    _ = unsafe FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder)
    if !isFolder.boolValue, !output.hasSuffix("/"), place.pathExtension == "tickbird" {
      return place
    }
    // Of the usual permissions: a web server may run as another user.
    try DurableFile.makeFolder(place.path, permissions: 0o777)
    return place.appending(path: name)
  }
}

/// Shows a package's manifest.
struct PackageShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows what a package contains, without checking its files' contents."
  )

  @OptionGroup var format: FormatOption

  @Argument(help: "The package.", completion: .file(extensions: ["tickbird"]))
  var file: String

  func run() async throws {
    try await GalleryEnvironment.run {
      let package = try PackageReader(GivenPath.url(file))
      if format.isJSON { return try HostOutput.write(json: PackageJSON(package)) }
      let manifest = package.manifest
      StandardOutput.line(
        """
        \(manifest.name) \(manifest.shortVersion) (\(manifest.version))
          identifier  \(manifest.identifier)
          kind        \(manifest.extensionPoint)
          signed by   \(package.signer.fingerprint)
          bundle      \(manifest.bundleName)
        """
      )
      for rotation in manifest.rotations {
        StandardOutput.line(
          "  rotation    \(rotation.from.fingerprint) to \(rotation.to.fingerprint)"
        )
      }
      StandardOutput.line(
        "  files       \(manifest.files.count), \(GalleryEnvironment.bytes(manifest.contentsSize))"
      )
      let shown = manifest.presentation
      if !shown.isEmpty {
        StandardOutput.line("  summary     \(shown.summary)")
        StandardOutput.line("  category    \(shown.category)")
        StandardOutput.line("  developer   \(shown.developer)")
        StandardOutput.line("  homepage    \(shown.homepage)")
        for image in shown.images {
          StandardOutput.line(
            "  picture     \(image.format), \(image.width) × \(image.height), "
              + "\(GalleryEnvironment.bytes(UInt64(image.size)))  \(image.caption)"
          )
        }
      }
      for entry in manifest.files {
        StandardOutput.line("    \(entry.isExecutable ? "x" : "-") \(entry.size)\t\(entry.path)")
      }
    }
  }
}

/// Verifies a package.
struct PackageVerify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks a package's signature and everything in it."
  )

  @Option(
    name: .customLong("signed-by"),
    help: ArgumentHelp(
      "The fingerprint of the key that must have signed it.",
      valueName: "fingerprint"
    )
  )
  var signer: String?

  @Argument(help: "The package.", completion: .file(extensions: ["tickbird"]))
  var file: String

  func run() async throws {
    try await GalleryEnvironment.run {
      let package = try PackageReader(GivenPath.url(file))
      try package.verify()
      if let signer {
        guard let wanted = KeyFingerprint(signer) else {
          throw GalleryError(.key, "\(signer) is not a fingerprint: 64 hexadecimal digits")
        }
        guard wanted == package.signer.fingerprint else {
          throw GalleryError(
            .otherKey,
            "\(file) is signed by \(package.signer.fingerprint), not by \(wanted)"
          )
        }
      }
      let manifest = package.manifest
      StandardOutput.line(
        "\(manifest.identifier) \(manifest.version) is whole, signed by "
          + "\(package.signer.fingerprint)"
      )
    }
  }
}
