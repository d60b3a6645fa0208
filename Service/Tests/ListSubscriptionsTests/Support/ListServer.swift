import Foundation
import LoopbackSockets
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server on loopback that answers as a test says at the moment.
final class ListServer: Sendable {
  struct Request: Sendable {
    let path: String
    let head: String

    /// A field's value, whatever the case of its name.
    func field(_ name: String) -> String? {
      for line in head.split(separator: "\r\n").dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2, parts[0].lowercased() == name {
          return parts[1].trimmingCharacters(in: .whitespaces)
        }
      }
      return nil
    }
  }

  struct Answer: Sendable {
    var status = 200
    var fields: [String: String] = [:]
    var body: [UInt8] = []
    /// The length that is announced; by default that of the body.
    var length: Int?
    /// Whether nothing follows, until the client gives up.
    var isStalled = false

    static func text(_ text: String, _ fields: [String: String] = [:]) -> Answer {
      Answer(fields: fields, body: Array(text.utf8))
    }

    static func status(_ status: Int, _ fields: [String: String] = [:]) -> Answer {
      Answer(status: status, fields: fields)
    }
  }

  typealias Answering = @Sendable (Request) -> Answer

  let address: String
  private let descriptor: Int32
  private let state: Mutex<(answer: Answering, requests: [Request])>

  init(_ answer: @escaping Answering = { _ in .status(404) }) throws {
    state = Mutex((answer, []))
    let (listener, port) = try LoopbackSocket.listening()
    descriptor = listener
    address = "http://127.0.0.1:\(port)"
    Thread.detachNewThread { [weak self] in
      defer { close(listener) }
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let self else {
          close(client)
          return
        }
        Thread.detachNewThread { self.serve(client) }
      }
    }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The requests that came.
  var requests: [Request] { state.withLock { $0.requests } }

  /// Answers otherwise from now on.
  func answer(_ answer: @escaping Answering) { state.withLock { $0.answer = answer } }

  private func serve(_ client: Int32) {
    defer { close(client) }
    var head: [UInt8] = []
    while !String(decoding: head.suffix(4), as: UTF8.self).hasSuffix("\r\n\r\n") {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe recv(client, &buffer, buffer.count, 0)
      guard count > 0, head.count < 1 << 20 else { return }
      head += buffer.prefix(count)
    }
    let text = String(decoding: head, as: UTF8.self)
    let parts = text.split(separator: " ", maxSplits: 2)
    let request = Request(path: parts.count > 1 ? String(parts[1]) : "", head: text)
    let answering = state.withLock { state in
      state.requests.append(request)
      return state.answer
    }
    let answer = answering(request)
    var lines = "HTTP/1.1 \(answer.status) Status\r\nConnection: close\r\n"
    lines += "Content-Length: \(answer.length ?? answer.body.count)\r\n"
    for (name, value) in answer.fields { lines += "\(name): \(value)\r\n" }
    send(Array((lines + "\r\n").utf8) + answer.body, client)
    guard answer.isStalled else { return }
    var buffer: [UInt8] = [0]
    _ = unsafe recv(client, &buffer, 1, 0)
  }

  private func send(_ bytes: [UInt8], _ client: Int32) {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes[start...].withUnsafeBytes {
        unsafe Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      start += count
    }
  }
}
