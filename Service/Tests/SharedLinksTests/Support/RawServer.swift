import Foundation
import LoopbackSockets
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server on loopback that sends the bytes that a test says, whether they are HTTP or not.
final class RawServer: Sendable {
  enum Answer: Sendable {
    case bytes([UInt8])
    /// Bytes, and then nothing until the client gives up.
    case stalled([UInt8])

    static func text(_ text: String) -> Answer { .bytes(Array(text.utf8)) }
  }

  let address: String
  private let descriptor: Int32
  private let counts = Mutex<(requests: [String], open: Int)>(([], 0))

  init(_ answer: @escaping @Sendable (_ path: String) -> Answer) throws {
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
        Thread.detachNewThread { self.serve(client, answer) }
      }
    }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The heads of the requests that came.
  var requests: [String] { counts.withLock { $0.requests } }
  var openConnections: Int { counts.withLock { $0.open } }

  private func serve(_ client: Int32, _ answer: (String) -> Answer) {
    counts.withLock { $0.open += 1 }
    defer {
      close(client)
      counts.withLock { $0.open -= 1 }
    }
    var head: [UInt8] = []
    while !String(decoding: head.suffix(4), as: UTF8.self).hasSuffix("\r\n\r\n") {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe recv(client, &buffer, buffer.count, 0)
      guard count > 0, head.count < 1 << 20 else { return }
      head += buffer.prefix(count)
    }
    let text = String(decoding: head, as: UTF8.self)
    counts.withLock { $0.requests.append(text) }
    let parts = text.split(separator: " ", maxSplits: 2)
    switch answer(parts.count > 1 ? String(parts[1]) : "") {
    case .bytes(let bytes): send(bytes, client)
    case .stalled(let bytes):
      send(bytes, client)
      var buffer: [UInt8] = [0]
      _ = unsafe recv(client, &buffer, 1, 0)
    }
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
