internal import ArgumentParser
internal import BrowserAnswering
internal import BrowserPackages
internal import CommandArguments
internal import DurableFiles
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import TextOutput

/// `tickbird-host browser package`: packs the extension for a permanent installation.
struct BrowserPackageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "package",
    abstract: "Packages the extension so that browsers install it permanently and let it block.",
    discussion: """
      Chromium lets an extension stop requests only if a policy installs it. Writes the packed \
      extension, an update manifest and the policy's file into one folder, and prints the commands \
      that root has to run; nothing is written elsewhere. For Firefox it writes the packed \
      extension.

      A package for Chromium is signed with a key of your own, and its id follows from that key. \
      The key is made when it is first needed, and kept; “tickbird browser install” finds its id.
      """
  )
  @Argument(
    help: "\(Browser.list); by default those that you have.",
    transform: Browser.named
  )
  var browsers: [Browser] = []
  @OptionGroup var extensionFolders: ExtensionFolderOption
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The folder to write to; by default browser/packages in Tickbird's data folder.",
      valueName: "folder"
    )
  )
  var output: String?
  @Option(
    help: ArgumentHelp(
      "The RSA key to sign with, in PEM; by default a key that is made when it is first needed.",
      valueName: "file"
    )
  )
  var key: String?
  @Option(
    help: ArgumentHelp(
      "The folder where root will put the packages.",
      valueName: "folder"
    )
  )
  var place = InstallationFiles.usualPlace.path

  func validate() throws {
    // Browsers read it from any working folder, and it becomes part of shell commands.
    let isPlain = place.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+".utf8.contains(byte)
    }
    guard place.hasPrefix("/"), isPlain else {
      throw ValidationError(
        "--place has to be an absolute path of letters, digits and . _ - + alone."
      )
    }
  }

  /// The default signing key.
  private static func usualKey(_ folders: ServiceFolders) -> URL {
    folders.data.appending(path: "keys/browser-extension.pem")
  }

  func run() async throws {
    do {
      try package()
    } catch let error as PackingError {
      throw Report.failure(error)
    }
  }

  private func package() throws {
    let userFolders = ServiceFolders()
    let target =
      try output.map { try GivenPath.folder($0).standardizedFileURL }
      ?? userFolders.data.appending(path: "browser/packages", directoryHint: .isDirectory)
    let sources = try sources()
    let chosen = chosenBrowsers(sources)
    if output == nil {
      try ServiceFolders.makePrivate(target)
    } else {
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    }
    for folder in sources {
      let kin = chosen.filter { $0.family.isOf(folder.family) }
      guard !kin.isEmpty else { continue }
      switch folder.family {
      case .chromium: try packChromium(folder, for: kin, into: target, userFolders)
      case .firefox: try packFirefox(folder, into: target)
      }
    }
  }

  /// Returns the built extensions to pack.
  private func sources() throws -> [ExtensionFolder] {
    let given = try extensionFolders.given()
    guard given.isEmpty else { return given }
    let program = try BrowserCommand.Options.parse([]).programFile
    let families = Set(browsers.isEmpty ? [.chromium, .firefox] : browsers.map(\.family))
    return try families.sorted { $0.rawValue < $1.rawValue }.map { family in
      guard let folder = LoadingInstructions.extensionFolder(near: program, family: family) else {
        throw ValidationError(
          """
          There is no extension for \(family.rawValue) beside \(program.path): \
          \(ExtensionFolderOption.wayOut).
          """
        )
      }
      return try ExtensionFolder(folder)
    }
  }

  private func chosenBrowsers(_ sources: [ExtensionFolder]) -> [Browser] {
    guard browsers.isEmpty else { return browsers }
    let places = BrowserPlaces()
    let known = Browser.allCases.filter { browser in
      sources.contains { browser.family.isOf($0.family) }
    }
    let present = known.filter { places.has($0) }
    return present.isEmpty ? known : present
  }

  // MARK: Chromium

  private func packChromium(
    _ folder: ExtensionFolder,
    for browsers: [Browser],
    into target: URL,
    _ userFolders: ServiceFolders
  ) throws {
    let keyFile = try key.map { try GivenPath.url($0) } ?? Self.usualKey(userFolders)
    if key == nil { try ServiceFolders.makePrivate(keyFile.deletingLastPathComponent()) }
    let (packingKey, isNew) = try PackingKey.kept(in: keyFile)
    let package = try ChromiumPackage(folder, key: packingKey)
    let place = try GivenPath.folder(place)
    let files = [
      (InstallationFiles.chromiumPackage, package.data),
      (InstallationFiles.updates, InstallationFiles.updates(package, in: place)),
      (
        InstallationFiles.chromiumPolicy,
        try InstallationFiles.chromiumPolicy(id: package.id, in: place)
      ),
    ]
    for (name, data) in files { try write(data, to: target.appending(path: name)) }

    let packed = PackedExtensions(userFolders)
    try ServiceFolders.makePrivate(
      userFolders.data.appending(path: "browser", directoryHint: .isDirectory)
    )
    try packed.add(package.id)

    StandardOutput.line("\(browsers.map(\.title).joined(separator: ", "))")
    StandardOutput.line(
      "  package  \(target.appending(path: InstallationFiles.chromiumPackage).path)"
    )
    StandardOutput.line("  version  \(package.version)")
    StandardOutput.line("  id       \(package.id)")
    StandardOutput.line(
      "  key      \(path: keyFile.path)\(isNew ? " (new; keep a copy: without it the id is lost)" : "")"
    )
    try refreshManifests(browsers)
    StandardOutput.line(
      """
      The policy acts on every user of this machine: the browser says that it is managed, and nobody
      can turn the extension off or remove it there. Removing the policy's file undoes both.
      As root:
      """
    )
    for name in [InstallationFiles.chromiumPackage, InstallationFiles.updates] {
      let source = copying(target.appending(path: name), to: place.appending(path: name).path)
      StandardOutput.line("  \(source)")
    }
    let policy = target.appending(path: InstallationFiles.chromiumPolicy)
    for browser in browsers {
      let file = "\(browser.policyFolder)/\(InstallationFiles.chromiumPolicy)"
      StandardOutput.line("  \(copying(policy, to: file))")
    }
    StandardOutput.line(
      """
      Then start the browser again; the extension is there some seconds later. Where another file of that \
      policy folder has ExtensionSettings, put both into one file: the browser takes one of them.
      To take it away: remove \(InstallationFiles.chromiumPolicy) from the policy folder.

      """
    )
  }

  /// Adds the package to the native messaging manifests that exist.
  private func refreshManifests(_ browsers: [Browser]) throws {
    let options = try BrowserCommand.Options.parse([])
    let installations = try options.installations
    for browser in browsers {
      for installation in installations {
        guard installation.status(browser, extensions: []).isReady else {
          StandardOutput.line(
            "  host     not yet; run: tickbird browser install \(browser.rawValue)"
          )
          continue
        }
        let outcome = try installation.install(browser, extensions: options.extensions)
        StandardOutput.line("  host     \(BrowserCommand.Install.words(outcome))")
      }
    }
  }

  // MARK: Firefox

  private func packFirefox(_ folder: ExtensionFolder, into target: URL) throws {
    let package = try FirefoxPackage(folder)
    let place = try GivenPath.folder(place)
    let name = InstallationFiles.firefoxPackage(id: package.id)
    let file = target.appending(path: name)
    let policy = target.appending(path: InstallationFiles.firefoxPolicy)
    try write(package.data, to: file)
    try write(try InstallationFiles.firefoxPolicy(id: package.id, in: place), to: policy)
    StandardOutput.line("\(Browser.firefox.title)")
    StandardOutput.line("  package  \(path: file.path)")
    StandardOutput.line("  version  \(package.version)")
    StandardOutput.line("  id       \(package.id)")
    StandardOutput.line("As root, in Debian's Firefox ESR:")
    StandardOutput.line("  \(copying(file, to: "\(Browser.firefoxExtensions)/\(name)"))")
    StandardOutput.line(
      """
      Or by a policy, which acts on every user of this machine: Firefox says that it is managed, nobody
      can turn the extension off or remove it there, and Firefox ESR takes this and every other
      extension without a signature. Removing the policy's file undoes all of it.
      """
    )
    StandardOutput.line("  \(copying(file, to: place.appending(path: name).path))")
    let policies = "\(Browser.firefox.policyFolder)/\(InstallationFiles.firefoxPolicy)"
    StandardOutput.line("  \(copying(policy, to: policies))")
    StandardOutput.line(
      """
      Then start Firefox again, twice in a profile that is there already. Firefox has one file of \
      policies; where it is there, add the entries to it.
      To take it away: remove the file, or the entries.

      """
    )
  }

  // MARK: Files

  private func write(_ data: Data, to file: URL) throws {
    try DurableFile.export(file.path, data)
  }

  /// Returns a command for a person to copy.
  private func copying(_ file: URL, to place: String) -> String {
    "install -D -m 644 \(Self.quoted(file.path)) \(Self.quoted(place))"
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "'\\''"))'"
  }
}

extension BrowserFamily {
  /// Returns whether a built extension is for this browser's family.
  func isOf(_ family: ExtensionFolder.Family) -> Bool {
    switch (self, family) {
    case (.chromium, .chromium), (.firefox, .firefox): true
    default: false
    }
  }
}
