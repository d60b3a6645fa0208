internal import ArgumentParser
internal import BrowserAnswering
internal import BrowserPackages
internal import BrowserSetup
internal import CommandArguments
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import TextOutput

/// `tickbird-host browser`: registers the program with browsers.
struct BrowserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browser",
    abstract: CommandAbstract.browser,
    discussion: TickbirdHost.exitStatusHelp,
    subcommands: [
      Install.self, Uninstall.self, BrowserDisallow.self, Status.self, BrowserPackageCommand.self,
      BrowserAdd.self, BrowserRemove.self, BrowserHost.self,
    ],
    defaultSubcommand: Status.self
  )

  /// The program and the extensions to register.
  struct Options: ParsableArguments {
    @Option(
      name: .customLong("host"),
      help: "The program that browsers start; by default this one."
    )
    var program: String?
    @Option(
      name: .customLong("allow"),
      help: """
        The id of another browser extension that may start the program; can be given several \
        times. See tickbird browser install.
        """
    )
    var others: [String] = []
    @Flag(help: "Also use the host name of Apple's samples, application.id.")
    var applicationID = false

    func validate() throws {
      for id in others
      where !BrowserFamily.chromium.isExtensionID(id) && !BrowserFamily.firefox.isExtensionID(id) {
        throw ValidationError(
          """
          “\(id)” is not an extension's id: those of Chromium are 32 letters from a to p, those of \
          Firefox as name@example.org or a UUID in braces.
          """
        )
      }
    }

    var extensions: [String] { own + others }

    /// The ids of Tickbird's own extension.
    var own: [String] {
      [BrowserIdentity.chromiumID, BrowserIdentity.geckoID]
        + PackedExtensions(ServiceFolders()).ids + SystemSetup.extensionIDs()
    }

    var programFile: URL { get throws { try Self.programFile(program) } }

    /// The program that browsers start: the named one, or this one.
    static func programFile(_ name: String?) throws -> URL {
      if let name { return try GivenPath.url(name).standardizedFileURL }
      return Bundle.main.executableURL?.resolvingSymlinksInPath()
        ?? URL(filePath: CommandLine.arguments[0])
    }

    /// One for each name of the host.
    var installations: [HostInstallation] {
      get throws {
        let program = try programFile
        let names =
          [BrowserIdentity.hostName] + (applicationID ? [BrowserIdentity.sampleHostName] : [])
        return names.map {
          HostInstallation(
            places: BrowserPlaces(),
            program: program,
            name: $0,
            reserve: DiskReserve(folder: ServiceFolders().data)
          )
        }
      }
    }
  }

  /// `browser install`.
  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Writes the manifests by which browsers find this program.",
      discussion: """
        Registers with the browsers that are installed, or with those that you name. Other \
        extensions that a manifest lists stay in it.

        --allow ID lets another extension than Tickbird's own start the program. It may do only \
        what you grant: --for IDENTIFIER lets it set the list of that installed web extension and \
        send messages to its handler. It never sees links, rules, or lists of others. “tickbird \
        browser status” shows what is granted, and “tickbird browser disallow ID” revokes it.
        """
    )
    @Argument(help: "\(Browser.list)", transform: Browser.named) var browsers: [Browser] = []
    @Flag(help: "Register with all browsers, installed or not.") var all = false
    @Flag(
      help: ArgumentHelp(
        "If another program's file has the manifest's name, keep that file under another "
          + "name."
      )
    )
    var replace = false
    @Option(
      name: .customLong("extension"),
      help: "The folder of Tickbird's browser extension, for the steps that are shown."
    )
    var folder: String?
    @Option(
      name: .customLong("for"),
      help: """
        The identifier of the installed web extension that the allowed one belongs to; can be \
        given several times.
        """
    )
    var webExtensions: [String] = []
    @Flag(
      help: """
        Let the allowed extension ask for, add, change and delete the note of any page that it names. \
        Only for one that you trust with your notes.
        """
    )
    var withPageNotes = false
    @OptionGroup var options: Options

    func validate() throws {
      let hasGrants = !webExtensions.isEmpty || withPageNotes
      if options.others.isEmpty, hasGrants {
        throw ValidationError(
          "--for and --with-page-notes say what --allow ID is for; give the id."
        )
      }
      if !options.others.isEmpty, !hasGrants {
        throw ValidationError(
          "--allow lets an extension in for something: give --for IDENTIFIER, the installed web "
            + "extension whose list and handler it may ask for."
        )
      }
    }

    func run() throws {
      let program = try options.programFile
      let isFolder = try? program.resourceValues(forKeys: [.isDirectoryKey]).isDirectory
      guard FileManager.default.isExecutableFile(atPath: program.path), isFolder != true else {
        throw ValidationError("\(program.path) is not there, or is not a program.")
      }
      let places = BrowserPlaces()
      var chosen = all ? Browser.allCases : browsers
      if chosen.isEmpty { chosen = Browser.allCases.filter { places.has($0) } }
      guard !chosen.isEmpty else {
        StandardOutput.line(
          """
          No browser was found. Name one (\(Browser.list)), or use --all.
          """
        )
        throw ExitStatus.refused
      }
      let named = try folder.map { try ExtensionFolder(GivenPath.url($0).standardizedFileURL).url }
      // Once nothing that was given is wrong.
      try BrowserGrants.grant(options.others, webExtensions, withPageNotes)
      let installations = try options.installations
      var isRefused = false
      for browser in chosen {
        StandardOutput.line("\(browser.title)")
        for installation in installations {
          let outcome = try installation.install(
            browser,
            extensions: options.extensions,
            replacing: replace
          )
          if case .refused = outcome { isRefused = true }
          StandardOutput.line("  \(Self.words(outcome))")
        }
        if places.isConfined(browser) { StandardOutput.line("  \(Status.confinement)") }
        let built =
          named ?? LoadingInstructions.extensionFolder(near: program, family: browser.family)
        for step in LoadingInstructions.steps(browser, extensionFolder: built) {
          StandardOutput.line("  - \(step)")
        }
      }
      if isRefused {
        StandardOutput.line("With --replace, another program's file is renamed and kept.")
        throw ExitStatus.refused
      }
    }

    static func words(_ outcome: HostInstallation.Outcome) -> String {
      switch outcome {
      case .written(let file): "wrote \(file.path)"
      case .unchanged(let file): "\(file.path) is up to date"
      case .removed(let file): "removed \(file.path)"
      case .kept(let file, let callers):
        "\(file.path) stays, for \(callers.joined(separator: ", "))"
      case .absent(let file): "\(file.path) is not there"
      case .refused(let file, let reason): "left \(file.path): \(reason)"
      case .replaced(let file, let backup): "wrote \(file.path); what was there is \(backup.path)"
      }
    }
  }

  /// `browser uninstall`.
  struct Uninstall: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "uninstall",
      abstract: "Removes the manifests.",
      discussion: "A manifest that also lists other extensions is kept for them."
    )
    @Argument(help: "\(Browser.list); by default all.", transform: Browser.named)
    var browsers: [Browser] = []
    @Flag(help: "Also remove manifests that list other extensions.") var withOthers = false
    @OptionGroup var options: Options

    func run() throws {
      var isRefused = false
      let installations = try options.installations
      for browser in browsers.isEmpty ? Browser.allCases : browsers {
        for installation in installations {
          let outcome = try installation.uninstall(
            browser,
            extensions: withOthers ? nil : options.extensions
          )
          if case .refused = outcome { isRefused = true }
          if case .absent = outcome, browsers.isEmpty { continue }
          StandardOutput.line("\(browser.title): \(Install.words(outcome))")
        }
      }
      if isRefused { throw ExitStatus.refused }
    }
  }

  /// `browser status`.
  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Shows for each browser whether the extension can start this program."
    )
    @OptionGroup var format: FormatOption
    @OptionGroup var options: Options

    static let confinement = """
      Also there as a snap or Flatpak, which cannot start programs outside its sandbox.
      """

    private struct Object: Encodable {
      let browser: String
      let name: String
      let isInstalled: Bool
      let isConfined: Bool
      let manifest: String
      let isManifestThere: Bool
      let program: String?
      let callers: [String]
      /// What extensions other than Tickbird's own may request, by caller; empty for nothing.
      let grants: [String: String]
      let problems: [String]
      let isReady: Bool

      init(_ status: BrowserStatus, _ grants: [String: String]) {
        self.grants = grants
        browser = status.browser.rawValue
        name = status.manifest.deletingPathExtension().lastPathComponent
        isInstalled = status.isInstalled
        isConfined = status.isConfined
        manifest = status.manifest.path
        isManifestThere = status.isManifestThere
        program = status.program
        callers = status.callers
        problems = status.problems
        isReady = status.isReady
      }
    }

    func run() throws {
      let grants = try BrowserGrants.read()
      let installations = try options.installations
      let all = Browser.allCases.flatMap { browser in
        installations.map { $0.status(browser, extensions: options.extensions) }
      }
      if format.isJSON {
        return try HostOutput.write(json: all.map { Object($0, words($0, grants)) })
      }
      for status in all {
        let presence = status.isInstalled ? "" : " (not found)"
        StandardOutput.line("\(status.browser.title)\(presence): \(Self.words(status))")
        for problem in status.problems { StandardOutput.line("  \(problem)") }
        for (caller, words) in words(status, grants).sorted(by: { $0.key < $1.key }) {
          let told = words.isEmpty ? BrowserGrants.nothing : "may ask for \(words)"
          StandardOutput.line("  \(caller) \(told)")
        }
        if status.isConfined { StandardOutput.line("  \(Self.confinement)") }
      }
      if all.contains(where: { $0.isInstalled && !$0.isReady }) {
        StandardOutput.line("“tickbird browser install” fixes this.")
      }
      for added in WebExtensionRegistrations(data: ServiceFolders().data).all {
        let browsers = added.browsers.compactMap(Browser.init).map(\.title)
        StandardOutput.line(
          "\(added.identifier), added to \(browsers.joined(separator: ", ")), asks its own handler as "
            + "\(added.chromiumID) and \(added.geckoID)"
        )
        BrowserRestarts.tellOfChanges(added)
        BrowserRestarts.tell(added, BrowserPlaces())
      }
    }

    /// Describes what other extensions may request, by caller.
    private func words(
      _ status: BrowserStatus,
      _ grants: [String: CallerGrants.Grant]
    ) -> [String: String] {
      let own = options.own.map { status.browser.family.caller($0) }
      let others = status.callers.filter { !own.contains($0) }
      return Dictionary(others.map { ($0, grants[$0]?.words ?? "") }) { $1 }
    }

    private static func words(_ status: BrowserStatus) -> String {
      if status.isReady { return "ready, \(status.manifest.path)" }
      return status.isManifestThere ? status.manifest.path : "no manifest"
    }
  }
}

extension Browser {
  static let list = Browser.allCases.map(\.rawValue).joined(separator: ", ")

  /// Parses an argument.
  static func named(_ word: String) throws -> Browser {
    guard let browser = Browser(rawValue: word.lowercased()) else {
      throw ValidationError("“\(word)” is none of \(list).")
    }
    return browser
  }
}
