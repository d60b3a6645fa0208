internal import ArgumentParser

/// Safari app extensions: making, importing and building them.
struct Extension: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extension",
    abstract: "Makes and builds Safari app extensions.",
    subcommands: [ExtensionNew.self, ExtensionImport.self, ExtensionBuild.self]
  )
}
