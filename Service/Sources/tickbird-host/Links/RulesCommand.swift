internal import ArgumentParser
internal import Foundation
internal import SharedLinks
internal import TextOutput

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Hides links with your own Safari rule lists.",
    discussion: """
      Each link of a feed is decided as a visit that starts on the feed's page: the load of a \
      document in the top frame. Links that a rule blocks are hidden; `list --blocked` shows them, \
      and `show LINK` says which rule it was.
      """,
    subcommands: [
      ListRules.self, AddRules.self, TurnRulesOn.self, TurnRulesOff.self, RemoveRules.self,
    ],
    defaultSubcommand: ListRules.self
  )
}

struct ListRules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Shows your rule lists and how many links they hide."
  )

  @OptionGroup var options: LinkOptions

  func run() throws {
    let lists = try options.store().ruleLists()
    if options.isJSON {
      struct Entry: Encodable {
        var name: String
        var isOn: Bool
        var blocked: Int
        var fault: String?
      }
      return try HostOutput.write(
        json: lists.map {
          Entry(name: $0.name, isOn: $0.isOn, blocked: $0.blockedCount, fault: $0.fault)
        }
      )
    }
    if lists.isEmpty {
      StandardOutput.line(
        "There are no rule lists. Add one: tickbird links rules add blockerList.json"
      )
    }
    for list in lists {
      let count = HostOutput.count(list.blockedCount, "link", "links")
      StandardOutput.line("\(list.name): \(list.isOn ? "on, hides \(count)" : "off")")
      if let fault = list.fault {
        StandardOutput.line("  It hides no new links: \(fault).")
      }
    }
  }
}

struct AddRules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds a rule list and turns it on; one of the same name is replaced."
  )

  @Argument(help: "The list, such as blockerList.json; - is standard input.")
  var file: String

  @Option(help: "The list's name; by default the file's name.")
  var name: String?

  func run() throws {
    let bytes = try GivenFile.read(file)
    let base = URL(filePath: file).deletingPathExtension().lastPathComponent
    guard let name = name ?? (file == "-" ? nil : base) else {
      throw ValidationError("A list from standard input needs a --name.")
    }
    let store = try LinkOptions().store()
    try store.addRuleList(name: name, json: bytes)
    let list = try store.ruleLists().first { $0.name == name }
    let count = HostOutput.count(list?.blockedCount ?? 0, "link", "links")
    StandardOutput.line("The list \(name) is on and hides \(count).")
  }
}

struct TurnRulesOn: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on",
    abstract: "Turns a rule list on."
  )

  @Argument(help: "The list's name.")
  var name: String

  func run() throws {
    try LinkOptions().store().setRuleList(name: name, isOn: true)
    StandardOutput.line("The list \(name) is on.")
  }
}

struct TurnRulesOff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off",
    abstract: "Turns a rule list off; its links are shown again."
  )

  @Argument(help: "The list's name.")
  var name: String

  func run() throws {
    try LinkOptions().store().setRuleList(name: name, isOn: false)
    StandardOutput.line("The list \(name) is off.")
  }
}

struct RemoveRules: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes a rule list; its links are shown again."
  )

  @Argument(help: "The list's name.")
  var name: String

  func run() throws {
    try LinkOptions().store().removeRuleList(name: name)
    StandardOutput.line("Removed the list \(name).")
  }
}
