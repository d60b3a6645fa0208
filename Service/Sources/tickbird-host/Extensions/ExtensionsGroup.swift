internal import ArgumentParser
internal import CommandArguments
internal import ContentRules
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// What an extension's app would write for it.
struct ExtensionsGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group",
    abstract: "Shows and sets what an extension's app would write for it.",
    discussion: """
      An extension shares the defaults and the files of its application group with its app. Where \
      the app cannot run, these commands write them. For example:
        tickbird extensions group show com.example.blocker
        tickbird extensions group set com.example.blocker blocksAds true
        tickbird extensions group set com.example.blocker rules.json --file list.json
        tickbird extensions reload com.example.blocker
      """,
    subcommands: [
      ExtensionsGroupShow.self, ExtensionsGroupSet.self, ExtensionsGroupRemove.self,
    ]
  )
}

/// The extension and its group on the command line.
struct GroupArguments: ParsableArguments {
  @Option(help: "The group, if the extension has several.")
  var group: String?

  @OptionGroup var extensionName: IdentifierArgument
}

/// Shows a group's folder and defaults.
struct ExtensionsGroupShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a group's folder and defaults."
  )

  @OptionGroup var format: FormatOption

  @OptionGroup var arguments: GroupArguments

  func run() async throws {
    try await Extensions.withHost { host in
      let found = try await host.call(
        DescribeGroup(identifier: arguments.extensionName.identifier, group: arguments.group)
      )
      if format.isJSON {
        return try ExtensionOutput.json(found)
      }
      StandardOutput.line("group:   \(found.group)")
      StandardOutput.line("folder:  \(path: found.path)")
      if found.values.isEmpty { StandardOutput.line("no defaults are set") }
      for (key, value) in found.values.sorted(by: { $0.key < $1.key }) {
        StandardOutput.line("\(key) = \(value.json)")
      }
    }
  }
}

/// Sets a value, or copies a file.
struct ExtensionsGroupSet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets a value among a group's defaults, or copies a file into its folder.",
    discussion: """
      The value is JSON, such as true, 3, "text" or ["a", "b"]; anything else is text. --string \
      takes it as text in any case, --file as the path of a file, whose contents are copied to KEY \
      in the group's folder. An extension reads both at its next start.
      """
  )

  @Flag(help: "Take the value as text, even if it is JSON.")
  var string = false

  @Flag(help: "Take the value as the path of a file to copy to KEY in the group's folder.")
  var file = false

  @OptionGroup var format: FormatOption

  @OptionGroup var arguments: GroupArguments

  @Argument(help: "The value's name; with --file a path in the group's folder.")
  var key: String

  @Argument(help: "The value; with --file the path of a file.", completion: .file())
  var value: String

  func validate() throws {
    if string, file { throw ValidationError("--string and --file exclude each other") }
  }

  func run() async throws {
    let identifier = arguments.extensionName.identifier
    try await Extensions.withHost { host in
      if file {
        let source = try GivenPath.url(value).standardizedFileURL
        _ = try await host.call(
          SetGroupFile(
            identifier: identifier,
            group: arguments.group,
            name: key,
            source: source.path
          )
        )
        let line: OutputText = "copied \(path: source.path) to \(key)"
        try await ExtensionOutput.write(arguments, line, format, host)
      } else {
        let parsed = string ? nil : try? MessageValue(json: Data(value.utf8))
        let taken = parsed ?? .string(value)
        _ = try await host.call(
          SetGroupValue(identifier: identifier, group: arguments.group, key: key, value: taken)
        )
        try await ExtensionOutput.write(arguments, "\(key) = \(taken.json)", format, host)
      }
    }
  }
}

/// Removes a value or a file.
struct ExtensionsGroupRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes a value from a group's defaults, or a file from its folder."
  )

  @Flag(help: "Remove the file KEY of the group's folder.")
  var file = false

  @OptionGroup var format: FormatOption

  @OptionGroup var arguments: GroupArguments

  @Argument(help: "The value's name; with --file a path in the group's folder.")
  var key: String

  func run() async throws {
    let identifier = arguments.extensionName.identifier
    try await Extensions.withHost { host in
      if file {
        _ = try await host.call(
          SetGroupFile(identifier: identifier, group: arguments.group, name: key, source: nil)
        )
      } else {
        _ = try await host.call(
          SetGroupValue(identifier: identifier, group: arguments.group, key: key, value: nil)
        )
      }
      try await ExtensionOutput.write(arguments, "removed \(key)", format, host)
    }
  }
}
