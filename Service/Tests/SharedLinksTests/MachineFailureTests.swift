import Foundation
import Testing

@testable import SharedLinks

private let feed = "https://example.org/feed"

struct MachineFailureTests {
  @Test("what this machine could not do is reported, and not held against the feed")
  func machine() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, body: rss([Written("A", guid: "1")]))
    let before = try await scene.follow(feed)
    scene.clock.advance(30 * 86_400)
    scene.transport.on(feed) { _ in throw FetchFailure("there is no curl", isOfMachine: true) }
    let reports = try await scene.refresher.refresh(.due)
    #expect(reports.map(\.outcome) == [.failed("there is no curl")])
    #expect(try scene.store.source(id: before.id)?.state == before.state)
    // Without a program that reads.
    scene.transport.on(feed, body: rss([Written("B", guid: "2")]))
    let blind = LinkRefresher(
      store: scene.store,
      transport: scene.transport,
      reader: DocumentReader(program: URL(filePath: "/nothing/tickbird-reader")),
      clock: { scene.clock.now }
    )
    guard case .failed = try await blind.refresh(.due).first?.outcome else {
      Issue.record("it was read")
      return
    }
    #expect(try scene.store.source(id: before.id)?.state == before.state)
    _ = try await scene.refresher.refresh(.due)
    #expect(try scene.titles().contains("B"))
  }
}
