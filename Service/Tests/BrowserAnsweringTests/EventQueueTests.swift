import ExtensionHost
import ExtensionMessages
import Foundation
import Synchronization
import Testing

@testable import BrowserAnswering

/// A host that takes events when it is told to.
private final class SlowHost: HostCalling {
  private let gate = AsyncStream.makeStream(of: Void.self)
  let events = Mutex<[MessageValue]>([])

  func open() { gate.continuation.finish() }

  func call<Call: HostFunction>(_ call: Call) async throws -> Call.Reply {
    let value: MessageValue
    switch call {
    case is OpenSession: value = .string("session")
    case let call as SendEvent:
      for await _ in gate.stream {}
      events.withLock { $0.append(call.event) }
      value = .null
    default:
      try await Task.sleep(for: .seconds(600))
      value = .null
    }
    return try Call.reply(value)
  }
}

@Suite("Events that wait for a handler")
struct EventQueueTests {
  @Test("A thousand events wait in order; those behind are dropped, and the browser is told")
  func crowds() async throws {
    let host = SlowHost()
    let told = Mutex<[String]>([])
    let (all, finished) = AsyncStream.makeStream(of: Void.self)
    let port = HandlerPort(
      send: { json in
        let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
        told.withLock { $0.append(object?["code"] as? String ?? "") }
      },
      link: { HandlerLink(events: host, calls: host) { finished.finish() } }
    )
    for number in 0..<1100 {
      port.take(Data(#"{"identifier":"a","content":{"event":"e","number":\#(number)}}"#.utf8))
    }
    port.take(Data("[]".utf8))
    let codes = told.withLock { $0 }
    // One event may be on its way already.
    #expect((99...100).contains(codes.count { $0 == "over-limit" }))
    #expect(codes.last == "bad-argument")
    host.open()
    let end = ContinuousClock.now + .seconds(60)
    while host.events.withLock({ $0.count }) < 1000, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(10))
    }
    let numbers = host.events.withLock { $0.map { $0["number"]?.integer } }
    #expect(numbers.prefix(1000) == (0..<1000).map { Int64($0) }[...])
    await port.end()
    for await _ in all {}
  }
}
