internal import ArgumentParser
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

  func run() throws {
    do {
      let folder = URL(fileURLWithPath: folder).standardizedFileURL
      let project = try ExtensionProject(folder: folder)
      let output = output.map { URL(fileURLWithPath: $0) }
      let bundle = try project.assemble(
        executable: project.hasSources ? try build(project) : nil,
        into: output ?? folder.appendingPathComponent("build")
      )
      var stream = TextOutput.OutputStream.standardOutput()
      try stream.write("\(path: bundle.path)\n")
      try stream.flush()
    } catch let error as BundleError {
      ConsoleMessage.error(error.message)
      throw error.code == .build ? ExitStatus.refused : ExitStatus.wrongUse
    }
  }

  private func build(_ project: ExtensionProject) throws -> URL {
    try project.writeEntryPoint()
    var arguments = [
      "build", "--package-path", project.folder.path, "-c", configuration.rawValue,
    ]
    if staticSwiftStdlib { arguments.append("--static-swift-stdlib") }
    let place = try swift(arguments + ["--show-bin-path"], capture: true)
    _ = try swift(arguments + ["--product", project.names.module], capture: false)
    let path = place.split(separator: "\n").last.map(String.init) ?? ""
    return URL(fileURLWithPath: path).appendingPathComponent(project.names.module)
  }

  private func swift(_ arguments: [String], capture: Bool) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift"] + arguments
    let pipe = Pipe()
    if capture {
      process.standardOutput = pipe
    } else {
      process.standardOutput = FileHandle.standardError
    }
    let output: Data
    do {
      try process.run()
      // Reads before waiting: with a full pipe, both processes would wait forever.
      output = capture ? try pipe.fileHandleForReading.readToEnd() ?? Data() : Data()
    } catch {
      throw BundleError(.build, "swift cannot be run: \(error.localizedDescription)")
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BundleError(.build, "swift build failed with status \(process.terminationStatus)")
    }
    return String(decoding: output, as: UTF8.self)
  }
}

/// A build configuration.
enum BuildConfiguration: String, CaseIterable, ExpressibleByArgument {
  case release, debug
}
