import Foundation
import Testing

@testable import SharedLinks

struct FetchQueueTests {
  private func sources(_ hosts: [String]) async throws -> [LinkSource] {
    let scene = try LinkScene()
    for (number, host) in hosts.enumerated() {
      let address = "https://\(host)/\(number)"
      scene.transport.on(address, body: "<feed><title>\(number)</title></feed>")
      try await scene.follow(address)
    }
    return try scene.store.sources()
  }

  @Test("each source comes once, a host's in their order, and few of a host at a time")
  func order() async throws {
    let hosts = ["a.example", "a.example", "b.example", "a.example", "a.example", "c.example"]
    let all = try await sources(hosts)
    var queue = FetchQueue(all, limit: 2) { LinkAddress.host($0.key) }
    var running: [(source: LinkSource, host: Int)] = []
    var taken: [Int64] = []
    func take() {
      while let next = queue.next() {
        running.append(next)
        taken.append(next.source.id)
      }
    }
    take()
    // Two of the first host, and one of each other.
    #expect(Set(taken) == Set([0, 1, 2, 5].map { all[$0].id }))
    while !running.isEmpty {
      let done = running.removeFirst()
      queue.finish(done.host)
      take()
      for host in Set(running.map(\.host)) {
        #expect(running.count { $0.host == host } <= 2)
      }
    }
    #expect(taken.count == hosts.count)
    let first = [0, 1, 3, 4].map { all[$0].id }
    #expect(taken.filter { first.contains($0) } == first)
  }

  @Test("each source's host is asked for once, however many wait for it")
  func cost() async throws {
    let one = try #require(try await sources(["a.example"]).first)
    let all = [LinkSource](repeating: one, count: 20_000)
    var asked = 0
    var queue = FetchQueue(all, limit: 4) { _ in
      asked += 1
      return "a.example"
    }
    var taken = 0
    var hosts: [Int] = []
    repeat {
      while let (_, host) = queue.next() {
        taken += 1
        hosts.append(host)
      }
      #expect(hosts.count <= 4)
      if let host = hosts.popLast() { queue.finish(host) }
    } while !hosts.isEmpty
    #expect(taken == all.count && asked == all.count)
  }
}
