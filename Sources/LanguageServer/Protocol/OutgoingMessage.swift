internal import CommandOutput

/// Writes messages to the client, each with its header.
enum OutgoingMessage {
  /// Returns the answer to a request.
  static func answer(
    _ id: IncomingMessage.Identifier,
    _ result: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    message { json in
      json.field("id") { write(id, &$0) }
      json.field("result", result)
    }
  }

  /// Returns the error with which a request is answered; without an identifier, of a message that
  /// could not be read.
  static func error(_ id: IncomingMessage.Identifier?, _ error: ProtocolError) -> [UInt8] {
    message { json in
      json.field("id") { json in
        if let id { write(id, &json) } else { json.null() }
      }
      json.field("error") { json in
        json.object { json in
          json.field("code", error.number.rawValue)
          json.field("message", error.text)
        }
      }
    }
  }

  /// Returns a notification.
  static func notification(
    _ method: String,
    _ params: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    message { json in
      json.field("method", method)
      json.field("params", params)
    }
  }

  /// Returns a request to the client.
  static func request(
    _ id: String,
    _ method: String,
    _ params: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    message { json in
      json.field("id", id)
      json.field("method", method)
      json.field("params", params)
    }
  }

  private static func write(_ id: IncomingMessage.Identifier, _ json: inout JSONWriter) {
    switch id {
    case .number(let number): json.number(number)
    case .text(let text): json.string(text)
    }
  }

  private static func message(_ fields: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("jsonrpc", "2.0")
      fields(&json)
    }
    return Array("Content-Length: \(json.bytes.count)\r\n\r\n".utf8) + json.bytes
  }
}
