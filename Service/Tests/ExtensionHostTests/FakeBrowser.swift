import ExtensionMessages
import Foundation
import Synchronization

@testable import ExtensionHost

/// A browser with one window, "1", and the tabs "11" and "12", in a session with a handler.
///
/// It answers the handler's calls, and keeps what it was told.
final class FakeBrowser: Sendable {
  private struct State {
    var said: [MessageValue] = []
    var taken = 0
    var hasEnded = false
  }

  static let page = MessageValue.string("11:token")

  /// Kept, for its folder goes with it.
  private let test: TestHost
  private var host: AppExtensionHost { test.host }
  let session: String
  private let state = Mutex(State())
  private let listening = Mutex<Task<Void, Never>?>(nil)
  private let isSecure: Bool

  init(
    _ test: TestHost,
    _ identifier: String = "com.example.app-extension",
    owner: ExtensionOwner? = nil,
    isSecure: Bool = true
  ) async throws {
    self.test = test
    self.isSecure = isSecure
    session = try await test.host.openSession(of: identifier, owner: owner)
    listening.withLock { $0 = Task { await self.listen() } }
  }

  /// Ends the port.
  func leave() { listening.withLock { $0?.cancel() } }

  private func listen() async {
    while let messages = try? await host.nextFromHandler(session) {
      for message in messages {
        state.withLock { $0.said.append(message) }
        guard let id = message["id"], message["type"]?.string == "call" else { continue }
        try? await send("result", ["id": id, "result": answer(message)])
      }
    }
    state.withLock { $0.hasEnded = true }
  }

  private func answer(_ call: MessageValue) -> MessageValue {
    switch call["call"]?.string {
    case "activeWindow", "containingWindow", "openWindow": .string("1")
    case "allWindows": .array([.string("1")])
    case "activeTab", "containingTab": .string("11")
    case "openTab": .string("13")
    case "allTabs": .array([.string("11"), .string("12")])
    case "activePage": Self.page
    case "pages": .array([Self.page])
    case "baseURI": .string("chrome-extension://abcdefghijklmnop/")
    case "properties":
      [
        "url": .string("\(isSecure ? "https" : "http")://a.example/"), "title": .string("A"),
        "private": .bool(false), "active": .bool(true),
      ]
    default: .bool(true)
    }
  }

  /// Sends an event.
  func send(_ name: String, _ members: [String: MessageValue] = [:]) async throws {
    var event = members
    event["type"] = .string("event")
    event["event"] = .string(name)
    try await host.send(.dictionary(event), to: session)
  }

  /// Sends the message of a script in the page.
  func dispatch(_ name: String, _ userInfo: MessageValue = .null) async throws {
    try await send(
      "messageReceived",
      ["page": Self.page, "name": .string(name), "userInfo": userInfo]
    )
  }

  /// The handler ended, or was silent for too long, before it said something.
  struct Silence: Error {
    let said: [MessageValue]
  }

  /// Waits for the next thing that the handler says and that is like this.
  func next(_ isWanted: (MessageValue) -> Bool) async throws -> MessageValue {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      let found: MessageValue? = state.withLock { state in
        while state.taken < state.said.count {
          defer { state.taken += 1 }
          if isWanted(state.said[state.taken]) { return state.said[state.taken] }
        }
        return nil
      }
      if let found { return found }
      if state.withLock({ $0.hasEnded }) { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Silence(said: state.withLock { $0.said })
  }

  /// Waits for the next call of a function.
  func next(call name: String) async throws -> MessageValue {
    try await next { $0["call"]?.string == name }
  }

  /// Waits for the next message to the scripts of a page.
  ///
  /// - Returns: Its user info.
  func nextMessage(_ name: String) async throws -> MessageValue? {
    let message = try await next { message in
      message["call"]?.string == "dispatchMessage" && message["name"]?.string == name
    }
    return message["userInfo"]
  }

  /// Waits for the answer to an event.
  func answer(_ id: Int64) async throws -> MessageValue {
    try await next { $0["type"]?.string == "validated" && $0["id"] == .integer(id) }
  }

  /// How often a function was called so far.
  func count(_ name: String) -> Int {
    state.withLock { $0.said.count { $0["call"]?.string == name } }
  }
}
