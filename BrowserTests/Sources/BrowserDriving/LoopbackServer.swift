public import Foundation
internal import Synchronization

/// A server on 127.0.0.1 that answers for all hosts, because browsers take it for their proxy.
///
/// Nothing that a page asks for leaves the machine. `https` is never spoken: what a browser wants to
/// tunnel is noted and refused.
public final class LoopbackServer: Sendable {
  /// What reached the server.
  public struct Request: Sendable, Hashable {
    /// The method; `CONNECT` for what would have been `https`.
    public var method: String
    /// The whole URL; for `CONNECT` host and port.
    public var url: String
    /// The header fields, names in lower case.
    public var headers: [String: String]
  }

  /// An answer.
  public struct Response: Sendable {
    /// The status.
    public var status = 200
    /// The header fields.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// Creates an answer of a type with a text.
    public init(_ type: String, _ text: String, headers: [String: String] = [:]) {
      self.headers = headers.merging(["Content-Type": type]) { $1 }
      body = Data(text.utf8)
    }

    /// A page of HTML.
    public static func page(_ html: String) -> Response {
      Response("text/html; charset=utf-8", "<!doctype html>" + html)
    }

    /// A redirect.
    public static func redirect(to url: String) -> Response {
      var response = Response("text/plain", "", headers: ["Location": url])
      response.status = 302
      return response
    }
  }

  /// The port.
  public let port: Int
  private let socket: Descriptor
  private let requests = Mutex<[Request]>([])
  private let handler = Mutex<@Sendable (Request) -> Response>({ _ in .page("") })

  /// Starts a server.
  public init() throws {
    (socket, port) = try Descriptor.listening()
    let socket = socket
    Thread.detachNewThread { [weak self] in
      while let connection = socket.accepted() {
        Thread.detachNewThread { [weak self] in self?.serve(connection) }
      }
    }
  }

  deinit { socket.shutDown() }

  /// Answers by a function from now on, and forgets all requests.
  public func answer(_ handler: @escaping @Sendable (Request) -> Response) {
    self.handler.withLock { $0 = handler }
    requests.withLock { $0.removeAll() }
  }

  /// What has come since ``answer(_:)``.
  public var received: [Request] { requests.withLock { $0 } }

  /// The URLs of what has come.
  public var urls: Set<String> { Set(received.map(\.url)) }

  private func serve(_ connection: Descriptor) {
    var buffer: [UInt8] = []
    let deadline = Date(timeIntervalSinceNow: 120)
    while true {
      while Self.headEnd(buffer) == nil {
        guard let bytes = try? connection.read(until: deadline), !bytes.isEmpty else { return }
        buffer += bytes
        guard buffer.count < 1 << 20 else { return }
      }
      guard let end = Self.headEnd(buffer),
        let request = Self.request(String(decoding: buffer[..<end], as: UTF8.self))
      else { return }
      buffer.removeFirst(end + 4)
      var bodySize = Int(request.headers["content-length"] ?? "") ?? 0
      while bodySize > 0 {
        if buffer.isEmpty {
          guard let bytes = try? connection.read(until: deadline), !bytes.isEmpty else { return }
          buffer = bytes
        }
        let part = min(bodySize, buffer.count)
        buffer.removeFirst(part)
        bodySize -= part
      }
      requests.withLock { $0.append(request) }
      guard request.method != "CONNECT" else {
        connection.write(Array("HTTP/1.1 502 No https\r\nContent-Length: 0\r\n\r\n".utf8))
        return
      }
      let response = handler.withLock { $0 }(request)
      var head = "HTTP/1.1 \(response.status) X\r\nContent-Length: \(response.body.count)\r\n"
      head += "Cache-Control: no-store\r\nAccess-Control-Allow-Origin: *\r\n"
      for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
      guard connection.write(Array((head + "\r\n").utf8) + Array(response.body)) else { return }
    }
  }

  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for place in 0...(bytes.count - 4)
    where bytes[place] == 13 && bytes[place + 1] == 10 && bytes[place + 2] == 13
      && bytes[place + 3] == 10
    {
      return place
    }
    return nil
  }

  private static func request(_ head: String) -> Request? {
    // A line break of two characters is one Character.
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    var url = String(words[1])
    if url.hasPrefix("/") { url = "http://\(headers["host"] ?? "")\(url)" }
    return Request(method: String(words[0]), url: url, headers: headers)
  }
}
