internal import ArgumentParser
internal import CommandArguments
internal import ExtensionGallery
internal import ExtensionHost
internal import ExtensionMessages
internal import TextOutput

/// Turns an extension on.
struct ExtensionsOn: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on",
    abstract: "Turns an extension on; a content blocker is started and its list compiled.",
    discussion: """
      If the list does not compile or the extension fails, the status is 1; the extension is on \
      nevertheless, with its previous list, and can be reloaded.
      """
  )

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    var failure: (any Error)?
    do {
      try await Extensions.withHost { host in
        _ = try await host.call(TurnOnExtension(identifier: extensionName.identifier))
        let identifier = extensionName.identifier
        try await ExtensionOutput.write(identifier, "\(identifier) is on", format, host)
      }
    } catch {
      failure = error
    }
    // A version that a gallery installed meanwhile is now started for the first time, or rolled
    // back.
    try await GalleryEnvironment.run {
      for failed in try await GalleryEnvironment.installer().settle() {
        Report.complain("\(failed.sentence)")
      }
    }
    if let failure { throw failure }
  }
}

/// Turns an extension off.
struct ExtensionsOff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off",
    abstract: "Turns an extension off: its list is not applied, and it is not started."
  )

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      _ = try await host.call(TurnOffExtension(identifier: extensionName.identifier))
      let identifier = extensionName.identifier
      try await ExtensionOutput.write(identifier, "\(identifier) is off", format, host)
    }
  }
}

/// Rebuilds a content blocker's list.
struct ExtensionsReload: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Restarts a content blocker and compiles its list.",
    discussion: """
      If the list does not compile, the previous one stays active, and the status is 1.
      """
  )

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      _ = try await host.call(ReloadContentBlocker(identifier: extensionName.identifier))
      let identifier = extensionName.identifier
      try await ExtensionOutput.write(identifier, "reloaded \(identifier)", format, host)
    }
  }
}

/// What a user can grant.
enum Grant: String, ExpressibleByArgument, CaseIterable {
  case network
}

/// Grants an extension something.
struct ExtensionsGrant: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Lets an extension whose bundle has no entitlements use the network."
  )

  @Argument(help: "What is granted.")
  var grant: Grant

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      _ = try await host.call(GrantNetwork(identifier: extensionName.identifier, isGranted: true))
      let identifier = extensionName.identifier
      let line: OutputText = "\(identifier) may use the \(grant.rawValue)"
      try await ExtensionOutput.write(identifier, line, format, host)
    }
  }
}

/// Revokes a grant.
struct ExtensionsRevoke: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revokes a grant."
  )

  @Argument(help: "What was granted.")
  var grant: Grant

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      _ = try await host.call(GrantNetwork(identifier: extensionName.identifier, isGranted: false))
      let identifier = extensionName.identifier
      let line: OutputText = "\(identifier) no longer has the grant of the \(grant.rawValue)"
      try await ExtensionOutput.write(identifier, line, format, host)
    }
  }
}

/// Removes a group's data and ownership.
struct ExtensionsForgetGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget-group",
    abstract: "Removes an application group with its data, so that another developer may use it.",
    discussion: "Refused while an extension that uses it is installed."
  )

  @Flag(help: "The group of unsigned extensions, not that of a developer who signs.")
  var unsigned = false

  @OptionGroup var format: FormatOption

  @Argument(help: "The group, such as group.com.example.notes.")
  var group: String

  func run() async throws {
    try await Extensions.withHost { host in
      _ = try await host.call(ForgetGroup(group: group, isUnsigned: unsigned))
      try ExtensionOutput.write(gone: ["group": group], "forgot \(group)", format)
    }
  }
}
