public import ExtensionMessages
public import Foundation

// Foundation's default is only "The operation could not be completed".

extension HostError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}

extension ErrorReport: @retroactive LocalizedError {
  /// The message.
  public var errorDescription: String? { description }
}
