import BlockingWork
import CLibrary
import ChildPrograms
import ContentBlocking
import ExtensionSandbox
import Foundation
import HostTestSupport
import Testing

@testable import ExtensionHost

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Bundles of the handlers in `AppleModules/Tests/ExtensionSamples`, which a script builds.
enum SampleExtensions {
  /// The root of the sources.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Builds the samples, and gives the folder with their executables.
  static let executables = Task { try await build("AppleModules") }

  /// The example of scenario 2.4, a project as people have it.
  static let linksExample = root.appending(path: "Examples/2.4-links-from-a-server")

  private static let linksExecutables = Task {
    try await build("Examples/2.4-links-from-a-server")
  }

  /// Builds a package, on no thread that tasks share: it takes minutes, in which servers of other tests must answer.
  private static func build(_ package: String) async throws -> URL {
    try await blocking {
      let process = TestProcess()
      process.executableURL = root.appending(path: "Scripts/build-sample-extensions")
      process.arguments = [package]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw HostError(.system, "the samples in \(package) cannot be built")
      }
      let path = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
      return URL(filePath: path, directoryHint: .isDirectory)
    }
  }

  /// Makes the example's bundle as a build of the project does, for another server.
  ///
  /// - Parameters:
  ///   - address: What the server's address in `Info.plist` is to be.
  ///   - version: The version of the bundle.
  ///   - added: What is added to the project's entitlements.
  ///   - folder: Where the bundle is put.
  /// - Returns: The bundle.
  /// - Throws: What the build or the files say.
  static func makeLinksExample(
    address: String,
    version: String,
    entitlements added: [String: Any] = [:],
    in folder: URL
  ) async throws -> URL {
    let module = "_2_4_links_from_a_server"
    let bundle = folder.appending(path: "\(UUID().uuidString.prefix(8)).appex")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: await linksExecutables.value.appending(path: module),
      to: bundle.appending(path: module)
    )
    let text = try String(contentsOf: linksExample.appending(path: "Info.plist"), encoding: .utf8)
      .replacing("$(PRODUCT_MODULE_NAME)", with: module)
    var information = try dictionary(Data(text.utf8))
    information["CFBundleExecutable"] = module
    information["CFBundlePackageType"] = "XPC!"
    information["CFBundleShortVersionString"] = version
    information["CFBundleVersion"] = version
    information["LinksAddress"] = address
    try write(information, to: bundle.appending(path: "Info.plist"))
    let file = linksExample.appending(path: "\(linksExample.lastPathComponent).entitlements")
    let entitlements = try dictionary(Data(contentsOf: file)).merging(added) { $1 }
    try write(entitlements, to: bundle.appending(path: "Entitlements.plist"))
    return bundle
  }

  private static func dictionary(_ data: Data) throws -> [String: Any] {
    let value = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    guard let dictionary = value as? [String: Any] else {
      throw HostError(.system, "the property list is no dictionary")
    }
    return dictionary
  }

  /// The template of Xcode for each target, with what its bundle needs.
  static let templates = [
    "ContentBlockerTemplate", "ContentBlockerMacTemplate", "SharedLinksTemplate",
    "WebExtensionTemplate", "OldWebExtensionTemplate",
  ]

  /// What a bundle is to be like.
  struct Description {
    var target = "AppHandlers"
    var principal = ""
    var identifier = "com.example.blocker"
    var point = "com.apple.Safari.content-blocker"
    var version = "1.0"
    var build = "1"
    var entitlements: [String: Any]?
    var resources: [String: String] = [:]
    var hasExecutable = true
    /// What is added to `NSExtension` of `Info.plist`.
    var added: [String: Any] = [:]

    /// A handler of `AppHandlers`.
    static func handler(_ principal: String) -> Description {
      Description(principal: "AppHandlers." + principal)
    }

    /// A content blocker that is a list alone.
    static func list(_ text: String, version: String = "1.0") -> Description {
      Description(version: version, resources: ["blockerList.json": text], hasExecutable: false)
    }

    func with(_ change: (inout Description) -> Void) -> Description {
      var copy = self
      change(&copy)
      return copy
    }

    /// A Safari app extension.
    static func appExtension(_ principal: String = "BrowserHandler") -> Description {
      Description(
        target: "BrowserHandlers",
        principal: "BrowserHandlers." + principal,
        identifier: "com.example.app-extension",
        point: "com.apple.Safari.extension",
        added: ["SFSafariWebsiteAccess": ["Level": "All"]]
      )
    }

    /// The same as a web extension.
    var asWebExtension: Description {
      with {
        $0.point = "com.apple.Safari.web-extension"
        $0.identifier = "com.example.web"
      }
    }
  }

  /// Writes a bundle.
  static func make(_ description: Description, in folder: URL) async throws -> URL {
    let program =
      description.hasExecutable
      ? try await executables.value.appending(path: description.target) : nil
    return try make(description, program: program, in: folder)
  }

  /// Writes a bundle with a program of its own, or with none.
  static func make(_ description: Description, program: URL?, in folder: URL) throws -> URL {
    let bundle = folder.appending(path: "\(UUID().uuidString.prefix(8)).appex")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    var information: [String: Any] = [
      "CFBundleIdentifier": description.identifier, "CFBundlePackageType": "XPC!",
      "CFBundleShortVersionString": description.version, "CFBundleVersion": description.build,
      "CFBundleName": description.target,
      "NSExtension": [
        "NSExtensionPointIdentifier": description.point,
        "NSExtensionPrincipalClass": description.principal,
      ].merging(description.added) { $1 },
    ]
    if let program {
      information["CFBundleExecutable"] = description.target
      try FileManager.default.copyItem(
        at: program,
        to: bundle.appending(path: description.target)
      )
    }
    try write(information, to: bundle.appending(path: "Info.plist"))
    if let entitlements = description.entitlements {
      try write(entitlements, to: bundle.appending(path: "Entitlements.plist"))
    }
    for (name, text) in description.resources {
      try Data(text.utf8).write(to: bundle.appending(path: name))
    }
    return bundle
  }

  static func write(_ values: [String: Any], to url: URL) throws {
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
      .write(to: url)
  }
}

/// A folder that is removed after the test.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "tickbird-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}

/// Starts processes without a sandbox.
struct PlainLauncher: ProcessLauncher {
  func start(_ plan: ProcessPlan) throws(HostError) -> any RunningExtension {
    let environment = plan.environment.merging(["TICKBIRD_EXTENSION_CHANNEL": "3"]) { $1 }
    do throws(SystemError) {
      return PlainProcess(
        program: try ChildProgram(
          plan.executable.path,
          [],
          environment: environment,
          output: plan.output,
          errors: plan.output,
          others: [plan.channel]
        )
      )
    } catch {
      throw HostError(.system, "cannot start \(plan.executable.path): \(error)")
    }
  }
}

struct PlainProcess: RunningExtension {
  fileprivate let program: ChildProgram
  var processIdentifier: Int32 { program.identifier }
  var refusals: [String] { [] }
  var processorSeconds: Double { 0 }

  func terminate() { program.send(SIGTERM) }
  func kill() { program.send(SIGKILL) }

  func wait() async -> ProcessExit {
    await blocking {
      switch program.wait() {
      case .exited(let status): .exited(status)
      case .signalled(let signal): .signalled(signal)
      }
    }
  }
}

/// A host in its own folder.
struct TestHost {
  let folder: TemporaryFolder
  let host: AppExtensionHost
  var data: URL { folder.url.appending(path: "data") }

  /// Whether this machine can confine a process; without it what does not depend on it is tested.
  static let hasSandbox = Sandbox.available().missing.isEmpty

  /// Uses a host that was already started.
  init(folder: TemporaryFolder, host: AppExtensionHost) {
    self.folder = folder
    self.host = host
  }

  init(
    folder: TemporaryFolder? = nil,
    launcher: (any ProcessLauncher)? = nil,
    _ change: (inout HostConfiguration) -> Void = { _ in }
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    var configuration = HostConfiguration()
    // Long enough for a busy machine; an extension that answers never waits for it.
    configuration.deadline = 120
    change(&configuration)
    let (data, bounds) = (folder.url.appending(path: "data"), configuration)
    host = try await blocking {
      try AppExtensionHost(
        data: data,
        launcher: launcher ?? (Self.hasSandbox ? SandboxedLauncher() : PlainLauncher()),
        holder: "a test",
        // The previous host of the same test may still be finishing.
        waiting: 60,
        configuration: bounds
      )
    }
    _ = await host.start()
  }

  /// Installs a bundle and turns it on.
  @discardableResult
  func install(
    _ description: SampleExtensions.Description,
    signedBy signer: Signer = .unsigned,
    isOn: Bool = true
  ) async throws -> InstalledBundle {
    let bundle = try await SampleExtensions.make(description, in: folder.url)
    let installed = try await host.install(bundle, signedBy: signer)
    try FileManager.default.removeItem(at: bundle)
    if isOn { try await host.turnOn(installed.identifier) }
    return installed
  }

  /// The source texts of the active lists, by identifier.
  var sources: [String: String] {
    get async {
      var sources: [String: String] = [:]
      for list in await host.contentRuleLists {
        sources[list.identifier] = String(decoding: list.source, as: UTF8.self)
      }
      return sources
    }
  }
}

/// Rules that block URLs with a word.
func rules(_ word: String) -> String {
  #"[{"trigger":{"url-filter":"\#(word)"},"action":{"type":"block"}}]"#
}
