internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import ListSubscriptions
internal import TextOutput

/// Shows the lists, or everything about one.
struct ListsShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows your lists, or everything about one of them.",
    discussion: """
      Of one list it also shows why lines could not be converted, and where its files are: \
      `tickbird explain --list COMPILED --map MAP` names the source line of each rule.

      JSON output is an array of {"id", "identifier", "name", "isOn", "address"?, "file"?, \
      "mirrors", "formerAddress"?, "fetchedFrom"?, "format"?, "rules"?, "lines"?: {"converted", \
      "approximated", "impossible", "comments"}, "homepage"?, "licence"?, "version"?, "added", \
      "changed"?, "succeeded"?, "checked"?, "next"?, "failures", "fault"?: {"code", "message", \
      "date"}, "damage"?: what is wrong with the compiled list}, or for one list that object with "reasons" and "files".

      \(TickbirdHost.exitStatusHelp)
      """
  )

  @Argument(help: "A list.")
  var list: String?

  @OptionGroup var options: FormatOption

  /// Finds a list, or says which command was probably meant by its name.
  private static func found(_ list: String, _ store: SubscriptionStore) throws -> Subscription {
    do throws(SubscriptionError) { return try store.subscription(list) } catch {
      guard error.code == .notFound, let hint = TickbirdHost.misspelling(isRefused: true) else {
        throw error
      }
      Report.complain("\(hint)")
      throw ExitStatus.wrongUse
    }
  }

  func run() async throws {
    try await ListsAccess.reporting {
      let store = ListsAccess.store()
      if let list {
        let found = try Self.found(list, store)
        if options.isJSON { return try HostOutput.write(json: ListDetailJSON(found, store)) }
        return StandardOutput.line(ListWords.detail(found, store))
      }
      let all = try store.subscriptions()
      if options.isJSON {
        return try HostOutput.write(
          json: all.map { SubscriptionDescription($0, damage: store.damage(of: $0)) }
        )
      }
      guard !all.isEmpty else { return StandardOutput.line(ListWords.none) }
      for list in all {
        StandardOutput.line(
          "\(list.id)\(list.isOn ? "" : " (off)"): \(list.name), \(ListWords.contents(list))"
        )
        StandardOutput.line("   \(list.source.text)")
        if let damage = store.damage(of: list) {
          StandardOutput.line("   \(ListWords.damage(damage, of: list))")
        }
        if let fault = list.fault {
          let next = list.next.map { "; next try after \(HostOutput.time($0))" } ?? ""
          StandardOutput.line("   not updated: \(fault.message)\(next)")
        } else if let succeeded = list.succeeded {
          StandardOutput.line("   up to date as of \(HostOutput.time(succeeded))")
        }
      }
    }
  }
}
