import Foundation
import LoopbackSockets

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Answers one HTTP request on a free port of this machine.
final class OneAnswerServer: Sendable {
  let port: UInt16

  init(json: String) throws {
    let (listener, port) = try LoopbackSocket.listening()
    self.port = port
    let answer =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(json.utf8.count)\r\nConnection: close\r\n\r\n" + json
    Thread.detachNewThread {
      defer { close(listener) }
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      defer { close(connection) }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      _ = unsafe read(connection, &buffer, buffer.count)
      let bytes = Array(answer.utf8)
      _ = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }
}
