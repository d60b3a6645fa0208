internal import ArgumentParser
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// Sends a message as a script does.
struct ExtensionsAsk: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Sends a web extension's handler a message and prints the answer.",
    discussion: """
      Message and answer are JSON, as with browser.runtime.sendNativeMessage. For example:
        tickbird extensions ask com.example.web '{"name": "status"}'
      """
  )

  @Option(help: "The UUID of the browser's profile; by default none.")
  var profile: String?

  @OptionGroup var extensionName: IdentifierArgument

  @Argument(help: "The message as JSON; - reads it from standard input.")
  var message: String

  func run() async throws {
    try await Extensions.withHost { host in
      var call = SendMessage(
        identifier: extensionName.identifier,
        message: try MessageValue(json: try Input.data(message))
      )
      if let profile {
        guard let id = UUID(uuidString: profile) else {
          throw HostError(.badArgument, "the profile \(profile) is not a UUID")
        }
        call.profile = MessageValue(id)
      }
      StandardOutput.json(try await host.call(call).json)
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
      let items = try await host.call(AskForLinks(identifier: extensionName.identifier))
      StandardOutput.json(MessageValue.array(items.map(\.value)).json)
    }
  }
}

/// Sets a list as a script does.
struct ExtensionsSetList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-list",
    abstract: "Sets a web extension's content blocker, as its script can.",
    discussion: """
      The rules are a JSON array; null removes the list. If the list does not compile, the \
      previous one stays active, and the status is 1.
      """
  )

  @OptionGroup var extensionName: IdentifierArgument

  @Argument(help: "The rules as JSON; - reads them from standard input.")
  var rules: String

  func run() async throws {
    try await Extensions.withHost { host in
      let text = String(decoding: try Input.data(rules), as: UTF8.self)
      let isNull = text.trimmingCharacters(in: .whitespacesAndNewlines) == "null"
      _ = try await host.call(
        SetContentBlocker(
          identifier: extensionName.identifier,
          rules: isNull ? .null : .string(text)
        )
      )
      StandardOutput.line(isNull ? "removed the list" : "set the list")
    }
  }
}

/// Arguments that may come from standard input.
enum Input {
  /// The argument's bytes, or those of standard input for `-`.
  static func data(_ argument: String) throws -> Data {
    guard argument == "-" else { return Data(argument.utf8) }
    return try FileHandle.standardInput.readToEnd() ?? Data()
  }
}
