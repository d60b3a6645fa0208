public import ExtensionMessages

/// A way to the host's functions, wherever the host runs.
public protocol HostCalling: Sendable {
  /// Calls a function of the host.
  ///
  /// - Parameter call: The function with its arguments.
  /// - Returns: What the function replies.
  /// - Throws: The host's `ErrorReport`, or a ``HostError`` where there is no way to it.
  func call<Call: HostFunction>(_ call: Call) async throws -> Call.Reply
}
