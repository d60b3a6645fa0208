internal import ExtensionMessages

/// What a process does that serves a browser's session, in place of answering a request.
struct SessionPart: Sendable {
  /// How many seconds without a message in either direction end the process.
  var idle: Double
  /// Takes what the handler says to the browser.
  var say: @Sendable (MessageValue) -> Void
  /// Returns whether the browser's side has room for more; the handler waits otherwise.
  var hasRoom: @Sendable () -> Bool
  /// Takes what the process printed.
  var printed: @Sendable ([UInt8]) -> Void
}
