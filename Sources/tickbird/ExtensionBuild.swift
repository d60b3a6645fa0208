internal import ArgumentParser
internal import CommandArguments
internal import CLibrary
internal import CommandOutput
internal import ExtensionBundles
internal import Foundation
internal import TextOutput

/// Builds `NAME.appex` from a folder.
struct ExtensionBuild: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Builds NAME.appex, with its executable, resources, Info.plist and entitlements.",
    discussion: """
      Writes the entry point for the principal class that Info.plist names, runs swift build, and \
      assembles the bundle. The path of the bundle goes to standard output, what the compiler says \
      to standard error.

      Exit status: 0 all is well; 1 the sources do not compile; 2 wrong use, or a file cannot be \
      read or written.
      """
  )

  @Option(name: [.short, .long], help: "The configuration to build.")
  var configuration: BuildConfiguration = .release

  @Flag(help: "Put Swift's libraries into the executable, for machines without the toolchain.")
  var staticSwiftStdlib = false

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The folder for NAME.appex; by default build in the extension's folder.",
      valueName: "folder"
    )
  )
  var output: String?

  @Argument(help: "The extension's folder.")
  var folder = "."

  func validate() throws {
    try OutputOption.requireName(output, of: "-o", naming: "a folder")
  }

  func run() throws {
    do {
      let folder = try GivenPath.url(folder).standardizedFileURL
      let project = try ExtensionProject(folder: folder)
      let output =
        try output.map { try GivenPath.url($0) } ?? folder.appendingPathComponent("build")
      let bundle =
        project.hasSources
        ? try build(project, into: output) : try project.assemble(executable: nil, into: output)
      var stream = TextOutput.OutputStream.standardOutput()
      try stream.write("\(path: bundle.path)\n")
      try stream.flush()
    } catch let error as BundleError {
      ConsoleMessage.error(error.message)
      throw error.code == .build ? ExitStatus.refused : ExitStatus.wrongUse
    }
  }

  private func build(_ project: ExtensionProject, into output: URL) throws -> URL {
    try project.writeEntryPoint()
    let kind = configuration.rawValue + (staticSwiftStdlib ? "-static" : "")
    // Locked until its products are copied.
    let folder = BuildFolder.prepare(for: project, kind: kind) {
      ConsoleMessage.plain("tickbird: waiting for another build of an extension")
    }
    var arguments = [
      "build", "--package-path", project.folder.path, "--scratch-path", folder.url.path,
      "-c", configuration.rawValue, "--product", project.names.module,
    ]
    if staticSwiftStdlib { arguments.append("--static-swift-stdlib") }
    try swift(arguments, project)
    let products = folder.url.appendingPathComponent(configuration.rawValue)
    return try withExtendedLifetime(folder) {
      try project.assemble(
        executable: products.appendingPathComponent(project.names.module),
        into: output
      )
    }
  }

  /// Runs swift, passes its output on, and explains its errors.
  private func swift(_ arguments: [String], _ project: ExtensionProject) throws {
    let process: SpokenProcess
    do throws(SystemError) {
      process = try SpokenProcess(
        ["/usr/bin/env", "swift"] + arguments,
        environment: ProcessInfo.processInfo.environment
      )
    } catch {
      throw BundleError(.build, "swift cannot be run: \(error)")
    }
    var output = BuildOutput()
    while true {
      let more = process.read()
      guard !more.isEmpty else { break }
      for line in output.lines(completedBy: more) { ConsoleMessage.plain(line) }
    }
    for line in output.rest() { ConsoleMessage.plain(line) }
    let status = process.wait()
    guard status == 0 else {
      let explanation = BuildExplanation(output.errors, leftOut: project.leftOut)
      for sentence in explanation.sentences {
        ConsoleMessage.plain("tickbird: note: \(Shown.line(sentence))")
      }
      throw BundleError(
        .build,
        "swift build failed with status \(status); Documentation/Extensions.md "
          + "has what is supported"
      )
    }
  }
}

/// The output of a build, line by line.
private struct BuildOutput {
  private static let mostErrors = 1_000
  private static let longestLine = 64 << 10

  private var pending: [UInt8] = []
  /// The lines with errors, up to a number.
  private(set) var errors: [String] = []

  /// Returns the lines that bytes complete.
  mutating func lines(completedBy bytes: [UInt8]) -> [String] {
    pending += bytes
    var lines: [String] = []
    while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(line(Array(pending[..<end])))
      pending.removeFirst(end + 1)
    }
    if pending.count > Self.longestLine {
      lines.append(line(pending))
      pending = []
    }
    return lines
  }

  /// Returns the last line, if it has no end.
  mutating func rest() -> [String] {
    defer { pending = [] }
    return pending.isEmpty ? [] : [line(pending)]
  }

  private mutating func line(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.firstRange(of: ": error: ") != nil, errors.count < Self.mostErrors {
      errors.append(text)
    }
    return text
  }
}

/// A build configuration.
enum BuildConfiguration: String, CaseIterable, ExpressibleByArgument {
  case release, debug
}
