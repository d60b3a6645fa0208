import BlockingWork
import Foundation
import LoopbackSockets

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An answer as it came.
struct Answer {
  var status: Int
  /// Header fields by their names in lower case.
  var headers: [String: String]
  var body: String
}

/// Requests as bytes, so that every header field can be a forged one.
enum RawClient {
  struct Failure: Error {
    var message: String
  }

  /// Sends a request, and waits for the answer.
  ///
  /// - Parameters:
  ///   - address: Where to connect to, four numbers.
  ///   - port: The port.
  ///   - method: The method.
  ///   - path: The path and what is behind it.
  ///   - headers: All header fields; `Content-Length` is added.
  ///   - body: The body.
  /// - Returns: The answer.
  /// - Throws: ``Failure`` where nobody listens or answers.
  static func send(
    to address: String = "127.0.0.1",
    port: Int,
    _ method: String,
    _ path: String,
    _ headers: [(String, String)],
    body: [UInt8] = []
  ) async throws -> Answer {
    try await blocking { try exchange(address, port, method, path, headers, body) }
  }

  private static func exchange(
    _ address: String,
    _ port: Int,
    _ method: String,
    _ path: String,
    _ headers: [(String, String)],
    _ body: [UInt8]
  ) throws -> Answer {
    let socket = try connected(to: address, port)
    defer { close(socket) }
    var head = "\(method) \(path) HTTP/1.1\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if !body.isEmpty || method == "POST" { head += "Content-Length: \(body.count)\r\n" }
    head += "Connection: close\r\n\r\n"
    let bytes = Array(head.utf8) + body
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A server may answer before it has read everything.
      guard count > 0 else { break }
      sent += count
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, 0)
      }
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    return try parsed(answer)
  }

  /// A connection, which the caller closes.
  static func connected(to address: String, _ port: Int) throws -> Int32 {
    do {
      return try LoopbackSocket.connected(to: address, port: UInt16(port))
    } catch {
      throw Failure(message: "nobody listens at \(address):\(port): \(error.localizedDescription)")
    }
  }

  private static func parsed(_ bytes: [UInt8]) throws -> Answer {
    let data = Data(bytes)
    guard let end = data.range(of: Data("\r\n\r\n".utf8)) else {
      throw Failure(message: "no answer")
    }
    let head = String(decoding: data[..<end.lowerBound], as: UTF8.self)
    // A line break of two characters is one Character.
    let lines = head.split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers[line[..<colon].lowercased()] = value
    }
    return Answer(
      status: status,
      headers: headers,
      body: String(decoding: data[end.upperBound...], as: UTF8.self)
    )
  }
}
