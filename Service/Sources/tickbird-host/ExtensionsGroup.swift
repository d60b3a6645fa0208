internal import ArgumentParser
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// The data that an extension shares with its app.
struct ExtensionsGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group",
    abstract: "Fills an extension's application group, as its app would.",
    subcommands: [ExtensionsGroupSet.self]
  )
}

/// Sets a value of the defaults, or a file.
struct ExtensionsGroupSet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets a value of the group's defaults, or puts a file into the group's folder.",
    discussion: """
      Many extensions do only what their app has written for them. tickbird extensions state shows \
      the group's folder. A value is JSON, such as true, 3 or ["a.example"]; anything else is text, \
      and null removes the key. For example:
        tickbird extensions group set com.example.blocker isEnabled true
        tickbird extensions group set --file com.example.blocker lists/rules.json rules.json

      Then run tickbird extensions reload.
      """
  )

  @Option(help: "The group, if the extension has several.")
  var group: String?

  @Flag(help: "Put a file into the group's folder: KEY is its place there, VALUE the file.")
  var file = false

  @Flag(help: "Take the value as text, whatever it looks like.")
  var text = false

  @OptionGroup var extensionName: IdentifierArgument

  @Argument(help: "The key, or with --file the place in the group's folder.")
  var key: String

  @Argument(help: "The value, or with --file the file; - reads it from standard input.")
  var value: String

  func validate() throws {
    if file, text { throw ValidationError("--file and --text exclude each other.") }
  }

  func run() async throws {
    var call = SetGroupValue(identifier: extensionName.identifier, group: group, name: key)
    if file {
      call.file = .data(try GivenFile.read(value, limit: 32 << 20))
    } else {
      let data = try Input.data(value)
      let words = MessageValue.string(String(decoding: data, as: UTF8.self))
      call.value = text ? words : (try? MessageValue(json: data)) ?? words
    }
    try await Extensions.withHost { host in
      let reply = try await host.call(call)
      StandardOutput.line("set \(key) in \(path: reply.path)")
    }
  }
}
