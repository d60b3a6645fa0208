import ExtensionMessages
import Foundation
import HostTestSupport
import Testing

@testable import ExtensionHost

@Suite(
  "Links from a server of one's own",
  .enabled(if: TestHost.hasSandbox, "extensions run only where the kernel can confine them")
)
struct LinksFromAServerTests {
  private let identifier = "org.example.links-from-a-server"

  private func titles(_ command: ServiceProcess) async throws -> [String] {
    let outcome = try await command.run("links", "list", "--format", "json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(outcome.value?.array).compactMap { $0["title"]?.string }
  }

  @Test("The network is refused at first, and with the entitlement the links are in the stream")
  func demonstration() async throws {
    let command = try ServiceProcess()
    let links = try String(
      contentsOf: SampleExtensions.linksExample.appending(path: "links.json"),
      encoding: .utf8
    )
    let server = try OneAnswerServer(json: links)
    let address = "http://127.0.0.1:\(server.port)/links.json"

    // As the project is: its entitlements have the sandbox alone.
    let confined = try await SampleExtensions.makeLinksExample(
      address: address,
      version: "1.0",
      in: command.folder.url
    )
    let installed = try await command.run("extensions", "install", confined.path)
    #expect(installed.status == 0, "\(installed.errors)")
    let on = try await command.run("extensions", "on", identifier)
    #expect(on.status == 0, "\(on.errors)")
    let first = try await command.run("links", "refresh")
    #expect(first.output.contains("Links from a Server"), "\(first.output)\(first.errors)")
    #expect(try await titles(command) == [])
    let log = try await command.run("extensions", "log", identifier)
    #expect(
      log.output.contains("network refused: no outgoing-connections entitlement"),
      "\(log.output)\(log.errors)"
    )

    // The next version has the capability. What failed is held back but for those who insist.
    let connected = try await SampleExtensions.makeLinksExample(
      address: address,
      version: "1.1",
      entitlements: ["com.apple.security.network.client": true],
      in: command.folder.url
    )
    let updated = try await command.run("extensions", "install", connected.path)
    #expect(updated.status == 0, "\(updated.errors)")
    let second = try await command.run("links", "refresh", "--force")
    #expect(second.status == 0, "\(second.output)\(second.errors)")
    #expect(try await titles(command) == ["The second link", "The first link"])
    let list = try await command.run("links", "list", "--format", "json")
    let items = try #require(list.value?.array)
    #expect(
      items.compactMap { $0["url"]?.string } == [
        "https://www.example.com/second", "https://www.example.com/first",
      ]
    )
  }
}
