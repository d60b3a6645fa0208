internal import ArgumentParser
internal import CommandArguments
internal import DurableFiles
internal import Foundation
internal import ListSubscriptions
internal import TextOutput

/// Prints or replaces the rules that the user writes.
struct ListsOwn: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "own",
    abstract: "Prints the rules that you write yourself, or takes those of a file.",
    discussion: """
      They are one more list, in any syntax that a list may have, and act at once. A file with a \
      fault replaces nothing; an empty one ends the list.

      For example:
        tickbird lists own > mine.txt
        tickbird lists own mine.txt
      """
  )

  @Argument(help: "A file with the new rules; - is standard input.")
  var file: String?

  @OptionGroup var options: FormatOption

  /// The output as JSON.
  private struct Described: Encodable {
    let text: String
    let rules: Int
  }

  func run() async throws {
    try await ListsAccess.reporting {
      let own = OwnRules(ListsAccess.updater())
      if let file {
        try await own.set(Self.text(of: file))
      } else {
        await Self.finish(own)
      }
      let text = try own.text()
      let list = try own.subscription()
      let rules = list.map { SubscriptionDescription($0) }?.rules ?? 0
      if options.isJSON { return try HostOutput.write(json: Described(text: text, rules: rules)) }
      guard file != nil else {
        guard !text.isEmpty else { return }
        if list == nil {
          Report.complain("these rules do not act; let them act again by: tickbird lists own FILE")
        }
        // So that what is printed and taken again is the same.
        return StandardOutput.line(
          "\(lines: text.utf8.last == 0x0A ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text)"
        )
      }
      guard let list, rules > 0 else { return StandardOutput.line("There are no rules.") }
      StandardOutput.line("Your own rules act: \(ListWords.contents(list)).")
      for line in ListWords.reasons(list) { StandardOutput.line(line) }
    }
  }

  /// Finishes what a killed process has begun; what is written is printed in any case.
  private static func finish(_ own: OwnRules) async {
    do {
      try await own.finish()
    } catch {
      Report.complain("these rules are not those that act: \(FileFailure.reason(of: error))")
    }
  }

  /// Reads a file, or standard input, as far as rules may be long.
  private static func text(of file: String) throws -> String {
    let limit = OwnRules.limit + 1
    guard let text = String(validating: try GivenFile.read(file, upTo: limit), as: UTF8.self) else {
      throw SubscriptionError(.file, "\(file) is not text in UTF-8")
    }
    return text
  }
}
