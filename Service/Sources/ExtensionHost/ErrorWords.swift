public import ExtensionMessages
public import Foundation

// Foundation would say of them that an operation could not be completed.

extension HostError: LocalizedError {
  /// The sentence.
  public var errorDescription: String? { message }
}

extension ErrorReport: @retroactive LocalizedError {
  /// The sentence.
  public var errorDescription: String? { description }
}
