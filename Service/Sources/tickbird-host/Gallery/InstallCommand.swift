internal import ArgumentParser
internal import ExtensionGallery
internal import Foundation
internal import TextOutput

/// From an address, a file or a name to an installed extension.
struct InstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Installs an extension from a package: an address, a file, or a name in a gallery.",
    discussion: """
      Shows what it is, who signed it and what it asks for, and then asks. Addresses are https, or \
      http on this machine. The extension is off until it is turned on.

      For example:
        tickbird install com.example.blocker
        tickbird install https://example.org/gallery/com.example.blocker-1.0.tickbird

      \(TickbirdHost.exitStatusHelp)
      """
  )

  @OptionGroup var consent: Consent

  @Option(help: "The gallery's name or address, if several galleries have the extension.")
  var gallery: String?

  @Flag(help: "Retry a version whose first start failed before.")
  var again = false

  @Argument(
    help: "An address, a file, an identifier or a name.",
    completion: .file(extensions: ["tickbird"])
  )
  var source: String

  func run() async throws {
    try await GalleryEnvironment.run {
      let outcome = try await GalleryEnvironment.installer().install(
        PackageSource(source, gallery: gallery),
        again: again,
        confirm: { try consent($0) }
      )
      switch outcome {
      case .installed(let manifest, _):
        StandardOutput.line("installed \(manifest.identifier) \(manifest.version)")
      case .alreadyThere(let manifest):
        StandardOutput.line("\(manifest.identifier) \(manifest.version) is installed already")
      case .declined:
        Report.complain("not installed")
        throw ExitStatus.refused
      }
    }
  }
}
