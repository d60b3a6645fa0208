internal import ArgumentParser
internal import ExtensionGallery
internal import Foundation
internal import TextOutput

/// Signed packages of extensions.
struct PackageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "package",
    abstract: "Makes and checks signed packages of extensions.",
    discussion: """
      For example:
        tickbird package key new
        tickbird package Blocker.appex
        tickbird package verify com.example.blocker-1.0.tickbird

      \(TickbirdHost.exitStatusHelp)
      """,
    subcommands: [PackageMake.self, PackageShow.self, PackageVerify.self, PackageKey.self],
    defaultSubcommand: PackageMake.self
  )
}

/// From `NAME.appex` to a signed package.
struct PackageMake: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Makes a signed package from a bundle.",
    discussion: """
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
    help: ArgumentHelp("The package's file, or the folder for it.", valueName: "path")
  )
  var output = "."

  @Argument(help: "The folder NAME.appex.", completion: .directory)
  var bundle: String

  func run() async throws {
    try await GalleryEnvironment.run {
      let writer = try PackageWriter(bundle: URL(fileURLWithPath: bundle).standardizedFileURL)
      let key = try GalleryEnvironment.key(key)
      var file = URL(fileURLWithPath: output)
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
        isFolder.boolValue
      {
        file.append(path: writer.fileName)
      }
      let rotations = try rotation.map { try KeyRotation(contentsOf: URL(fileURLWithPath: $0)) }
      let manifest = try writer.write(to: file, signedBy: key, rotations: rotations)
      StandardOutput.line("\(path: file.path)")
      Report.complain(
        "packaged \(manifest.name) \(manifest.version), signed by \(try key.publicKey.fingerprint)"
      )
    }
  }
}

/// What a package says of itself.
struct PackageShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows what a package contains, without checking its files' contents."
  )

  @Argument(help: "The package.", completion: .file(extensions: ["tickbird"]))
  var file: String

  func run() async throws {
    try await GalleryEnvironment.run {
      let package = try PackageReader(URL(fileURLWithPath: file))
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
      for entry in manifest.files {
        StandardOutput.line("    \(entry.isExecutable ? "x" : "-") \(entry.size)\t\(entry.path)")
      }
    }
  }
}

/// Whether a package is whole.
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
      let package = try PackageReader(URL(fileURLWithPath: file))
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
