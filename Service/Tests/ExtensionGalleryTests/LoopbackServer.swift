import Foundation
import LoopbackSockets
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An HTTP server on 127.0.0.1 that can misbehave.
final class LoopbackServer: Sendable {
  enum Response: Sendable {
    case data(Data)
    case status(Int)
    case statusAndHeader(Int, String)
    case redirect(String)
    /// Bytes without end, with or without a Content-Length that promises few.
    case endless(contentLength: Int?)
    /// A header with a Content-Length, and then a connection that is closed early.
    case short(Data, contentLength: Int)
    /// A header, and then nothing until the client gives up.
    case stalled
    /// Bytes, a few at a time, until the client gives up; after a header, if one is given.
    case drip(String?, Data, every: TimeInterval)
  }

  let port: UInt16
  private let descriptor: Int32
  private let isStopped = Mutex(false)
  private let counts = Mutex<(requests: [String], sent: Int, open: Int)>(([], 0, 0))

  init(_ respond: @escaping @Sendable (String) -> Response) throws {
    (descriptor, port) = try LoopbackSocket.listening()
    let number = descriptor
    Thread.detachNewThread { [weak self] in
      defer { close(number) }
      while true {
        let client = accept(number, nil, nil)
        guard client >= 0 else { return }
        guard let self else {
          close(client)
          return
        }
        Thread.detachNewThread { self.serve(client, respond) }
      }
    }
  }

  deinit { stop() }

  /// Ends the accepting thread, which closes the socket; its number may be reused afterwards.
  func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    if isFirst { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)/\(path)") ?? URL(filePath: "/")
  }

  var requests: [String] { counts.withLock { $0.requests } }
  var sent: Int { counts.withLock { $0.sent } }
  var openConnections: Int { counts.withLock { $0.open } }

  private func serve(_ client: Int32, _ respond: (String) -> Response) {
    counts.withLock { $0.open += 1 }
    defer {
      close(client)
      counts.withLock { $0.open -= 1 }
    }
    var head = Data()
    while head.range(of: Data("\r\n\r\n".utf8)) == nil, head.count < 1 << 16 {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      head.append(contentsOf: buffer.prefix(count))
    }
    let line = String(decoding: head, as: UTF8.self).split(separator: "\r\n").first ?? ""
    let parts = line.split(separator: " ")
    let path = parts.count > 1 ? String(parts[1].dropFirst()) : ""
    counts.withLock { $0.requests.append(path) }
    switch respond(path.removingPercentEncoding ?? path) {
    case .data(let data):
      if send("HTTP/1.1 200 OK\r\nContent-Length: \(data.count)\r\n", client) {
        _ = send(data, client)
      }
    case .status(let status):
      _ = send("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n", client)
    case .statusAndHeader(let status, let line):
      _ = send("HTTP/1.1 \(status) No\r\n\(line)\r\nContent-Length: 0\r\n", client)
    case .redirect(let target):
      _ = send("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n", client)
    case .endless(let length):
      let line = length.map { "Content-Length: \($0)\r\n" } ?? ""
      guard send("HTTP/1.1 200 OK\r\n\(line)", client) else { return }
      let part = Data(repeating: 0x78, count: 1 << 16)
      while send(part, client) {}
    case .short(let data, let length):
      if send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n", client) { _ = send(data, client) }
    case .drip(let head, let part, let pause):
      if let head { guard send(Data("\(head)\r\n\r\n".utf8), client) else { return } }
      var byte: UInt8 = 0
      while send(part, client), !isStopped.withLock({ $0 }) {
        // Without data the client is still there; at the end of the stream it is gone.
        guard unsafe recv(client, &byte, 1, Int32(MSG_DONTWAIT)) != 0 else { return }
        Thread.sleep(forTimeInterval: pause)
      }
    case .stalled:
      guard send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n", client) else { return }
      var buffer: [UInt8] = [0]
      _ = unsafe recv(client, &buffer, 1, 0)
    }
  }

  private func send(_ head: String, _ client: Int32) -> Bool {
    send(Data("\(head)Connection: close\r\n\r\n".utf8), client)
  }

  private func send(_ data: Data, _ client: Int32) -> Bool {
    let bytes = [UInt8](data)
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes[start...].withUnsafeBytes {
        unsafe Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      start += count
      counts.withLock { $0.sent += count }
    }
    return true
  }
}

/// Starts a server for the files of a folder.
func serve(_ folder: URL) throws -> LoopbackServer {
  try LoopbackServer { path in
    guard let data = try? Data(contentsOf: folder.appending(path: path)) else {
      return .status(404)
    }
    return .data(data)
  }
}
