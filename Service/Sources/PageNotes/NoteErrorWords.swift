public import Foundation

extension NoteError: LocalizedError {
  /// The sentence, of which Foundation would say that an operation could not be completed.
  public var errorDescription: String? { message }
}
