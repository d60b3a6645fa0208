internal import ArgumentParser
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// Sends a message like a script does.
struct ExtensionsAsk: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Sends a web extension's handler a message and prints the answer.",
    discussion: """
      Message and answer are JSON, as with browser.runtime.sendNativeMessage. For example:
        tickbird extensions ask com.example.web '{"name": "status"}'
      """
  )

  @Option(help: "The UUID of the browser's profile; none by default.")
  var profile: String?

  @OptionGroup var extensionName: IdentifierArgument

  @Argument(help: "The message as JSON; - reads it from standard input.")
  var message: String

  func run() async throws {
    try await Extensions.withHost { host in
      var arguments = extensionName.arguments
      arguments["message"] = try MessageValue(json: try Input.data(message))
      if let profile {
        guard let id = UUID(uuidString: profile) else {
          throw HostError(.badArgument, "the profile \(profile) is not a UUID")
        }
        arguments["profile"] = MessageValue(id)
      }
      StandardOutput.json(try await host.call(.sendMessage, arguments).json)
    }
  }
}

/// Asks for links.
struct ExtensionsLinks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "links",
    abstract: "Asks a Shared Links extension for its items and prints them as JSON."
  )

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      StandardOutput.json(try await host.call(.sharedLinks, extensionName.arguments).json)
    }
  }
}

/// Sets a list like a script does.
struct ExtensionsSetList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-list",
    abstract: "Sets a web extension's content blocker, as its script can.",
    discussion: """
      The rules are a JSON array; null removes the list. If the list does not compile, the one \
      before stays active, and the status is 1.
      """
  )

  @OptionGroup var extensionName: IdentifierArgument

  @Argument(help: "The rules as JSON; - reads them from standard input.")
  var rules: String

  func run() async throws {
    try await Extensions.withHost { host in
      var arguments = extensionName.arguments
      let text = String(decoding: try Input.data(rules), as: UTF8.self)
      let isNull = text.trimmingCharacters(in: .whitespacesAndNewlines) == "null"
      arguments["rules"] = isNull ? .null : .string(text)
      _ = try await host.call(.setContentBlocker, arguments)
      StandardOutput.line(isNull ? "removed the list" : "set the list")
    }
  }
}

/// Reads arguments that may come from standard input.
enum Input {
  /// Returns the argument's bytes, or those of standard input for `-`.
  static func data(_ argument: String) throws -> Data {
    guard argument == "-" else { return Data(argument.utf8) }
    return try FileHandle.standardInput.readToEnd() ?? Data()
  }
}
