internal import ArgumentParser
internal import BrowserPackages
internal import BrowserSetup
internal import CommandArguments
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import TextOutput

/// Setting up.
extension SetupCommand {
  func setUp() throws {
    let program = try programFile
    let found = try found()
    guard !found.isEmpty else {
      StandardOutput.line(
        """
        No browser was found. Tickbird works in Chromium, Google Chrome, Brave, Microsoft Edge and \
        Firefox; install one, then run tickbird setup again.
        """
      )
      throw ExitStatus.refused
    }
    for browser in found where browser.isConfined {
      StandardOutput.line(
        """
        \(browser.browser.title) is there as a snap or Flatpak, which cannot start programs outside its \
        sandbox: Tickbird cannot reach it. It reaches the package of your system or of its maker.
        """
      )
    }
    let reached = found.filter { !$0.isConfined }
    guard !reached.isEmpty else { throw ExitStatus.refused }
    isForAll ? try setUpSystem(reached, program) : try setUpUser(reached, program)
  }

  // MARK: For all users

  /// Writes anew what is set up, from the programs and extensions that are installed now.
  func renew() throws {
    guard SystemSetup.isDone(root: try systemRoot) else {
      StandardOutput.line("Nothing is set up for all users of this machine.")
      return
    }
    let system = SystemSetup(changes: try systemChanges(isTrial: true)) { _ in }
    let setUp = system.browsersSetUp(of: try found())
    guard !setUp.isEmpty || system.hasPackage else {
      StandardOutput.line("None of the browsers that are set up is there.")
      return
    }
    try setUpSystem(setUp, programFile)
  }

  private func setUpSystem(_ found: [FoundBrowser], _ program: URL) throws {
    let sources = try sources(program)
    let trusted = try trustedSources(sources)
    // Of an image's, that is known by now.
    let shared =
      try systemRoot.isRunning ? Trust(only: [0, geteuid()]).weakness(of: program.path) : nil
    func install(isTrial: Bool) throws -> Teller {
      var teller = Teller(isTrial: isTrial)
      let changes = try systemChanges(isTrial: isTrial)
      let system = SystemSetup(changes: changes, isRenewal: refresh) { teller.tell($0) }
      try withExtendedLifetime(changes) {
        try system.install(found, from: trusted, program: shared == nil ? program : nil)
      }
      return teller
    }
    let names = found.filter(\.takesSystemExtension).map(\.browser.title)
    guard refresh || !names.isEmpty else {
      StandardOutput.line("\(Self.ordinaryFirefox)")
      throw ExitStatus.refused
    }
    StandardOutput.line(
      refresh
        ? "What is set up for all users of this machine is renewed:"
        : "Tickbird is installed in \(names.joined(separator: ", ")) for all users of this machine:"
    )
    let plan = try install(isTrial: true)
    if !refresh, names != ["Firefox"] {
      StandardOutput.line(
        """
        Chromium and its family say that they are managed by an organization as long as a policy \
        installs the extension, which is what lets it block. “tickbird setup --undo” removes what setup \
        has written.
        """
      )
    }
    if let shared {
      StandardOutput.line(
        """
        Each user runs tickbird setup once more, without root: browsers of all users are not given \
        \(path: program.path), because \(shared).
        """
      )
    }
    guard !dryRun else { return try refuse(if: plan.isRefused) }
    if plan.count > 0 {
      guard try asks("Do this?") else { throw ExitStatus.refused }
      StandardOutput.line("Done:")
      try refuse(if: try install(isTrial: false).isRefused)
    }
    guard !refresh else { return }
    tellOfRest(found)
    if plan.count > 0 {
      StandardOutput.line(
        """
        Start the browser again: Tickbird's first page opens by itself, and turns lists on by one \
        press. A Firefox profile that was there already takes two starts.
        """
      )
    }
  }

  static let ordinaryFirefox = """
    Firefox, other than Firefox ESR, takes no extension without Mozilla's signature for good; \
    “tickbird setup” as an ordinary user shows how to load it until Firefox ends.
    """

  private func tellOfRest(_ found: [FoundBrowser]) {
    if found.contains(where: { $0.browser == .firefox && !$0.isESR }) {
      StandardOutput.line("\(Self.ordinaryFirefox)")
    }
  }

  private func refuse(if isRefused: Bool) throws {
    guard isRefused else { return }
    StandardOutput.line("What was left alone is not set up; run tickbird setup again afterwards.")
    throw ExitStatus.refused
  }

  /// The built extensions, as far as there are any.
  private func sources(_ program: URL) throws -> [ExtensionFolder] {
    let given = try extensionFolders.given()
    guard given.isEmpty else { return given }
    let system = try systemRoot
    let built = try [BrowserFamily.chromium, .firefox].compactMap {
      system.isRunning
        ? LoadingInstructions.extensionFolder(near: program, family: $0)
        : try SystemSetup.extensionFolder(near: program, family: $0, in: system)
    }
    guard !built.isEmpty else {
      throw ValidationError(
        """
        There is no browser extension beside \(program.path): \(ExtensionFolderOption.wayOut).
        """
      )
    }
    return try built.map { try ExtensionFolder($0) }
  }

  /// What root installs for everybody has to come from root, or from who has asked root to.
  private func trustedSources(_ sources: [ExtensionFolder]) throws -> [ExtensionFolder] {
    let caller = ProcessInfo.processInfo.environment["SUDO_UID"].flatMap(UInt32.init)
    let trust = Trust(caller.map { [$0] } ?? [])
    for source in sources {
      guard let weakness = trust.weakness(ofAllIn: source.url.path) else { continue }
      throw ValidationError(
        """
        \(source.url.path) is not installed for all users, because others than root and you could \
        change it: \(weakness). Copy it to a folder that only root can write to, and name that by \
        --extension.
        """
      )
    }
    return sources
  }

  // MARK: For one user

  private func setUpUser(_ found: [FoundBrowser], _ program: URL) throws {
    let sources = try sources(program)
    var isInstalled = SystemSetup.isDone()
    if !isInstalled, !onlyMe, found.contains(where: \.takesSystemExtension) {
      isInstalled = try setUpSystemBySudo()
    }
    // Where root has given the program to all users' browsers, there is nothing to do here.
    let mine = found.map(\.browser).filter { !SystemSetup.hasHost($0, program: program) }
    func register(isTrial: Bool) throws -> Teller {
      var teller = Teller(isTrial: isTrial)
      let changes = try userChanges(isTrial: isTrial)
      let options = try BrowserCommand.Options.parse(["--host", program.path])
      for browser in mine {
        let places = BrowserPlaces()
        teller.tell(
          try changes.register(
            browser,
            HostInstallation(places: places, program: program),
            at: places.manifest(browser, host: BrowserIdentity.hostName),
            extensions: options.own
          )
        )
      }
      let guide = LoadingGuide(found: found, sources: sources, isInstalled: isInstalled)
      if !guide.isEmpty {
        teller.tell(try changes.write(LoadingGuide.file.path, guide.page))
      }
      return teller
    }
    StandardOutput.line("Your own browsers are allowed to start \(path: program.path):")
    let plan = try register(isTrial: true)
    guard !dryRun else { return try refuse(if: plan.isRefused) }
    var done = plan
    if plan.count > 0 {
      guard try asks("Do this?") else { throw ExitStatus.refused }
      StandardOutput.line("Done:")
      done = try register(isTrial: false)
    }
    let guide = LoadingGuide(found: found, sources: sources, isInstalled: isInstalled)
    if !guide.isEmpty {
      StandardOutput.line("By hand, because these browsers take the extension in no other way:")
      for line in guide.lines { StandardOutput.line("  \(line)") }
      StandardOutput.line("With pictures: \(path: LoadingGuide.file.path)")
    }
    if isInstalled {
      StandardOutput.line(
        """
        Start the browser again: Tickbird's first page opens by itself, and turns lists on by one \
        press. A Firefox profile that was there already takes two starts.
        """
      )
    }
    if !noOpen { BrowserStart.open(found, page: guide.isEmpty ? nil : LoadingGuide.file) }
    try refuse(if: done.isRefused)
  }

  /// Lets root do its part, if the user is permitted to ask for that.
  private func setUpSystemBySudo() throws -> Bool {
    guard let sudo = Sudo.program else { return false }
    let words = try ownWords + browsers.map(\.rawValue) + extensionFolders.absoluteWords()
    if dryRun {
      StandardOutput.line(
        "With sudo, which asks for your password: \(words.joined(separator: " "))"
      )
      return false
    }
    // Where nobody can be asked, being permitted to use sudo is not being told to.
    guard
      try asks(
        "Install the extension for all users of this machine by sudo? Without, it is loaded by hand."
      )
    else { return false }
    return Sudo(program: sudo, mayAsk: isatty(STDIN_FILENO) == 1)
      .run(words + ["--yes", "--no-open"])
  }
}
