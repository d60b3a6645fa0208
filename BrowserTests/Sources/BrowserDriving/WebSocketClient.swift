internal import Foundation

/// A WebSocket to a server on this machine; texts only.
///
/// > Source: RFC 6455, sections 4 and 5.
final class WebSocketClient {
  private let connection: Descriptor
  private var buffer: [UInt8] = []

  /// Connects, and asks for the protocol.
  init(port: Int, path: String) throws {
    guard let connection = Descriptor.connected(port: port) else {
      throw DrivingError("nobody listens on port \(port)")
    }
    self.connection = connection
    let key = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    connection.write(
      Array(
        """
        GET \(path) HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: \(key)\r
        Sec-WebSocket-Version: 13\r
        \r

        """.utf8
      )
    )
    let deadline = answerDeadline()
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      head.append(try take(1, deadline)[0])
    }
    guard String(decoding: head, as: UTF8.self).hasPrefix("HTTP/1.1 101") else {
      throw DrivingError("the WebSocket was refused")
    }
  }

  /// Sends a text in one masked frame.
  func send(_ text: Data) throws {
    try send(Array(text), opcode: 1)
  }

  private func send(_ bytes: [UInt8], opcode: UInt8) throws {
    var frame: [UInt8] = [0x80 | opcode]
    switch bytes.count {
    case ..<126: frame.append(0x80 | UInt8(bytes.count))
    case ..<65536:
      frame += [0x80 | 126, UInt8(bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
    default:
      frame.append(0x80 | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        frame.append(UInt8(truncatingIfNeeded: bytes.count >> shift))
      }
    }
    // The mask keeps proxies from being deceived, so here any will do; Firefox refuses a zero.
    let mask: [UInt8] = [0x5A, 0x17, 0xC3, 0x2E]
    frame += mask
    for (place, byte) in bytes.enumerated() { frame.append(byte ^ mask[place & 3]) }
    guard connection.write(frame) else { throw DrivingError("the WebSocket is closed") }
  }

  /// The next text, of however many frames.
  func receive(until deadline: Date) throws -> Data {
    var text: [UInt8] = []
    while true {
      let head = try take(2, deadline)
      var count = Int(head[1] & 0x7F)
      if count >= 126 {
        count = try take(count == 126 ? 2 : 8, deadline).reduce(0) { $0 << 8 | Int($1) }
      }
      let bytes = try take(count, deadline)
      switch head[0] & 0x0F {
      case 8: throw DrivingError("the WebSocket was closed")
      case 9: try send(bytes, opcode: 10)
      case 0, 1:
        text += bytes
        if head[0] & 0x80 != 0 { return Data(text) }
      default: break
      }
    }
  }

  private func take(_ count: Int, _ deadline: Date) throws -> [UInt8] {
    while buffer.count < count {
      let bytes = try connection.read(until: deadline)
      guard !bytes.isEmpty else { throw DrivingError("the WebSocket is gone") }
      buffer += bytes
    }
    let taken = Array(buffer[..<count])
    buffer.removeFirst(count)
    return taken
  }
}
