internal import ArgumentParser
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation

/// From a folder `NAME.appex` to an installed extension.
struct ExtensionsInstall: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Installs a bundle, which is copied; the extension is off until it is turned on.",
    discussion: """
      A bundle whose identifier is installed already takes the place of the installed one, which is \
      kept for go-back; what was decided about the extension stays.
      """
  )

  @Flag(help: "Refuse what is no later version than the installed one.")
  var onlyNewer = false

  @Argument(help: "The folder NAME.appex.", completion: .file(extensions: ["appex"]))
  var bundle: String

  func run() async throws {
    // The service has another current folder.
    let path = URL(filePath: bundle).standardizedFileURL.path
    try await Extensions.withHost { host in
      let summary = Summary(
        try await host.call(
          .installExtension,
          ["path": .string(path), "onlyNewer": .bool(onlyNewer)]
        )
      )
      print("installed \(summary.identifier) \(summary.version)")
      if let error = summary.error { Report.complain("its list is not in force: \(error)") }
      if !summary.isOn {
        Report.complain(
          "it is off; turn it on with: tickbird-host extensions on \(summary.identifier)"
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
      print("removed \(extensionName.identifier)")
    }
  }
}

/// Goes back to the version before.
struct ExtensionsGoBack: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "go-back",
    abstract: "Makes the version before the installed one again."
  )

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      let summary = Summary(try await host.call(.goBackExtension, extensionName.arguments))
      print("\(summary.identifier) is at \(summary.version) again")
    }
  }
}
