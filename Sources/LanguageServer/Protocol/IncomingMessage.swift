internal import CommandInput

/// A message of the client: a request, a notification, or an answer to a request of ours.
struct IncomingMessage {
  /// The identifier of a request.
  enum Identifier: Equatable {
    case number(Int)
    case text(String)
  }

  enum Kind {
    case request(Identifier, method: String)
    case notification(method: String)
    case answer
  }

  let kind: Kind
  /// The members of the message's `params`.
  let params: JSONObject

  /// Reads a message.
  ///
  /// - Throws: ``ProtocolError`` if it is not JSON, or not a message.
  init(_ body: [UInt8]) throws(ProtocolError) {
    var tape = JSONTape()
    do throws(JSONTape.Fault) { try tape.parse(body.span) } catch {
      throw ProtocolError(
        .parseError,
        "the message is not JSON: byte \(error.offset): expected \(error.expected)"
      )
    }
    let root = JSONObject(tape: tape, text: body, value: JSONTape.root)
    guard tape.kind(JSONTape.root) == .object, root.string("jsonrpc") == "2.0" else {
      throw ProtocolError(
        .invalidRequest,
        "a message is one object with \"jsonrpc\": \"2.0\"; batches are not part of the protocol"
      )
    }
    params = root.object("params") ?? JSONObject(tape: tape, text: body, value: nil)
    let method = root.string("method")
    let hasIdentifier = root.has("id")
    if let method, method.utf8.count > 200 {
      throw ProtocolError(.invalidRequest, "the method's name is too long")
    }
    switch (method, hasIdentifier) {
    case (let method?, false): kind = .notification(method: method)
    case (let method?, true):
      if let number = root.integer("id") {
        kind = .request(.number(number), method: method)
      } else if let text = root.string("id"), text.utf8.count <= 1_000 {
        kind = .request(.text(text), method: method)
      } else {
        throw ProtocolError(
          .invalidRequest,
          "the id of a request is a whole number or a text of at most 1,000 bytes"
        )
      }
    case (nil, true): kind = .answer
    case (nil, false):
      throw ProtocolError(.invalidRequest, "a message has a method, an id, or both")
    }
  }
}

/// An object in the JSON text of a message; every look-up in what is not one finds nothing.
struct JSONObject {
  fileprivate let tape: JSONTape
  fileprivate let text: [UInt8]
  fileprivate let value: Int?

  private func member(_ key: StaticString) -> Int? {
    value.flatMap { tape.member(key, of: $0, in: text.span) }
  }

  /// Whether there is a value, `null` included.
  func has(_ key: StaticString) -> Bool { member(key) != nil }

  func string(_ key: StaticString) -> String? { tape.string(member(key), in: text.span) }

  /// Returns the bytes of a string, which may be long.
  func bytes(_ key: StaticString) -> [UInt8]? {
    member(key).flatMap { tape.bytes($0, in: text.span) }
  }

  func integer(_ key: StaticString) -> Int? { tape.integer(member(key), in: text.span) }

  /// Whether a boolean is there and true.
  func isTrue(_ key: StaticString) -> Bool {
    guard let member = member(key), tape.kind(member) == .boolean else { return false }
    return text[tape.offset(of: member)] == UInt8(ascii: "t")
  }

  func object(_ key: StaticString) -> JSONObject? {
    guard let member = member(key), tape.kind(member) == .object else { return nil }
    return JSONObject(tape: tape, text: text, value: member)
  }

  /// Returns the objects of an array; `nil` if there is no array.
  func objects(_ key: StaticString) -> [JSONObject]? {
    guard let member = member(key), tape.kind(member) == .array else { return nil }
    return tape.children(of: member).map { JSONObject(tape: tape, text: text, value: $0) }
  }

  /// Returns the strings of an array.
  func strings(_ key: StaticString) -> [String] {
    guard let member = member(key), tape.kind(member) == .array else { return [] }
    return tape.children(of: member).compactMap { tape.string($0, in: text.span) }
  }
}
