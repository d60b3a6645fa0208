public import ExtensionMessages

/// Calls the host's functions, in whichever process the host runs.
public protocol HostCalling: Sendable {
  /// Calls a function of the host.
  ///
  /// - Parameters:
  ///   - function: The function.
  ///   - arguments: Its arguments; see ``HostCall/Function``.
  /// - Returns: The function's reply.
  /// - Throws: The host's `ErrorReport`, or a ``HostError`` if the host cannot be reached.
  func call(
    _ function: HostCall.Function,
    _ arguments: [String: MessageValue]
  ) async throws -> MessageValue
}
