internal import ArgumentParser
internal import BrowserPackages
internal import CommandArguments
internal import ExtensionHost
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import TextOutput
internal import WebExtensionInstalling
internal import WebExtensions

/// `browser add`.
struct BrowserAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds the browser's half of an installed web extension to Chromium and Firefox.",
    discussion: """
      Makes of its manifest, scripts and pages a folder that each browser loads, and a package; lets the \
      browsers start this program for the extension, which then reaches its own handler and nothing \
      else; and tells what each browser lacks, with file and line.

      A new version of the extension renews all of this under the same ids. “tickbird browser remove” \
      undoes it, and so does removing the extension.
      """
  )

  @OptionGroup var extensionName: IdentifierArgument
  @Argument(
    help: "\(Browser.list); by default those that you have.",
    transform: Browser.named
  )
  var browsers: [Browser] = []
  @Flag(help: "Also tell what is different and works.") var verbose = false

  func run() throws { try Self.add(extensionName.identifier, to: browsers, verbose: verbose) }

  /// Adds an extension to browsers, by default to those that the user has, and shows what was made.
  static func add(_ identifier: String, to browsers: [Browser] = [], verbose: Bool = false) throws {
    let folders = ServiceFolders()
    let places = BrowserPlaces()
    var chosen = browsers
    if chosen.isEmpty { chosen = Browser.allCases.filter { places.has($0) } }
    do {
      let store = try BundleStore(directory: folders.data.appending(path: "Extensions"))
      guard let bundle = try store.bundle(identifier) else {
        throw HostError(
          .notInstalled,
          "no extension \"\(identifier)\" is installed; install it first: tickbird "
            + "extensions install NAME.appex"
        )
      }
      let program = try BrowserCommand.Options.parse([]).programFile
      let installer = WebExtensionInstaller(folders, places: places, program: program)
      let added = try installer.add(bundle, to: chosen)
      show(added, bundle, verbose: verbose)
      BrowserRestarts.tell(added.registration, places)
    } catch {
      throw Report.failure(error)
    }
  }

  private static func show(
    _ added: WebExtensionInstaller.Added,
    _ bundle: InstalledBundle,
    verbose: Bool
  ) {
    StandardOutput.line("\(bundle.displayName) \(added.version), \(bundle.identifier)")
    let requests = added.requests.sentences
    if !requests.isEmpty {
      StandardOutput.line("  asks for \(requests.joined(separator: "; "))")
    }
    for half in added.halves {
      let isChromium = half.family == .chromium
      let pages = isChromium ? "chrome://extensions" : "about:debugging#/runtime/this-firefox"
      StandardOutput.line(isChromium ? "Chromium, and browsers based on it" : "Firefox")
      StandardOutput.line("  id       \(half.id)")
      StandardOutput.line("  folder   \(path: half.folder.path)")
      StandardOutput.line(
        isChromium
          ? "           to load it: \(pages), “Developer mode”, “Load unpacked”"
          : "           to load it: \(pages), “Load Temporary Add-on…”, manifest.json in it"
      )
      StandardOutput.line("  package  \(path: half.package.path)")
      for file in half.policy { StandardOutput.line("           \(path: file.path)") }
      for (browser, outcome) in added.hosts where browser.family == half.family {
        StandardOutput.line("  host     \(browser.title): \(BrowserCommand.Install.words(outcome))")
      }
      for note in half.notes where verbose || note.severity == .missing {
        let text = note.text
        StandardOutput.line(
          note.severity == .missing ? "  lacks    \(text)" : "  differs  \(text)"
        )
      }
    }
    if !added.hasNativeMessaging {
      StandardOutput.line(
        bundle.olderFolder == nil
          ? "It does not ask for native messages, so no browser starts its handler."
          : "It needs nothing outside of the browser."
      )
    } else if added.hosts.isEmpty {
      StandardOutput.line("No browser was found; name one (\(Browser.list)).")
    }
    StandardOutput.line(
      "For good: “tickbird browser package --help” says where root puts such packages."
    )
  }
}

/// Says which browsers run another version of a web extension than the one that was made ready.
enum BrowserRestarts {
  static func tell(
    _ registration: WebExtensionRegistration,
    _ places: BrowserPlaces,
    by say: (OutputText) -> Void = { StandardOutput.line($0) }
  ) {
    if let problem = registration.problem { say("  \(registration.identifier): \(problem)") }
    for browser in WebExtensionInstaller.awaitingRestart(registration, places) {
      say(
        "  restart \(browser.title): it was started before \(registration.identifier) "
          + "\(registration.version ?? "") was made ready, and runs the version of before"
      )
    }
  }

  /// Says which folders another program has changed.
  static func tellOfChanges(_ registration: WebExtensionRegistration) {
    for folder in WebExtensionInstaller.changedFolders(registration, ServiceFolders()) {
      StandardOutput.line(
        "  \(path: folder.path) was changed by another program; “tickbird browser add "
          + "\(registration.identifier)” makes it anew"
      )
    }
  }

  /// The extensions that are added to browsers.
  static var added: [String] {
    WebExtensionRegistrations(data: ServiceFolders().data).all.map(\.identifier)
  }

  /// Says that an extension was taken out of browsers, if it was in them before.
  static func tellOfRemoval(_ identifier: String, before: [String]) {
    guard before.contains(identifier), !added.contains(identifier) else { return }
    Report.complain(
      "it was taken out of browsers; to see why: tickbird extensions log \(identifier)"
    )
  }

  /// Says which browsers have to be started again for an extension, if it is added to any; beside JSON on standard
  /// error.
  static func tell(_ identifier: String, _ format: FormatOption? = nil) {
    let registrations = WebExtensionRegistrations(data: ServiceFolders().data)
    guard let registration = registrations.registration(identifier) else { return }
    tell(registration, BrowserPlaces()) { line in
      if format?.isJSON == true { HostOutput.complain(line) } else { StandardOutput.line(line) }
    }
  }
}

/// `browser remove`.
struct BrowserRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Undoes “tickbird browser add”.",
    discussion: """
      Removes the manifests by which browsers start its host, its folders and packages, and the key of \
      its ids. The extension stays installed here; take it out of the browsers' own lists by hand.
      """
  )

  @OptionGroup var extensionName: IdentifierArgument

  func run() throws {
    let identifier = extensionName.identifier
    do {
      let program = try BrowserCommand.Options.parse([]).programFile
      let installer = WebExtensionInstaller(
        ServiceFolders(),
        places: BrowserPlaces(),
        program: program
      )
      guard let outcomes = try installer.remove(identifier) else {
        Report.complain("\(identifier) is not added to browsers")
        throw ExitStatus.refused
      }
      for outcome in outcomes { StandardOutput.line("\(BrowserCommand.Install.words(outcome))") }
      StandardOutput.line("\(identifier) is not in browsers any more")
    } catch {
      throw Report.failure(error)
    }
  }
}
