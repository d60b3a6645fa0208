internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import ListSubscriptions
internal import TextOutput

/// Converts and compiles a list that was fetched, in a process of its own.
struct ListsPrepare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare",
    abstract: "Prepares a list; started by the other commands alone.",
    shouldDisplay: false
  )

  @Argument var folder: String

  func run() async throws {
    let isDone = PreparationProcess.run(try GivenPath.folder(folder))
    if !isDone { throw ExitStatus.refused }
  }
}
