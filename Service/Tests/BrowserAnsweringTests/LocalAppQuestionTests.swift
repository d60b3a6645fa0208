import Foundation
import FoundationNetworking
import HostTestSupport
import NativeMessaging
import Testing

@testable import BrowserAnswering

/// The local app, started by a browser's host because the extension asked for it.
@Suite("The local app on demand")
struct LocalAppQuestionTests {
  private func withPort(
    arguments: [String]? = nil,
    _ body: (HostPort) async throws -> Void
  ) async throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-app-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    let host = HostProgram(home: home)
    let port = try arguments.map { try HostPort(host, arguments: $0) } ?? HostPort(host)
    try await body(port)
    _ = try port.close()
  }

  private func ask(_ port: HostPort) throws -> [String: Any] {
    let answer = try port.exchange(Data(#"{"type":"localApp","question":1}"#.utf8))
    return try #require(try JSONSerialization.jsonObject(with: answer) as? [String: Any])
  }

  private func text(_ url: URL) async throws -> (status: Int, text: String) {
    let session = URLSession(configuration: .ephemeral)
    let (data, response) = try await session.data(from: url)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
  }

  @Test("Its address lets a browser in, is the same for each question, and ends with the port")
  func address() async throws {
    var address: URL?
    try await withPort { port in
      let answer = try ask(port)
      #expect(answer["type"] as? String == "localApp" && answer["question"] as? Int == 1)
      let url = try #require((answer["address"] as? String).flatMap(URL.init(string:)))
      #expect(url.host() == "127.0.0.1")
      #expect(try ask(port)["address"] as? String == url.absoluteString)
      let page = try await text(url)
      #expect(page.status == 200 && page.text.contains("Extensions"))
      // Without the secret nobody is let in.
      let other = try #require(URL(string: "/open?token=x", relativeTo: url))
      #expect(try await text(other).status == 403)
      address = url
    }
    let ended = try #require(address)
    await #expect(throws: (any Error).self) { _ = try await text(ended) }
  }

  @Test("Nobody but Tickbird's own extension is told where it is")
  func strangers() async throws {
    try await withPort(arguments: ["chrome-extension://\(String(repeating: "b", count: 32))/"]) {
      let answer = try ask($0)
      #expect(answer["code"] as? String == "refused" && answer["address"] == nil)
    }
  }

  @Test("Where there is none, or it cannot start, the answer says what to do")
  func failures() async throws {
    struct Failure: Error {}
    for start in [nil, { @Sendable () async throws -> URL in throw Failure() }] {
      guard case .later(let body) = BrowserLocalApp(start: start).reply(.localApp),
        case .error(let error) = await body()
      else {
        Issue.record("no error")
        continue
      }
      #expect(error.code == "no-app" && error.message.contains("tickbird serve --open"))
    }
  }
}
