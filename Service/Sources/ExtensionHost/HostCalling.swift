public import ExtensionMessages

/// Calls the host's functions, in whichever process the host runs.
public protocol HostCalling: Sendable {
  /// Calls a function of the host.
  ///
  /// - Parameter call: The function with its arguments.
  /// - Returns: The function's reply.
  /// - Throws: The host's `ErrorReport`, or a ``HostError`` if the host cannot be reached.
  func call<Call: HostFunction>(_ call: Call) async throws -> Call.Reply
}
