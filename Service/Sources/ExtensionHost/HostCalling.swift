public import ExtensionMessages

/// Calls the host's functions, in whichever process the host runs.
public protocol HostCalling: Sendable {
  /// Calls a function of the host.
  ///
  /// - Parameter call: The function with its arguments.
  /// - Returns: The function's reply.
  /// - Throws: The host's `ErrorReport`, or a ``HostError`` if the host cannot be reached.
  func call<Call: HostFunction>(_ call: Call) async throws -> Call.Reply

  /// Calls a function that waits for what other processes do, which only a running service can know.
  ///
  /// Returns at once when the task is cancelled.
  ///
  /// - Parameter call: The function with its arguments.
  /// - Returns: The function's reply.
  /// - Throws: As ``call(_:)``, and where no service runs.
  func callService<Call: HostFunction>(_ call: Call) async throws -> Call.Reply
}

extension HostCalling {
  /// Calls the function in the same way as any other, for hosts in this process.
  public func callService<Call: HostFunction>(_ call: Call) async throws -> Call.Reply {
    try await self.call(call)
  }
}
