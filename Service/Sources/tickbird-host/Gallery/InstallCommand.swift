internal import ArgumentParser
internal import BrowserHalves
internal import CommandArguments
internal import ExtensionBundles
internal import ExtensionGallery
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import TextOutput

/// Installs an extension from an address, a file or a gallery.
struct InstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: CommandAbstract.install,
    discussion: """
      Shows what it is, who signed it and what it asks for, and then asks. Addresses are https, or \
      http on this machine. The extension is off until it is turned on.

      For example:
        tickbird install com.example.blocker
        tickbird install https://example.org/gallery/com.example.blocker-1.0.tickbird
        tickbird install --to-browsers com.example.Notes.Extension
        tickbird install com.example.blocker \\
          --from https://example.org/gallery/ --key FINGERPRINT

      \(TickbirdHost.exitStatusHelp)
      """
  )

  @OptionGroup var consent: Consent

  @Option(help: "The gallery's name or address, if several galleries have the extension.")
  var gallery: String?

  @Option(
    help: ArgumentHelp(
      "The address of the gallery that has it, which is added first; its key is what --key or --root "
        + "says, or you are asked.",
      valueName: "url"
    )
  )
  var from: String?

  @Option(
    help: ArgumentHelp(
      "The fingerprint of the gallery's key, with --from.",
      valueName: "fingerprint"
    )
  )
  var key: String?

  @Option(
    help: ArgumentHelp(
      "The fingerprint of the gallery's root key, with --from.",
      valueName: "fingerprint"
    )
  )
  var root: String?

  @Flag(help: "Retry a version whose first start failed before.")
  var again = false

  @Flag(help: KeptData.help) var keepData = false

  @Flag(
    help:
      "Also add an extension's half for browsers to those that you have, as “browser add” does."
  )
  var toBrowsers = false

  @Argument(
    help: "An address, a file, an identifier or a name.",
    completion: .file(extensions: ["tickbird"])
  )
  var source: String

  func validate() throws {
    guard from != nil || key == nil && root == nil else {
      throw ValidationError("--key and --root are of the gallery that --from names")
    }
    guard from == nil || gallery == nil else {
      throw ValidationError("give --gallery for one that was added, or --from for a new one")
    }
  }

  func run() async throws {
    try await GalleryEnvironment.run {
      if FileManager.default.fileExists(atPath: source) { try GivenPath.check(source) }
      var gallery = gallery
      if let from {
        let added = try await GalleryAdd.add(from, key: key, root: root, yes: consent.yes)
        gallery = added.url.absoluteString
      }
      let outcome = try await GalleryEnvironment.installer(keepsData: keepData).install(
        PackageSource(source, gallery: gallery),
        again: again,
        confirm: { try consent($0) }
      )
      switch outcome {
      case .installed(let manifest, _):
        StandardOutput.line("installed \(manifest.identifier) \(manifest.version)")
        try follow(manifest)
      case .alreadyThere(let manifest):
        StandardOutput.line("\(manifest.identifier) \(manifest.version) is installed already")
        try follow(manifest)
      case .declined:
        Report.complain("not installed")
        throw ExitStatus.refused
      }
    }
  }

  /// Goes on with the half of an extension that browsers run.
  private func follow(_ manifest: PackageManifest) throws {
    let hasHalf =
      ExtensionPoint(rawValue: manifest.extensionPoint).map(BrowserHalf.exists(in:)) ?? false
    if toBrowsers {
      guard hasHalf else {
        Report.complain("\(manifest.identifier) has no half for browsers")
        return
      }
      try BrowserAdd.add(manifest.identifier)
    } else if hasHalf {
      let registrations = WebExtensionRegistrations(data: ServiceFolders().data)
      if registrations.registration(manifest.identifier) == nil {
        Report.complain("browsers do not have it yet: tickbird browser add \(manifest.identifier)")
      }
      BrowserRestarts.tell(manifest.identifier)
    }
  }
}
