/// The error with which a request is answered.
struct ProtocolError: Error, Equatable {
  /// The protocol's numbers of errors.
  enum Number: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case serverNotInitialized = -32002
    case requestFailed = -32803
  }

  var number: Number
  /// What is wrong and what to do, in one sentence without a full stop.
  var text: String

  init(_ number: Number, _ text: String) {
    self.number = number
    self.text = text
  }
}
