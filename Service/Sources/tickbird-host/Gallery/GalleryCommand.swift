internal import ArgumentParser
internal import CommandArguments
internal import ExtensionBundles
internal import ExtensionGallery
internal import Foundation
internal import GallerySite
internal import TextOutput

/// The commands for galleries, both for their makers and for users.
struct GalleryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: CommandAbstract.gallery,
    discussion: """
      For example:
        tickbird gallery build site --name "My gallery"
        tickbird gallery add https://example.org/gallery/

      \(TickbirdHost.exitStatusHelp)
      """,
    subcommands: [
      GalleryBuild.self, GalleryRoot.self, GalleryAdd.self, GalleryList.self, GalleryRemove.self,
      GalleryForget.self,
    ]
  )
}

/// Builds a gallery from a folder.
struct GalleryBuild: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract:
      "Makes a gallery from a folder of packages, by adding a signed list, and pages to look at.",
    discussion: """
      The pages are index.html and what is in the folder tickbird-gallery. Files that a build has not \
      written are left alone.

      Any web server can serve the folder. Build again after each change, and before the list \
      expires: users get nothing from an expired one.
      """
  )

  @Option(help: ArgumentHelp(PackageKey.defaultHelp, valueName: "file"))
  var key: String?

  @Option(help: "The gallery's name; needed the first time.")
  var name: String?

  @Option(help: "For how many days the list is valid, 1 to 400.")
  var days = 30

  @Option(help: "The counter of the new list, higher than the last one's, if that list was lost.")
  var counter: UInt64?

  @Option(
    help: ArgumentHelp(
      "Where the folder is served, for the commands that the pages show.",
      valueName: "url"
    )
  )
  var address: String?

  @Flag(help: "Make the list without pages to look at.")
  var noSite = false

  @Argument(help: "The folder with the packages.", completion: .directory)
  var folder: String

  func validate() throws {
    guard address.map({ Self.isServed($0) }) ?? true else {
      throw ValidationError(
        "--address takes an address that begins with https://, without a name and password"
      )
    }
    guard (1...400).contains(days) else { throw ValidationError("--days takes 1 to 400") }
    guard counter.map({ $0 < 1 << 62 }) ?? true else {
      throw ValidationError("--counter is too high to go on from")
    }
  }

  /// Whether an address is one that users can give to Tickbird.
  private static func isServed(_ text: String) -> Bool {
    guard let url = URL(string: text), url.scheme == "https" || url.scheme == "http" else {
      return false
    }
    return text.utf8.allSatisfy { 0x20 < $0 && $0 < 0x7F } && Downloader.allows(url)
  }

  func run() async throws {
    try await GalleryEnvironment.run {
      let key = try GalleryEnvironment.key(key)
      let pages = GalleryPages(address: address.flatMap { URL(string: $0) })
      let folder = try GivenPath.url(folder).standardizedFileURL
      let list = try GalleryBuilder(folder: folder).build(
        key: key,
        name: name,
        counter: counter,
        life: TimeInterval(days) * 86_400,
        pages: noSite ? nil : { pages($0, $1) }
      )
      StandardOutput.line("\(path: folder.appending(path: UpdateList.fileName).path)")
      for entry in list.entries {
        Report.complain("\(entry.identifier) \(entry.version): \(entry.path)")
      }
      let option =
        list.root.map { "--root \($0.fingerprint)" } ?? "--key \(list.signer.fingerprint)"
      Report.complain(
        "\(list.name), list \(list.counter), good until \(list.expires.formatted(.iso8601)); users "
          + "add it with: tickbird gallery add URL \(option)"
      )
    }
  }
}

/// Adds a gallery.
struct GalleryAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds a gallery, and pins its key."
  )

  @Option(
    help: ArgumentHelp(
      "The fingerprint that the gallery's makers publish; without it you are asked whether you "
        + "trust the key.",
      valueName: "fingerprint"
    )
  )
  var key: String?

  @Option(
    help: ArgumentHelp(
      "The fingerprint of the gallery's root key, if its makers publish one; the root key "
        + "says which keys may sign, even after one was stolen.",
      valueName: "fingerprint"
    )
  )
  var root: String?

  @Flag(name: [.short, .long], help: "Trust the present key without being asked.")
  var yes = false

  @Argument(help: "The address of the gallery's folder, or of its list.")
  var url: String

  func run() async throws {
    try await GalleryEnvironment.run {
      let gallery = try await Self.add(url, key: key, root: root, yes: yes)
      StandardOutput.line("added \(gallery.name)")
    }
  }

  /// Adds a gallery after the user's consent to its key.
  ///
  /// - Throws: ``GalleryError``, and `ExitStatus` if the user declined.
  static func add(
    _ url: String,
    key: String?,
    root: String?,
    yes: Bool
  ) async throws -> KnownGallery {
    func fingerprint(_ text: String) throws -> KeyFingerprint {
      guard let fingerprint = KeyFingerprint(text) else {
        throw GalleryError(.key, "\(text) is not a fingerprint: 64 hexadecimal digits")
      }
      return fingerprint
    }
    guard let address = try Self.address(url) else {
      throw GalleryError(.download, "\(url) is not an address")
    }
    let gallery = try await GalleryEnvironment.installer().addGallery(
      address,
      key: key.map { try fingerprint($0) },
      root: root.map { try fingerprint($0) }
    ) { list in
      StandardOutput.line(
        """
        \(list.name)
          signed by  \(list.signer.fingerprint)
          root key   \(list.root?.fingerprint.description ?? "none")
          offers     \(list.entries.count)
        """
      )
      if yes { return true }
      return try GalleryEnvironment.ask("Compare the key with what its makers publish. Add it?")
    }
    guard let gallery else {
      Report.complain("not added")
      throw ExitStatus.refused
    }
    return gallery
  }

  private static func address(_ text: String) throws -> URL? {
    text.contains("://") ? URL(string: text) : try GivenPath.url(text).standardizedFileURL
  }
}

/// Lists the galleries and their packages.
struct GalleryList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the galleries that you added, and what they offer."
  )

  @OptionGroup var format: FormatOption

  func run() async throws {
    try await GalleryEnvironment.run {
      let installer = GalleryEnvironment.installer()
      let galleries = try await installer.refreshGalleries()
      if galleries.isEmpty {
        Report.complain("no gallery was added yet; see: tickbird gallery add --help")
      }
      var found: [GalleryJSON] = []
      for (gallery, list) in galleries {
        var shown = GalleryJSON(gallery)
        if !format.isJSON { Self.show(shown) }
        switch list {
        case .success(let list):
          shown.offers = []
          for entry in list.entries {
            let installed = try await installer.store.installedExtension(entry.identifier)
            let offer = GalleryJSON.Offer(
              identifier: entry.identifier,
              version: entry.version.description,
              name: entry.name,
              installed: installed?.version
            )
            shown.offers?.append(offer)
            if !format.isJSON { Self.show(offer) }
          }
        case .failure(let error):
          Report.complain("\(error.message)")
          shown.fault = error.message
        }
        found.append(shown)
      }
      if format.isJSON { try HostOutput.write(json: found) }
      if found.contains(where: { $0.fault != nil }) { throw ExitStatus.refused }
    }
  }

  private static func show(_ gallery: GalleryJSON) {
    StandardOutput.line("\(gallery.name)  \(gallery.address)")
    StandardOutput.line("  signed by  \(gallery.signer)")
    if let root = gallery.rootKey { StandardOutput.line("  root key   \(root)") }
  }

  private static func show(_ offer: GalleryJSON.Offer) {
    let note = offer.installed.map { "  (installed: \($0))" } ?? ""
    StandardOutput.line("  \(offer.identifier)  \(offer.version)  \(offer.name)\(note)")
  }
}

/// Removes a gallery.
struct GalleryRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes a gallery; what was installed from it stays, but is no longer updated."
  )

  @Argument(help: "The gallery's name or address.")
  var gallery: String

  func run() async throws {
    try await GalleryEnvironment.run {
      try await GalleryEnvironment.installer().removeGallery(gallery)
      StandardOutput.line("removed \(gallery)")
    }
  }
}

/// Unpins an extension's key.
struct GalleryForget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forgets the key and the versions of an extension that is no longer installed.",
    discussion: """
      Afterwards it can be installed in any version, signed by anybody. Do so only if its \
      developer has told you of a new key in another way.
      """
  )

  @Argument(help: "The extension's identifier.")
  var identifier: String

  func run() async throws {
    try await GalleryEnvironment.run {
      try await GalleryEnvironment.installer().forget(identifier)
      StandardOutput.line("forgot \(identifier)")
    }
  }
}
