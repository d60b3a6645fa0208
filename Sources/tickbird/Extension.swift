internal import ArgumentParser

/// Safari app extensions: making, importing and building them.
struct Extension: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes and builds Safari app extensions.",
    subcommands: [ExtensionNew.self, ExtensionImport.self, ExtensionBuild.self]
  )
}
