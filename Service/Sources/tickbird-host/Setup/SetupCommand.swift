internal import ArgumentParser
internal import CommandArguments
internal import BrowserPackages
internal import BrowserSetup
internal import CodedErrors
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import TextOutput

/// `tickbird-host setup`: from the installed programs to the extension in every browser, and back.
struct SetupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: CommandAbstract.setup,
    discussion: """
      Finds the browsers, lets them start this program, and installs the extension in the way each \
      of them allows: for all users of the machine where root does it or sudo is permitted, which \
      Chromium and Firefox ESR take without a question; by hand elsewhere, with pictures of the \
      steps. It says what it is going to do, and asks. The browser then opens a first page, where \
      one press turns lists on; nothing is fetched before.

      --undo removes every file that was written and that nobody has changed since. Lists, notes and \
      all other data stay, unless --data is given too.

      \(TickbirdHost.exitStatusHelp)
      """
  )
  @Argument(help: "\(Browser.list); by default those that are there.", transform: Browser.named)
  var browsers: [Browser] = []
  @Flag(name: .shortAndLong, help: "Do it without asking.") var yes = false
  @Flag(name: .shortAndLong, help: "Only say what would be done.") var dryRun = false
  @Flag(help: "Remove what setup has written.") var undo = false
  @Flag(
    help:
      "As root after an upgrade, renew what is set up for all users, and set up nothing more."
  )
  var refresh = false
  @Flag(help: "With --undo, also remove your lists, notes, links, extensions and their settings.")
  var data = false
  @Flag(help: "Change only your own files, and do not use sudo.") var onlyMe = false
  @Flag(help: "Do not start a browser afterwards.") var noOpen = false
  @OptionGroup var extensionFolders: ExtensionFolderOption
  @Option(
    name: .customLong("host"),
    help: "The program that browsers start; by default this one, and with --root the image's own."
  )
  var program: String?
  @Option(
    help: ArgumentHelp(
      "As root, take this folder for the system's, as when an image of a system is made.",
      valueName: "folder"
    )
  )
  var root = "/"

  func validate() throws {
    guard !data || undo else { throw ValidationError("--data belongs to --undo.") }
    guard !refresh || !undo else { throw ValidationError("Give either --refresh or --undo.") }
    guard !refresh || isForAll else {
      throw ValidationError("--refresh is for root, and for what is set up for all users.")
    }
    guard root.hasPrefix("/") else { throw ValidationError("--root has to be an absolute path.") }
    guard root == "/" || !onlyMe else {
      throw ValidationError("--root is for the system's files, and --only-me for your own.")
    }
    guard root == "/" || isForAll else { throw ValidationError("--root is for root.") }
  }

  func run() async throws {
    try undo ? takeBack() : refresh ? renew() : setUp()
  }

  // MARK: Both ways

  /// Whether the system's files are changed by this process.
  var isForAll: Bool { geteuid() == 0 && !onlyMe }

  /// The system that is set up: the running one, or that in the folder of `--root`.
  var systemRoot: SystemRoot {
    get throws { root == "/" ? .running : try SystemRoot(root) }
  }

  /// Says what is done to each file, in a trial as what would be.
  struct Teller {
    let isTrial: Bool
    private(set) var isRefused = false
    private(set) var count = 0

    init(isTrial: Bool) { self.isTrial = isTrial }

    mutating func tell(_ outcome: SetupChanges.Outcome) {
      count += 1
      switch outcome {
      case .written(let file): say("\(isTrial ? "write" : "wrote") \(path: file)")
      case .merged(let file):
        say("\(isTrial ? "add" : "added") to \(path: file), which has other settings as well")
      case .unchanged(let file):
        count -= 1
        say("\(path: file) is as it has to be")
      case .takenOver(let file):
        say("\(isTrial ? "take" : "took") over \(path: file), which is as setup writes it")
      case .removed(let file): say("\(isTrial ? "remove" : "removed") \(path: file)")
      case .takenOut(let file):
        say("\(isTrial ? "take" : "took") Tickbird out of \(path: file)")
      case .left(let file, let reason):
        count -= 1
        isRefused = true
        say("\(isTrial ? "leave" : "left") \(path: file): \(reason)")
      case .passedOver(let file, let reason):
        count -= 1
        say("\(isTrial ? "pass" : "passed") over \(path: file): \(reason)")
      }
    }

    private func say(_ text: OutputText) { StandardOutput.line("  \(asIs: text.text)") }
  }

  /// Asks on a terminal whether to go on; without one, only `--yes` does.
  func asks(_ question: OutputText) throws -> Bool {
    if yes { return true }
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      Report.complain("nothing is done, because nobody can be asked here; --yes does it")
      throw ExitStatus.refused
    }
    StandardOutput.line("\(asIs: question.text) [y/N]")
    StandardOutput.flush()
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }

  /// Opens the record of the system's files.
  func systemChanges(isTrial: Bool) throws -> SetupChanges {
    // Files for everybody, whatever root's own files are.
    if !isTrial { umask(0o022) }
    return try SetupChanges(
      recordFile: SystemSetup.recordFile,
      root: systemRoot,
      trust: Trust(),
      isForAll: true,
      isTrial: isTrial
    )
  }

  /// Opens the record of the user's own files.
  ///
  /// Root may be given another user's home, as by `sudo` with some settings; then a record there could
  /// name any file of the system.
  func userChanges(isTrial: Bool) throws -> SetupChanges {
    try SetupChanges(
      recordFile: Self.userRecordFile,
      trust: geteuid() == 0 ? Trust() : nil,
      isForAll: false,
      isTrial: isTrial
    )
  }

  static var userRecordFile: URL { ServiceFolders().data.appending(path: "setup.json") }

  /// The program that browsers are to start; in an image, its path there.
  var programFile: URL {
    get throws {
      let system = try systemRoot
      guard system.isRunning else { return try SystemSetup.program(program, in: system) }
      let file = try BrowserCommand.Options.programFile(program)
      guard system.hasProgram(file.path) else {
        throw ValidationError("\(file.path) is not there, or is not a program.")
      }
      return file
    }
  }

  /// This program's own command, for root: what browsers are to start may be another program.
  var ownWords: [String] {
    get throws {
      let own = try BrowserCommand.Options.programFile(nil).path
      return try [own, "setup"] + (program == nil ? [] : ["--host", programFile.path])
    }
  }

  func found() throws -> [FoundBrowser] {
    let all = FoundBrowser.all(BrowserPlaces(), root: try systemRoot)
    return browsers.isEmpty ? all : all.filter { browsers.contains($0.browser) }
  }
}
