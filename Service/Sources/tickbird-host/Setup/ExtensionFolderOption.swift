internal import ArgumentParser
internal import BrowserPackages
internal import CommandArguments
internal import Foundation

/// The browser extensions to take in place of the installed ones.
struct ExtensionFolderOption: ParsableArguments {
  @Option(
    name: .customLong("extension"),
    help: ArgumentHelp(
      "A folder with Tickbird's browser extension, unpacked; can be given several times. By default the "
        + "installed ones.",
      valueName: "folder"
    )
  )
  private var folders: [String] = []

  /// Returns the given ones; none if none are given.
  func given() throws -> [ExtensionFolder] {
    try folders.map { try ExtensionFolder(GivenPath.url($0)) }
  }

  /// Returns the words by which another program gets the same ones, wherever it starts.
  func absoluteWords() throws -> [String] {
    try folders.flatMap { ["--extension", try GivenPath.url($0).standardizedFileURL.path] }
  }

  /// What to do where none is installed, as the end of a message.
  static let wayOut = """
    the package tickbird-service has it, and Scripts/install puts it there from the sources; --extension names \
    another folder that has it
    """
}
