import ContentBlocking
import ExtensionMessages
import Foundation
import HostTestSupport
import TestSupport
import Testing

@testable import ExtensionHost

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Kills the service at random moments while it works, and looks at what is left.
///
/// `TICKBIRD_KILLS` says how often, `TICKBIRD_KILL_SEED` where the random numbers begin;
/// `Scripts/kill-service` sets both.
@Suite("A service that is killed")
struct KillTests {
  private static let identifiers = ["com.example.a", "com.example.b", "com.example.c"]

  private func number(_ variable: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? usual
  }

  @Test("Killed at any moment, it loses no installed bundle and no compiled list")
  func kills() async throws {
    let seed = number("TICKBIRD_KILL_SEED", 1)
    var random = RandomSource(seed: UInt64(seed))
    let service = try ServiceProcess()
    // What the service has confirmed, which must never be lost.
    var installed: Set<String> = []
    var compiled: Set<String> = []
    var versions: [String: [String]] = [:]
    for round in 0..<number("TICKBIRD_KILLS", 12) {
      let process = try await service.start()
      try await check(service, installed, compiled, "seed \(seed), round \(round)")
      let delay = Int.random(in: 0..<150_000, using: &random)
      let killer = Task.detached {
        usleep(UInt32(delay))
        process.send(SIGKILL)
      }
      // Calls until one fails, which is the one during which the service was killed.
      var step = 0
      while true {
        step += 1
        let identifier = try #require(Self.identifiers.randomElement(using: &random))
        let version = "\(round).\(step)"
        do {
          let client = try HostClient(socket: service.socket)
          let arguments: [String: MessageValue] = ["identifier": .string(identifier)]
          switch Int.random(in: 0..<4, using: &random) {
          case 0, 1:
            // One of them has a process, which must end with the service.
            let hasProcess = identifier == Self.identifiers.last && TestHost.hasSandbox
            let list = rules(hasProcess ? "ads" : "\(identifier)-\(version)")
            let description =
              hasProcess
              ? SampleExtensions.Description.handler("TemporaryFileBlocker") : .list(list)
            let bundle = try await service.make(
              description.with {
                $0.identifier = identifier
                $0.version = version
              }
            )
            defer { try? FileManager.default.removeItem(atPath: bundle) }
            versions[identifier, default: []].append(list)
            _ = try await client.call(.installExtension, ["path": .string(bundle)])
            installed.insert(identifier)
          case 2:
            guard installed.contains(identifier) else { continue }
            _ = try await client.call(.turnOnExtension, arguments)
            compiled.insert(identifier)
          default:
            guard compiled.contains(identifier) else { continue }
            _ = try await client.call(.reloadContentBlocker, arguments)
          }
        } catch let error as ErrorReport {
          // Any error other than the service's end is a failure of the service.
          let isEnd =
            error.code == 4097 || error.domain == ErrorReport.runtimeDomain
          #expect(isEnd, "seed \(seed), round \(round): \(error)")
          break
        }
      }
      await killer.value
      await service.stop(process)
    }
    while !processes(in: service.folder.url).isEmpty {
      try await Task.sleep(for: .milliseconds(10))
    }
    // The lists are intact: each is one that was installed, and the service compiles none of them.
    let process = try await service.start()
    try await check(service, installed, compiled, "seed \(seed), at the end")
    // What was being turned on at the last kill is compiled while the service already answers.
    for summary in try await summaries(service) where isWithoutList(summary) {
      _ = try await HostClient(socket: service.socket)
        .call(.reloadContentBlocker, ["identifier": summary["identifier"] ?? .null])
    }
    await service.stop(process)
    let host = try AppExtensionHost(
      data: service.home.appending(path: "data"),
      launcher: PlainLauncher(),
      holder: "a test"
    )
    let failures = await host.start()
    #expect(failures.isEmpty, "\(failures)")
    #expect(await host.compileCount == 0)
    for list in await host.contentRuleLists {
      let source = String(decoding: list.source, as: UTF8.self)
      #expect(versions[list.identifier]?.contains(source) == true, "\(source)")
    }
    // Nothing unfinished is left.
    let bundles = try FileManager.default.contentsOfDirectory(atPath: host.bundles.directory.path)
    #expect(Set(bundles).isSubset(of: Self.identifiers), "\(bundles)")
    let lists = try FileManager.default.contentsOfDirectory(
      atPath: service.home.appending(path: "data/Lists").path
    )
    #expect(lists.allSatisfy { $0.hasPrefix("ContentRuleList-") }, "\(lists)")
    #expect(!installed.isEmpty)
  }

  /// The processes whose program is in a folder.
  private func processes(in folder: URL) -> [String] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return numbers.filter { number in
      let program = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(number)/exe"
      )
      return program?.hasPrefix(folder.path) ?? false
    }
  }

  private func summaries(_ service: ServiceProcess) async throws -> [MessageValue] {
    try await HostClient(socket: service.socket).call(.listExtensions).array ?? []
  }

  private func isWithoutList(_ summary: MessageValue) -> Bool {
    summary["isOn"] == .bool(true) && summary["hasListInForce"] != .bool(true)
  }

  private func check(
    _ service: ServiceProcess,
    _ installed: Set<String>,
    _ compiled: Set<String>,
    _ place: String
  ) async throws {
    var found: [String: MessageValue] = [:]
    for summary in try await summaries(service) {
      found[summary["identifier"]?.string ?? ""] = summary
    }
    #expect(installed.isSubset(of: found.keys), "\(place)")
    for identifier in compiled {
      #expect(found[identifier]?["isOn"] == .bool(true), "\(place): \(identifier)")
      #expect(found[identifier]?["hasListInForce"] == .bool(true), "\(place): \(identifier)")
    }
  }
}
