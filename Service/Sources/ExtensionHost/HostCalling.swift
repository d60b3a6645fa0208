public import ExtensionMessages

/// A way to the host's functions, wherever the host runs.
public protocol HostCalling: Sendable {
  /// Calls a function of the host.
  ///
  /// - Parameters:
  ///   - function: The function.
  ///   - arguments: Its arguments; see ``HostCall/Function``.
  /// - Returns: What the function replies.
  /// - Throws: The host's `ErrorReport`, or a ``HostError`` where there is no way to it.
  func call(
    _ function: HostCall.Function,
    _ arguments: [String: MessageValue]
  ) async throws -> MessageValue
}
