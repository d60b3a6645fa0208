internal import ArgumentParser
internal import CommandArguments
internal import ExtensionBundles
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// Sends a message like a script does, or an event like a browser does.
struct ExtensionsAsk: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Sends an extension's handler a message and prints the answer.",
    discussion: """
      Message and answer of a web extension are JSON, as with browser.runtime.sendNativeMessage. For example:
        tickbird extensions ask com.example.web '{"name": "status"}'

      The handler of a Safari app extension gets an event, and what it says to the browser is printed, a line \
      for each call; every result is null. For example:
        tickbird extensions ask com.example.app '{"event": "toolbarItemClicked", "window": "1"}'
      """
  )

  @Option(help: "For how many seconds a Safari app extension is listened to.")
  var seconds = 2.0

  @Option(help: "The UUID of the browser's profile; by default none.")
  var profile: String?

  @OptionGroup var extensionName: IdentifierArgument

  @Argument(help: "The message as JSON; - reads it from standard input.")
  var message: String

  func validate() throws {
    // Which excludes what is no number.
    guard (0...3600).contains(seconds) else {
      throw ValidationError("--seconds takes a number from 0 to 3600.")
    }
  }

  func run() async throws {
    try await Extensions.withHost { host in
      let message = try MessageValue(json: try Input.data(message))
      let found = try await host.call(DescribeExtension(identifier: extensionName.identifier))
      if found.kind == ExtensionPoint.appExtension.templateName {
        return try await tell(message, host)
      }
      var call = SendMessage(identifier: extensionName.identifier, message: message)
      if let profile {
        guard let id = UUID(uuidString: profile) else {
          throw HostError(.badArgument, "the profile \(profile) is not a UUID")
        }
        call.profile = MessageValue(id)
      }
      StandardOutput.json(try await host.call(call).json)
    }
  }

  /// Sends an event, and prints what the handler says.
  private func tell(_ event: MessageValue, _ host: HostAccess) async throws {
    guard var members = event.dictionary, members["event"]?.string != nil else {
      throw HostError(.badArgument, "an event is an object with its name under \"event\"")
    }
    members["type"] = .string("event")
    let session = try await host.call(OpenSession(identifier: extensionName.identifier))
    _ = try await host.call(SendEvent(session: session, event: .dictionary(members)))
    let listening = Task.detached {
      while !Task.isCancelled,
        let messages = try? await host.call(NextFromHandler(session: session))
      {
        for message in messages {
          StandardOutput.json(message.json)
          guard message["type"]?.string == "call", let id = message["id"] else { continue }
          let result: MessageValue = [
            "type": .string("event"), "event": .string("result"), "id": id, "result": .null,
          ]
          _ = try? await host.call(SendEvent(session: session, event: result))
        }
      }
    }
    try await Task.sleep(for: .seconds(seconds))
    listening.cancel()
    if case .service(let client) = host { client.interrupt() }
    await listening.value
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

/// Sets a list like a script does.
struct ExtensionsSetList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-list",
    abstract: "Sets a web extension's content blocker, as its script can.",
    discussion: """
      The rules are a JSON array; null removes the list. If the list does not compile, the \
      previous one stays active, and the status is 1.
      """
  )

  @OptionGroup var format: FormatOption

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
      let line: OutputText = isNull ? "removed the list" : "set the list"
      try await ExtensionOutput.write(extensionName.identifier, line, format, host)
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
