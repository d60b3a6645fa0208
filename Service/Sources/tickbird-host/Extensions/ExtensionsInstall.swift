internal import ArgumentParser
internal import CommandArguments
internal import DurableFiles
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import ListIngestion
internal import TextOutput

/// Installs a folder `NAME.appex` or a rule list.
struct ExtensionsInstall: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Installs a bundle or a rule list, which is copied; it is off until it is turned on.",
    discussion: """
      A bundle replaces an installed one with the same identifier. The replaced version is kept \
      for go-back, and your settings for the extension stay. What is installed in this way is \
      unsigned, so it replaces a signed extension only with --replace-signed.

      A rule list, NAME.json, becomes a content blocker of its own with the identifier list.NAME. \
      Installed again, it replaces the earlier one.
      """
  )

  @Flag(help: "Refuse a version that is not later than the installed one.")
  var onlyNewer = false

  @Flag(help: "Turn it on as well.")
  var on = false

  @Flag(
    help: """
      Replace a signed extension, too. The new one is off, and does not get the data, the grants \
      and the groups of the signed one.
      """
  )
  var replaceSigned = false

  @Flag(
    help: "Let it share application groups, and the data in them, with another unsigned extension."
  )
  var shareGroups = false

  @Flag(help: KeptData.help) var keepData = false

  @Flag(
    help:
      "Also add an extension's half for browsers to those that you have, as “browser add” does."
  )
  var toBrowsers = false

  @OptionGroup var format: FormatOption

  @Option(help: "The name of a rule list; by default its file's name.")
  var name: String?

  @Argument(
    help: "The folder NAME.appex, or the list NAME.json.",
    completion: .file(extensions: ["appex", "json"])
  )
  var bundle: String

  func validate() throws {
    if name != nil, !isList {
      throw ValidationError("--name is for rule lists, NAME.json; a bundle says its own name.")
    }
    if toBrowsers, format.isJSON {
      throw ValidationError("--to-browsers tells people what to do; leave --format json out.")
    }
  }

  private var isList: Bool { URL(filePath: bundle).pathExtension.lowercased() == "json" }

  func run() async throws {
    // The service has a different working folder.
    let file = try GivenPath.url(bundle).standardizedFileURL
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-list-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { if isList { try? FileManager.default.removeItem(at: folder) } }
    let before = BrowserRestarts.added
    try await Extensions.withHost { host in
      let path = isList ? try made(of: file, in: folder).path : file.path
      let summary = Summary(
        try await host.call(
          InstallExtension(
            path: path,
            onlyNewer: onlyNewer,
            replacesSigned: replaceSigned,
            sharesGroups: shareGroups,
            keepsData: keepData
          )
        )
      )
      if !format.isJSON {
        StandardOutput.line("installed \(summary.identifier) \(summary.version)")
      }
      BrowserRestarts.tellOfRemoval(summary.identifier, before: before)
      if let groups = summary.groups { Report.complain("it shares data in \(groups)") }
      if let error = summary.error { Report.complain("its list is not active: \(error)") }
      defer { BrowserRestarts.tell(summary.identifier, format) }
      if toBrowsers { try BrowserAdd.add(summary.identifier) }
      if !summary.isOn, on {
        _ = try await host.call(TurnOnExtension(identifier: summary.identifier))
        if !format.isJSON { StandardOutput.line("\(summary.identifier) is on") }
      } else if !summary.isOn {
        Report.complain(
          "it is off; turn it on with: tickbird extensions on \(summary.identifier)"
        )
      }
      guard format.isJSON else { return }
      try await ExtensionOutput.json(summary.identifier, host)
    }
  }
}

extension ExtensionsInstall {
  /// Makes a bundle of a list that can act.
  private func made(of list: URL, in folder: URL) throws -> URL {
    let bundle = try ListBundle.make(list, name: name, in: folder)
    let text = try DurableFile.contents(of: list.path, atMost: IngestionLimits().bytes)
    let format: ListSummary.Format
    do throws(IngestionError) {
      format = try ListIngestion.ingest(text, name: list.lastPathComponent).summary.format
    } catch {
      throw HostError(.badBundle, error.message(of: list.path))
    }
    guard format == .webkit else {
      throw HostError(
        .badBundle,
        "\(list.path) has \(format.name); it is subscribed to by: tickbird lists add FILE"
      )
    }
    return bundle
  }
}

/// Removes an extension.
struct ExtensionsRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes an extension with its container, its list and its log."
  )

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      _ = try await host.call(RemoveExtension(identifier: extensionName.identifier))
      let identifier = extensionName.identifier
      try ExtensionOutput.write(gone: ["identifier": identifier], "removed \(identifier)", format)
    }
  }
}

/// Empties an extension's container.
struct ExtensionsClear: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Removes everything that an extension has written.",
    discussion: "Its list stays, and it stays on or off."
  )

  @Flag(help: "Empty the folders of its application groups too, which other extensions may use.")
  var groups = false

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      _ = try await host.call(ClearExtension(identifier: extensionName.identifier, groups: groups))
      let identifier = extensionName.identifier
      let line: OutputText = "removed what \(identifier) had written"
      try await ExtensionOutput.write(identifier, line, format, host)
    }
  }
}

/// Restores the previous version.
struct ExtensionsGoBack: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "go-back",
    abstract: "Reinstalls the previous version."
  )

  @Flag(help: "Let an unsigned version replace a signed one; it is off then.")
  var replaceSigned = false

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      let summary = Summary(
        try await host.call(
          GoBackExtension(identifier: extensionName.identifier, replacesSigned: replaceSigned)
        )
      )
      let line: OutputText = "\(summary.identifier) is at \(summary.version) again"
      try await ExtensionOutput.write(summary.identifier, line, format, host)
    }
  }
}

/// The option of commands that install, by which data are kept.
enum KeptData {
  static let help: ArgumentHelp = """
    Let it have the data of the damaged extension that it replaces, where it is not known who signed that.
    """
}
