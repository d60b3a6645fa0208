internal import ArgumentParser
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// From a folder `NAME.appex` or a rule list to an installed extension.
struct ExtensionsInstall: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Installs a bundle or a rule list, which is copied; it is off until it is turned on.",
    discussion: """
      A bundle whose identifier is installed already takes the place of the installed one, which is \
      kept for go-back; what was decided about the extension stays. Nobody signed what is installed in \
      this way, so it takes the place of a signed extension only with --replace-signed.

      A rule list, NAME.json, becomes a content blocker of its own with the identifier list.NAME. \
      Installed again, it takes the earlier one's place.
      """
  )

  @Flag(help: "Refuse a version that is not later than the installed one.")
  var onlyNewer = false

  @Flag(help: "Turn it on as well.")
  var on = false

  @Flag(
    help: """
      Take the place of a signed extension, too. It is off then, and the data, the grants and the \
      groups of the signed one are not handed over.
      """
  )
  var replaceSigned = false

  @Flag(help: "Let it use application groups that another unsigned extension has, with their data.")
  var shareGroups = false

  @Option(help: "What a rule list is called; its file's name unless given.")
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
  }

  private var isList: Bool { URL(filePath: bundle).pathExtension.lowercased() == "json" }

  func run() async throws {
    // The service has another current folder.
    let file = URL(filePath: bundle).standardizedFileURL
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-list-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { if isList { try? FileManager.default.removeItem(at: folder) } }
    try await Extensions.withHost { host in
      let path = isList ? try ListBundle.make(file, name: name, in: folder).path : file.path
      let summary = Summary(
        try await host.call(
          .installExtension,
          [
            "path": .string(path), "onlyNewer": .bool(onlyNewer),
            "replacesSigned": .bool(replaceSigned), "sharesGroups": .bool(shareGroups),
          ]
        )
      )
      StandardOutput.line("installed \(summary.identifier) \(summary.version)")
      if let groups = summary.groups { Report.complain("it shares data in \(groups)") }
      if let error = summary.error { Report.complain("its list is not in force: \(error)") }
      guard !summary.isOn else { return }
      if on {
        _ = try await host.call(
          .turnOnExtension,
          ["identifier": .string(summary.identifier)]
        )
        StandardOutput.line("\(summary.identifier) is on")
      } else {
        Report.complain(
          "it is off; turn it on with: tickbird extensions on \(summary.identifier)"
        )
      }
    }
  }
}

/// Removes an extension.
struct ExtensionsRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes an extension with its container, its list and its log."
  )

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      _ = try await host.call(.removeExtension, extensionName.arguments)
      StandardOutput.line("removed \(extensionName.identifier)")
    }
  }
}

/// Empties an extension's container.
struct ExtensionsClear: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Removes all that an extension has written.",
    discussion: "Its list, and whether it is on, stay."
  )

  @Flag(help: "Empty the folders of its application groups too, which other extensions may use.")
  var groups = false

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      let arguments = extensionName.arguments.merging(["groups": .bool(groups)]) { $1 }
      _ = try await host.call(.clearExtension, arguments)
      StandardOutput.line("removed what \(extensionName.identifier) had written")
    }
  }
}

/// Goes back to the version before.
struct ExtensionsGoBack: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "go-back",
    abstract: "Makes the version before the installed one again."
  )

  @Flag(help: "Let an unsigned version take the place of a signed one, which then is off.")
  var replaceSigned = false

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      let arguments = extensionName.arguments
        .merging(["replacesSigned": .bool(replaceSigned)]) { $1 }
      let summary = Summary(try await host.call(.goBackExtension, arguments))
      StandardOutput.line("\(summary.identifier) is at \(summary.version) again")
    }
  }
}
