internal import ArgumentParser
internal import CLibrary
internal import CommandArguments
internal import DurableFiles
internal import ExtensionGallery
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import ServiceFolders
internal import TextOutput

/// What the commands for packages and galleries share.
enum GalleryEnvironment {
  /// Creates the installer for this user.
  static func installer(
    _ folders: ServiceFolders = ServiceFolders(),
    keepsData: Bool = false
  ) -> ExtensionInstaller {
    ExtensionInstaller(
      folders: folders,
      store: HostBundleStore(host: .command(folders), keepsData: keepsData)
    )
  }

  /// Returns the default signing key.
  static func defaultKey(_ folders: ServiceFolders = ServiceFolders()) -> URL {
    folders.data.appending(path: "keys/signing.key")
  }

  /// Reads a key, or says how to make one.
  static func key(_ path: String?, making command: String = "package key new") throws -> SigningKey
  {
    let file = try path.map { try GivenPath.url($0) } ?? defaultKey()
    // A link to a key that is not there now is one, and reading it says so: no other key may take its place.
    guard DurableFile.isThere(file.path) else {
      let place = path.map { " '\($0)'" } ?? ""
      throw GalleryError(
        .file,
        "There is no key \(file.path); make one with: tickbird \(command)\(place)"
      )
    }
    return try SigningKey(contentsOf: file)
  }

  /// Writes a rotation to a new file, and reports which key replaces which.
  static func write(_ rotation: KeyRotation, to path: String) throws {
    let file = try GivenPath.url(path)
    try rotation.write(to: file)
    StandardOutput.line("\(path: file.path)")
    Report.complain("\(rotation.from.fingerprint) is replaced by \(rotation.to.fingerprint)")
  }

  /// Runs a command, and reports its error as a sentence.
  static func run(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as ValidationError {
      throw error
    } catch {
      throw Report.failure(error)
    }
  }

  /// Returns who signed bundles that an older version of Tickbird installed without recording it:
  /// the pinned key, if the installed files are those of the package that it signed; otherwise
  /// nobody.
  static func olderSigner(_ folders: ServiceFolders = ServiceFolders()) -> SignerLookUp {
    { identifier, bundle throws(HostError) in
      do {
        let installer = ExtensionInstaller(
          folders: folders,
          store: HostBundleStore(host: .command(folders))
        )
        guard let signer = try installer.signer(of: identifier, bundle: bundle) else {
          return .unsigned
        }
        return try Signer(
          fingerprint: signer.key.fingerprint.description,
          replaced: signer.retired.map(\.fingerprint.description)
        )
      } catch {
        throw HostError(
          .file,
          "it cannot be found out who signed \(identifier), so that it gets no groups: \(error)"
        )
      }
    }
  }

  /// Asks a question whose default answer is no.
  ///
  /// - Throws: ``GalleryError`` if there is no terminal.
  static func ask(_ question: String) throws -> Bool {
    guard isatty(0) == 1 else {
      throw GalleryError(
        .notFound,
        "There is no terminal to ask on; give --yes to go on without a question"
      )
    }
    // The user must have seen what the question is about.
    if let lost = StandardOutput.flush() { throw GalleryError(.file, lost.message) }
    StandardError.write("\(question) [y/N] ")
    let answer = (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Formats a size for people.
  static func bytes(_ count: UInt64) -> String {
    count == 1 ? "1 byte" : "\(count) bytes"
  }
}

/// The user's consent to an installation.
struct Consent: ParsableArguments {
  @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
  var yes = false

  /// Shows what is about to be installed, and asks.
  func callAsFunction(_ offer: InstallOffer) throws -> Bool {
    let manifest = offer.manifest
    var lines: [OutputText] = [
      "\(manifest.name) \(manifest.shortVersion) (\(manifest.version))",
      "  identifier  \(manifest.identifier)",
      "  kind        \(manifest.extensionPoint)",
      "  signed by   \(offer.signer)",
    ]
    switch offer.trust {
    case .new: lines.append("              not known yet; later versions have to be signed by it")
    case .known: lines.append("              the key that signed what was installed before")
    case .rotated(let old):
      lines.append("              which takes the place of \(old); both signed that")
    }
    if let gallery = offer.gallery { lines.append("  gallery     \(gallery)") }
    lines.append("  asks for    \(offer.requests.sentences.joined(separator: "; "))")
    if offer.asksForMore {
      lines.append("  new         \(offer.additionalRequests.joined(separator: "; "))")
    }
    if let installed = offer.installedVersion {
      lines.append("  replaces    version \(installed)")
    }
    if offer.replacesUnsigned {
      lines.append("              which did not come from a package: nobody knows who made it")
    }
    StandardOutput.line(OutputText(joining: lines))
    if yes { return true }
    return try GalleryEnvironment.ask("Install it?")
  }
}
