internal import ArgumentParser
internal import CommandArguments
internal import DurableFiles
internal import Foundation
internal import ListSubscriptions
internal import TextOutput

/// Removes a list.
struct ListsRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes a list; browsers stop using it at once."
  )

  @Argument(help: "The list.")
  var list: String

  @OptionGroup var options: FormatOption

  func run() async throws {
    try await ListsAccess.reporting {
      let updater = ListsAccess.updater()
      let removed = try updater.remove(list)
      let others = updater.store.othersFiles(withList: removed.id)
      if options.isJSON {
        return try HostOutput.write(json: RemovedListJSON(removed, others))
      }
      let place = removed.source.text
      if case .file(let file) = removed.source, !DurableFile.isThere(file) {
        StandardOutput.line("Removed \(removed.name); its file \(place) was not there any more.")
      } else if updater.store.isOwn(removed.source) {
        StandardOutput.line("Removed \(removed.name); their text stays in \(place).")
        StandardOutput.line("tickbird lists own prints it; tickbird lists own FILE takes it again.")
      } else if case .file = removed.source {
        StandardOutput.line("Removed \(removed.name); the file \(place) stays.")
      } else {
        StandardOutput.line("Removed \(removed.name) (\(place)).")
      }
      guard !others.isEmpty else { return }
      StandardOutput.line("What is not Tickbird's stays: \(others.joined(separator: ", ")).")
    }
  }
}

/// Turns a list on.
struct ListsOn: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on",
    abstract: "Lets browsers use a list again."
  )

  @Argument(help: "The list.")
  var list: String

  @OptionGroup var options: FormatOption

  func run() async throws { try await ListSwitch.set(list, true, options) }
}

/// Turns a list off.
struct ListsOff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off",
    abstract: "Keeps a list without using or updating it."
  )

  @Argument(help: "The list.")
  var list: String

  @OptionGroup var options: FormatOption

  func run() async throws { try await ListSwitch.set(list, false, options) }
}

private enum ListSwitch {
  static func set(_ name: String, _ isOn: Bool, _ options: FormatOption) async throws {
    try await ListsAccess.reporting {
      let list = try await ListsAccess.updater().turn(name, on: isOn)
      if options.isJSON { return try HostOutput.write(json: SubscriptionDescription(list)) }
      StandardOutput.line("\(list.name) is \(isOn ? "on" : "off").")
      let damage = ListsAccess.store().damage(of: list)
      if isOn, let damage { Report.complain(ListWords.damage(damage, of: list)) }
    }
  }
}
