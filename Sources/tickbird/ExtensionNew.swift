internal import ArgumentParser
internal import CommandArguments
internal import CLibrary
internal import ExtensionBundles
internal import Foundation
internal import TextOutput

/// The counterpart of Xcode's File > New > Target.
struct ExtensionNew: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Makes a new extension that builds and runs as it is.",
    discussion: """
      Writes a Swift package with the handler of Xcode's template, its resources, Info.plist and \
      entitlements. A content blocker that is only a list needs no Swift: give --list-only. For \
      example:
        tickbird extension new --template content-blocker Blocker

      Exit status: 0 all is well; 2 wrong use, or a file cannot be written.
      """
  )

  @Option(help: "The kind of extension.")
  var template: TemplateName

  @Flag(help: "Make a content blocker without Swift code, of a blockerList.json alone.")
  var listOnly = false

  @Option(help: "The bundle identifier; by default com.example.NAME.")
  var identifier: String?

  @Option(
    help: ArgumentHelp(
      "The folder of Tickbird's sources; by default found beside this program.",
      valueName: "path"
    )
  )
  var tickbird: String?

  @Argument(help: "The name of the extension, and of the folder to make.")
  var name: String

  func run() throws {
    do {
      let names = try ExtensionNames(product: name)
      let fallback = "com.example." + names.module.replacing("_", with: "-")
      try ExtensionTemplate(
        point: template.point,
        names: names,
        bundleIdentifier: identifier ?? fallback,
        hasSources: !listOnly,
        modulesPath: listOnly ? "" : try TickbirdSources.modules(tickbird)
      ).write(to: GivenPath.url(name))
      ConsoleMessage.plain(
        "tickbird: made \(name); build it with: tickbird extension build \(quoted)"
      )
    } catch let error as BundleError {
      ConsoleMessage.error(error.message)
      throw ExitStatus.wrongUse
    }
  }

  private var quoted: String {
    name.allSatisfy { $0.isLetter || $0.isNumber } ? name : "'\(name)'"
  }
}

/// A template, as given on the command line.
struct TemplateName: ExpressibleByArgument {
  let point: ExtensionPoint

  init?(argument: String) {
    guard let point = ExtensionPoint.allCases.first(where: { $0.templateName == argument }) else {
      return nil
    }
    self.point = point
  }

  static var allValueStrings: [String] { ExtensionPoint.allCases.map(\.templateName) }
}

/// The sources that an extension's package depends on.
enum TickbirdSources {
  /// The folder of the package with the modules that handlers import.
  static func modules(_ given: String?) throws -> String {
    let isThere = { (root: URL) in
      FileManager.default.fileExists(
        atPath: root.appendingPathComponent("AppleModules/Package.swift").path
      )
    }
    if let given {
      let root = try GivenPath.url(given).standardizedFileURL
      guard isThere(root) else {
        throw BundleError(.file, "\(root.path) is not the folder of Tickbird's sources")
      }
      return root.appendingPathComponent("AppleModules").path
    }
    // This program may be in the sources' `.build`.
    let program = URL(fileURLWithPath: ownProgram() ?? CommandLine.arguments[0])
    var folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
    while folder.path != "/" {
      // Or Scripts/install installed it elsewhere, with a link to the sources.
      for root in [folder, folder.appendingPathComponent("share/tickbird/sources")]
      where isThere(root) {
        return root.resolvingSymlinksInPath().appendingPathComponent("AppleModules").path
      }
      folder.deleteLastPathComponent()
    }
    throw BundleError(.file, "Tickbird's sources are not around this program; give --tickbird PATH")
  }
}
