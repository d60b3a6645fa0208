internal import ArgumentParser
internal import CommandArguments
internal import ExtensionGallery
internal import Foundation
internal import ServiceFolders
internal import TextOutput

/// The commands for keys that sign packages and galleries.
struct PackageKey: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Makes, shows and replaces keys.",
    discussion: """
      A key is a file that only its owner can read. Keep a copy of it in a safe place: without it \
      you cannot update what users have installed.
      """,
    subcommands: [PackageKeyNew.self, PackageKeyShow.self, PackageKeyRotate.self]
  )

  /// The help text of `--key`, shared by all commands that sign.
  static let defaultHelp = "The private key; by default the one that tickbird package key new made."
}

/// Creates a key.
struct PackageKeyNew: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Makes a new key, and prints its fingerprint."
  )

  @OptionGroup var format: FormatOption

  @Argument(help: "The new file; by default one in Tickbird's data folder.")
  var file: String?

  func run() async throws {
    try await GalleryEnvironment.run {
      let target = try file.map { try GivenPath.url($0) } ?? GalleryEnvironment.defaultKey()
      if file == nil { try ServiceFolders.makePrivate(target.deletingLastPathComponent()) }
      let key = SigningKey()
      try key.write(to: target)
      if format.isJSON {
        try HostOutput.write(json: KeyJSON(key.publicKey, in: target))
      } else {
        StandardOutput.line("\(try key.publicKey.fingerprint)")
      }
      Report.complain("made \(target.path); keep a copy of it in a safe place")
    }
  }
}

/// Shows a key's fingerprint.
struct PackageKeyShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints the fingerprint of a key."
  )

  @OptionGroup var format: FormatOption

  @Flag(
    name: .customLong("public"),
    help: "Print the public key itself, 64 digits, for tickbird gallery root sign --signer."
  )
  var showsPublicKey = false

  @Argument(help: "\(PackageKey.defaultHelp)")
  var file: String?

  func run() async throws {
    try await GalleryEnvironment.run {
      let key = try GalleryEnvironment.key(file).publicKey
      if format.isJSON {
        let place = try file.map { try GivenPath.url($0) } ?? GalleryEnvironment.defaultKey()
        return try HostOutput.write(json: KeyJSON(key, in: place))
      }
      StandardOutput.line("\(showsPublicKey ? key.digits : key.fingerprint.description)")
    }
  }
}

/// Rotates a key.
struct PackageKeyRotate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Replaces a key: writes a rotation, which both keys sign.",
    discussion: """
      Give the rotation to tickbird package --rotation, or put it into a gallery's folder. Keep it \
      there for as long as somebody may have pinned the old key.
      """
  )

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The new file with the rotation.", valueName: "file")
  )
  var output = "key.tickbird-rotation"

  @Argument(help: "The old key's file.")
  var old: String

  @Argument(help: "The new key's file.")
  var new: String

  func run() async throws {
    try await GalleryEnvironment.run {
      let rotation = try KeyRotation(
        from: GalleryEnvironment.key(old),
        to: GalleryEnvironment.key(new)
      )
      try GalleryEnvironment.write(rotation, to: output)
    }
  }
}
