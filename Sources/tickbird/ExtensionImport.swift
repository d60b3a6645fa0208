internal import ArgumentParser
internal import CommandArguments
internal import CommandOutput
internal import ExtensionBundles
internal import Foundation
internal import TextOutput
internal import XcodeProjects

/// Imports a target of an Xcode project as an extension's folder.
struct ExtensionImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Imports an extension from an Xcode project or a .safariextension folder, and reports what it could not import.",
    discussion: """
      Writes a folder for tickbird extension build: the target's Swift files, its resources \
      as the built bundle has them, Info.plist, entitlements, and a Package.swift. Its path goes to \
      standard output; what was left out, or will not compile, to standard error. Nothing of the \
      project is run or changed.

      A folder NAME.safariextension, as Safari 12 and earlier loaded it, becomes a bundle NAME.appex for \
      tickbird extensions install; there is nothing to build.

      Exit status: 0 all is well; 1 something could not be imported, and is named (the rest is \
      written); 2 wrong use, or nothing could be imported.
      """
  )

  @Option(help: "The target; needed if several can be imported.")
  var target: String?

  @Option(
    name: [.short, .long],
    help: "The configuration whose build settings are used; by default Release."
  )
  var configuration: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      """
      The folder to write; by default the product's name in the current folder, or NAME-tickbird \
      where the project has a folder of that name.
      """,
      valueName: "folder"
    )
  )
  var output: String?

  @Option(help: "Compile the sources as Swift 4, 4.2, 5 or 6, whatever the project says.")
  var swiftVersion: LanguageModeName?

  @Flag(help: "Replace an existing folder of an extension.")
  var replace = false

  @Flag(help: "Write nothing; list what would be written, and from what.")
  var dryRun = false

  @OptionGroup var format: FormatOption

  @Option(
    help: ArgumentHelp(
      "The folder of Tickbird's sources; by default found beside this program.",
      valueName: "path"
    )
  )
  var tickbird: String?

  @Argument(help: "The .xcodeproj, a folder with one in it, or a .safariextension folder.")
  var project: String

  func validate() throws {
    try OutputOption.requireName(output, of: "-o", naming: "a folder")
  }

  func run() throws {
    do {
      if LegacyFolderImport.isMeant(project) {
        return try LegacyFolderImport(
          path: project,
          output: output,
          isReplacing: replace,
          isDryRun: dryRun
        )
        .run()
      }
      let project = try XcodeProject(at: GivenPath.url(project))
      let request = ImportRequest(
        target: target,
        configuration: configuration,
        modulesPath: try TickbirdSources.modules(tickbird),
        languageMode: swiftVersion?.mode
      )
      let plan: ImportPlan
      do {
        plan = try project.plan(request)
      } catch let error as XcodeProjectError where error.code == .choice {
        ConsoleMessage.error(error.message)
        list(project.extensionTargets(configuration: configuration))
        throw ExitStatus.wrongUse
      }
      let folder =
        try output.map { try GivenPath.url($0).standardizedFileURL }
        ?? plan.defaultFolder(in: GivenPath.folder(".").standardizedFileURL)
      if !dryRun { try plan.write(to: folder, replacing: replace) }
      let targets = project.extensionTargets(configuration: configuration)
      try report(plan, targets, folder)
      if !plan.isComplete { throw ExitStatus.refused }
    } catch let error as XcodeProjectError {
      ConsoleMessage.error(error.message)
      throw ExitStatus.wrongUse
    } catch let error as BundleError {
      ConsoleMessage.error(error.message)
      throw ExitStatus.wrongUse
    }
  }

  /// Lists the targets to choose from, and why the others cannot be imported.
  private func list(_ targets: [ExtensionTarget]) {
    for target in targets.filter({ $0.point != nil }) + targets.filter({ $0.point == nil }) {
      ConsoleMessage.plain("  " + Shown.line("\(target.name): \(target.summary)"))
    }
  }

  private func report(_ plan: ImportPlan, _ targets: [ExtensionTarget], _ folder: URL) throws {
    var stream = TextOutput.OutputStream.standardOutput()
    if format.isJSON {
      var writer = JSONWriter()
      writer.report(plan, targets, folder: dryRun ? nil : folder.path)
      writer.endLine()
      try stream.write(writer.bytes)
      return try stream.flush()
    }
    for finding in plan.findings {
      switch finding.severity {
      case .notTaken: ConsoleMessage.warning(finding.line)
      case .note: ConsoleMessage.plain("tickbird: note: \(Shown.line(finding.line))")
      }
    }
    let others = target == nil ? targets.filter { $0.point == nil } : []
    for target in others.prefix(5) {
      ConsoleMessage.plain(
        "tickbird: note: target \(Shown.line("\(target.name): \(target.summary)"))"
      )
    }
    if others.count > 5 {
      ConsoleMessage.plain(
        "tickbird: note: \(others.count - 5) more extensions cannot be taken; --format json lists them"
      )
    }
    let count = plan.findings.count { $0.severity == .notTaken }
    let rest = count == 0 ? "everything was taken" : "\(count) not taken, see above"
    ConsoleMessage.plain(
      "tickbird: \(Shown.line(plan.target.name)) (\(plan.target.summary), \(plan.configuration)): "
        + "\(plan.files.count) files; \(rest)"
    )
    if dryRun {
      for file in plan.files {
        let origin: OutputText = file.origin.map { "  <-  \(path: $0)" } ?? ""
        try stream.write("\(path: file.path)\(origin)\n")
      }
    } else {
      let place =
        folder.path.allSatisfy { $0.isLetter || $0.isNumber || "/-_.".contains($0) }
        ? folder.path : "'\(folder.path.replacing("'", with: "'\\''"))'"
      ConsoleMessage.plain("tickbird: build it with: tickbird extension build \(Shown.line(place))")
      try stream.write("\(path: folder.path)\n")
    }
    try stream.flush()
  }
}

/// A language mode, as given on the command line.
struct LanguageModeName: ExpressibleByArgument {
  let mode: SwiftPackageManifest.LanguageMode

  init?(argument: String) {
    guard let mode = SwiftPackageManifest.LanguageMode(rawValue: argument) else { return nil }
    self.mode = mode
  }

  static var allValueStrings: [String] {
    SwiftPackageManifest.LanguageMode.allCases.map(\.rawValue)
  }
}

extension JSONWriter {
  /// Writes the result of an import.
  fileprivate mutating func report(
    _ plan: ImportPlan,
    _ targets: [ExtensionTarget],
    folder: String?
  ) {
    object { json in
      json.field("target", plan.target.name)
      json.field("extensionPoint", plan.point.rawValue)
      json.field("configuration", plan.configuration)
      json.field("module", plan.names.module)
      json.field("complete", plan.isComplete)
      if let folder { json.field("folder", folder) }
      json.field("files") { json in
        json.array(of: plan.files) { json, file in
          json.object { json in
            json.field("path", file.path)
            if let origin = file.origin { json.field("origin", origin) }
          }
        }
      }
      json.field("findings") { json in
        json.array(of: plan.findings) { json, finding in
          json.object { json in
            json.field("severity", finding.severity.rawValue)
            json.field("code", finding.code)
            json.field("subject", finding.subject)
            json.field("reason", finding.reason)
            if let advice = finding.advice { json.field("advice", advice) }
          }
        }
      }
      json.field("targets") { json in
        json.array(of: targets) { json, target in
          json.object { json in
            json.field("name", target.name)
            json.field("platforms", target.platforms)
            switch target.status {
            case .taken(let point): json.field("extensionPoint", point.rawValue)
            case .refused(let reason): json.field("refused", reason)
            }
            if !target.variants.isEmpty {
              json.field("variants") { json in
                json.array(of: target.variants) { $0.string($1) }
              }
            }
          }
        }
      }
    }
  }
}
