import ExtensionMessages
import ExtensionSandbox
import Foundation
import HostTestSupport
import Testing

@testable import ExtensionHost

/// What an extension's folders may hold.
@Suite("What containers and groups may hold", .enabled(if: TestHost.hasSandbox))
struct QuotaTests {
  private let blocker = "com.example.blocker"

  private func container(_ test: TestHost) -> URL {
    test.data.appending(path: "Containers/\(blocker)")
  }

  /// A blocker that may hold little, and is on.
  private func host(groups: [String] = []) async throws -> TestHost {
    let test = try await TestHost {
      $0.disk = 2 << 20
      $0.files = 100
    }
    var description = SampleExtensions.Description(
      target: "ContentBlockerTemplate",
      principal: "ContentBlockerTemplate.ContentBlockerRequestHandler",
      resources: ["blockerList.json": rules("webkit.svg")]
    )
    if !groups.isEmpty {
      description.entitlements = ["com.apple.security.application-groups": groups]
    }
    try await test.install(description)
    return test
  }

  @Test(
    "An extension whose folders hold too much is not started, until they are emptied",
    arguments: ["bytes", "sparse", "files", "depth", "group"]
  )
  func tooMuch(_ what: String) async throws {
    let group = "group.com.example.quota"
    let test = try await host(groups: [group])
    let home = container(test)
    let words: String
    switch what {
    case "bytes":
      try Data(count: 3 << 20).write(to: home.appending(path: "big"))
      words = "its container holds more than 2 MiB"
    case "sparse":
      let file = home.appending(path: "Documents/sparse")
      try Data().write(to: file)
      try FileHandle(forWritingTo: file).truncate(atOffset: 3 << 20)
      words = "its container holds more than 2 MiB"
    case "files":
      for number in 0..<101 { try Data().write(to: home.appending(path: "tmp/\(number)")) }
      words = "its container has more than 100 files"
    case "depth":
      try FileManager.default.createDirectory(
        atPath: home.path + String(repeating: "/d", count: 40),
        withIntermediateDirectories: true
      )
      words = "its container has folders more than 32 deep"
    default:
      try Data(count: 3 << 20).write(to: test.data.appending(path: "Groups/\(group)/big"))
      words = "the group \(group) holds more than 2 MiB"
    }
    let error = await #expect(throws: ErrorReport.self) { try await test.host.reload(blocker) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("tickbird extensions clear \(blocker)") == true)
    // The active list stays, and the user sees why it is not renewed.
    #expect(await test.sources == [blocker: rules("webkit.svg")])
    #expect(
      try await test.host.summary(of: blocker).state.lastError?.message == error?.description
    )
    try await test.host.clear(blocker, groups: what == "group")
    try await test.host.reload(blocker)
    #expect(try await test.host.summary(of: blocker).state.lastError == nil)
  }

  /// A host with `greedy.c` as a blocker that is off; the program's name says what it uses up.
  private func greedy(
    _ name: String,
    _ change: (inout HostConfiguration) -> Void
  ) async throws -> TestHost {
    let test = try await TestHost(change)
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "ExtensionSandboxTests/Programs/greedy.c")
    let bundle = try await SampleExtensions.make(
      SampleExtensions.Description(hasExecutable: false),
      in: test.folder.url
    )
    let information = bundle.appending(path: "Info.plist")
    let list = try unsafe PropertyListSerialization.propertyList(
      from: Data(contentsOf: information),
      format: nil
    )
    var values = try #require(list as? [String: Any])
    values["CFBundleExecutable"] = name
    try SampleExtensions.write(values, to: information)
    let compiler = TestProcess()
    compiler.executableURL = Self.compiler
    compiler.arguments = ["-w", "-pthread", source.path, "-o", bundle.path + "/" + name]
    try compiler.run()
    compiler.waitUntilExit()
    try await test.host.install(bundle)
    return test
  }

  private static let compiler = URL(filePath: "/usr/bin/gcc")
  private static let hasCompiler = FileManager.default.isExecutableFile(atPath: compiler.path)

  @Test(
    "A process that writes too much is ended, and is not started again",
    .enabled(if: hasCompiler)
  )
  func writesTooMuch() async throws {
    let test = try await greedy("fill") { $0.disk = 16 << 20 }
    let first = await #expect(throws: ErrorReport.self) { try await test.host.turnOn(blocker) }
    #expect(first?.description.contains("exceeded its limit of disk space") == true)
    #expect(first?.description.contains("tickbird extensions clear \(blocker)") == true)
    let second = await #expect(throws: ErrorReport.self) { try await test.host.reload(blocker) }
    #expect(second?.description.contains("is not started: its container holds more than") == true)
    #expect(try await test.host.logText(of: blocker).contains("extensions clear"))
  }

  @Test("Processor time is counted over several requests", .enabled(if: hasCompiler))
  func processorTime() async throws {
    let test = try await greedy("spin") {
      $0.processorTime = 2
      $0.processorTimePerHour = 3
    }
    for isFirst in [true, false] {
      let error = await #expect(throws: ErrorReport.self) {
        if isFirst {
          try await test.host.turnOn(blocker)
        } else {
          try await test.host.reload(blocker)
        }
      }
      #expect(error?.description.contains("exceeded its limit of processor time") == true)
    }
    let third = await #expect(throws: ErrorReport.self) { try await test.host.reload(blocker) }
    #expect(third?.description.contains("is not started: its processes have taken 3 s") == true)
  }

  @Test("What was used an hour ago does not count")
  func processorUse() {
    var use = ProcessorUse()
    let minute: Int64 = 60_000
    for number in 0..<10 { use.add(30, at: Int64(number) * minute) }
    #expect(use.wait(until: 301, at: 10 * minute) == nil)
    #expect(use.wait(until: 300, at: 10 * minute) == 50 * minute)
    #expect(use.wait(until: 290, at: 10 * minute) == 50 * minute)
    #expect(use.wait(until: 270, at: 10 * minute) == 51 * minute)
    #expect(use.wait(until: 30, at: 69 * minute) == nil)
    #expect(use.wait(until: 0, at: 10 * minute) == 60 * minute)
    use.add(1, at: 200 * minute)
    #expect(use.wait(until: 2, at: 200 * minute) == nil)
  }

  @Test("It is told what holds which limit")
  func told() async throws {
    let test = try await host()
    let limits = try #require(try await test.host.summary(of: blocker).description.limits)
    let resources = limits.map(\.resource)
    #expect(Set(["memory", "threads", "processor time", "disk"]).isSubset(of: resources))
    #expect(limits.allSatisfy { !$0.heldBy.isEmpty })
    #expect(limits.first { $0.resource == "disk" }?.amount == "2 MiB, 100 files")
  }
}
