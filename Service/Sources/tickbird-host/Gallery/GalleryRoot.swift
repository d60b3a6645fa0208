internal import ArgumentParser
internal import CommandArguments
internal import ExtensionGallery
internal import Foundation
internal import TextOutput

/// The commands for a gallery's root key, which authorizes the signing keys.
struct GalleryRoot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "root",
    abstract: "Names the keys that sign a gallery's lists, by a root key that is kept offline.",
    discussion: """
      The root key signs one small file, \(GalleryKeys.fileName), which is beside the gallery's \
      list and says which keys may sign it. Make the root key on a machine without a network, and \
      keep it there, or on paper: only that small file leaves the machine. If a signing key is \
      stolen or lost, sign the file again with another one. If a list's counter has reached its \
      end, sign it again with --reset-counter.

      The first time, on the machine of the root key:
        tickbird gallery root new root.key
        tickbird gallery root sign site --root root.key --name "My gallery" --signer PUBLIC-KEY
      where PUBLIC-KEY is what the machine of the gallery says:
        tickbird package key show --public
      Copy \(GalleryKeys.fileName) to the gallery's folder, and build the gallery there again.
      """,
    subcommands: [
      GalleryRootNew.self, GalleryRootSign.self, GalleryRootRotate.self, GalleryRootShow.self,
    ]
  )
}

/// Creates a root key.
struct GalleryRootNew: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Makes a root key, and prints its fingerprint."
  )

  @Argument(help: "The new file.")
  var file: String

  func run() async throws {
    try await GalleryEnvironment.run {
      let target = try GivenPath.url(file)
      let key = SigningKey()
      try key.write(to: target)
      StandardOutput.line("\(try key.publicKey.fingerprint)")
      Report.complain(
        "made \(target.path); keep it, and a copy, where no network reaches them: who has it has the "
          + "gallery, and nothing can be put right without it"
      )
    }
  }
}

/// Signs the next keys document.
struct GalleryRootSign: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Signs which keys may sign the gallery's lists from now on.",
    discussion: """
      Changes the \(GalleryKeys.fileName) that is in the folder: what you do not give stays as it \
      is. Users stop trusting keys that are no longer named. Put the new file beside the gallery's \
      list, and build the gallery again.
      """
  )

  @Option(help: ArgumentHelp("The root key's file.", valueName: "file"))
  var root: String

  @Option(
    help: ArgumentHelp(
      "A public key that may sign lists, 64 digits; can be given several times.",
      valueName: "public key"
    )
  )
  var signer: [String] = []

  @Option(help: "The gallery's name; needed the first time, and never changed.")
  var name: String?

  @Flag(
    name: .customLong("reset-counter"),
    help: "Restart the counter of lists at 1, and make earlier lists invalid."
  )
  var resetsCounter = false

  @Option(help: "For how many days the file is valid; by default for ever.")
  var days: Int?

  @Option(
    help: ArgumentHelp(
      "A rotation from the previous root key; can be given several times. Those in the file stay.",
      valueName: "file"
    )
  )
  var rotation: [String] = []

  @Argument(help: "The folder with the file, or for it.", completion: .directory)
  var folder: String

  func validate() throws {
    guard days.map({ (1...4_000).contains($0) }) ?? true else {
      throw ValidationError("--days takes 1 to 4000")
    }
  }

  func run() async throws {
    try await GalleryEnvironment.run {
      let key = try GalleryEnvironment.key(root, making: "gallery root new")
      var statement = GalleryKeys.Statement()
      statement.gallery = name
      statement.signers = try signer.map { try PublicKey(digits: $0) }
      statement.resetsCounters = resetsCounter
      statement.life = days.map { TimeInterval($0) * 86_400 }
      statement.rotations = try rotation.map {
        try KeyRotation(contentsOf: GivenPath.url($0), of: .root)
      }
      let file = try GivenPath.url(folder).standardizedFileURL
        .appending(path: GalleryKeys.fileName)
      let keys = try GalleryKeys.sign(statement, into: file, with: key)
      StandardOutput.line("\(path: file.path)")
      Report.complain(
        "\(keys.gallery), keys document \(keys.version); build the gallery again, and users add it "
          + "with: tickbird gallery add URL --root \(keys.root.fingerprint)"
      )
    }
  }
}

/// Rotates a root key.
struct GalleryRootRotate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Replaces a root key: writes a rotation, which both root keys sign.",
    discussion: """
      Then sign with the new one: tickbird gallery root sign FOLDER --root NEW --rotation FILE
      """
  )

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The new file with the rotation.", valueName: "file")
  )
  var output = "root.tickbird-root-rotation"

  @Argument(help: "The old root key's file.")
  var old: String

  @Argument(help: "The new root key's file.")
  var new: String

  func run() async throws {
    try await GalleryEnvironment.run {
      let rotation = try KeyRotation(
        from: GalleryEnvironment.key(old, making: "gallery root new"),
        to: GalleryEnvironment.key(new, making: "gallery root new"),
        of: .root
      )
      try GalleryEnvironment.write(rotation, to: output)
    }
  }
}

/// Shows a keys document.
struct GalleryRootShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows which keys a gallery's folder names, and until when."
  )

  @Argument(help: "The folder, or the file.", completion: .directory)
  var path: String

  func run() async throws {
    try await GalleryEnvironment.run {
      var file = try GivenPath.url(path).standardizedFileURL
      if file.lastPathComponent != GalleryKeys.fileName {
        file = file.appending(path: GalleryKeys.fileName)
      }
      let keys = try GalleryKeys(contentsOf: file)
      StandardOutput.line(
        """
        \(keys.gallery)
          root key   \(keys.root.fingerprint)
          version    \(keys.version)
          epoch      \(keys.epoch)
          made       \(keys.issued.formatted(.iso8601))
          good until \(keys.expires?.formatted(.iso8601) ?? "for ever")
        """
      )
      for signer in keys.signers { StandardOutput.line("  may sign   \(signer.fingerprint)") }
      for rotation in keys.rotations {
        StandardOutput.line(
          "  rotation   \(rotation.from.fingerprint) to \(rotation.to.fingerprint)"
        )
      }
    }
  }
}
