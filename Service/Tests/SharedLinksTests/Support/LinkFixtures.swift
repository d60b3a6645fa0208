import Foundation
import Synchronization

@testable import SharedLinks

/// A folder that is removed with the value.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-links-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func store(_ limits: LinkLimits = LinkLimits()) throws -> LinkStore {
    try LinkStore(folder: url.appending(path: "data"), limits: limits)
  }
}

/// Answers requests from a table, and records them.
final class ScriptedTransport: LinkTransport {
  typealias Answer = @Sendable (LinkRequest) throws -> LinkResponse
  private let answers = Mutex<[String: Answer]>([:])
  private let log = Mutex<[LinkRequest]>([])

  /// Feed requests, without those for icons nobody scripted.
  var requests: [LinkRequest] {
    log.withLock { $0 }.filter { !$0.address.hasSuffix("/favicon.ico") }
  }

  func on(_ address: String, _ answer: @escaping Answer) {
    answers.withLock { $0[address] = answer }
  }

  func on(
    _ address: String,
    status: Int = 200,
    _ headers: [String: String] = [:],
    body: String = ""
  ) {
    let response = LinkResponse(status: status, headers: headers, body: Array(body.utf8))
    on(address) { _ in response }
  }

  func send(_ request: LinkRequest) async throws -> LinkResponse {
    log.withLock { $0.append(request) }
    let answer = answers.withLock { $0[request.address] }
    return try answer?(request) ?? LinkResponse(status: 404)
  }
}

/// A clock that a test sets.
final class TestClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  var now: Date { time.withLock { $0 } }

  func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}

/// A store, a refresher and what they are made of.
struct LinkScene {
  let folder: TestFolder
  let store: LinkStore
  let transport = ScriptedTransport()
  let clock = TestClock()
  let refresher: LinkRefresher

  init(
    limits: LinkLimits = LinkLimits(),
    extensions: (any ExtensionLinkSource)? = nil
  ) throws {
    folder = try TestFolder()
    store = try folder.store(limits)
    let clock = clock
    refresher = LinkRefresher(
      store: store,
      transport: transport,
      extensions: extensions,
      clock: { clock.now }
    )
  }

  /// Subscribes to an address and refreshes it.
  @discardableResult
  func follow(_ address: String) async throws -> LinkSource {
    let source = try store.subscribe(to: address, now: clock.now)
    _ = try await refresher.refresh(.all, sourceIDs: [source.id])
    return try required(store.source(id: source.id))
  }

  func titles(_ query: LinkQuery = LinkQuery()) throws -> [String] {
    try store.items(query).map(\.title)
  }
}

struct MissingValue: Error {}

/// The value if there is one; outside of tests `#require` is not available.
func required<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw MissingValue() }
  return value
}

/// One item of a feed that a test writes.
struct Written {
  var title: String
  var link: String?
  var guid: String?
  var date: String?
  var text = ""

  init(
    _ title: String,
    link: String? = nil,
    guid: String? = nil,
    date: String? = nil,
    text: String = ""
  ) {
    self.title = title
    self.link = link
    self.guid = guid
    self.date = date
    self.text = text
  }
}

func rss(_ items: [Written], title: String = "Feed", link: String = "/") -> String {
  let items = items.map { item in
    var text = "<item><title>\(item.title)</title>"
    if let link = item.link { text += "<link>\(link)</link>" }
    if let guid = item.guid { text += "<guid isPermaLink=\"false\">\(guid)</guid>" }
    if let date = item.date { text += "<pubDate>\(date)</pubDate>" }
    return text + "<description>\(item.text)</description></item>"
  }
  return "<rss version=\"2.0\"><channel><title>\(title)</title><link>\(link)</link>"
    + items.joined() + "</channel></rss>"
}

/// The smallest PNG.
let tinyPNG: [UInt8] = Array(
  Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  ) ?? Data()
)
