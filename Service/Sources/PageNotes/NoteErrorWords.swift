internal import CodedErrors
public import Foundation

extension NoteError {
  /// The sentence: notes' errors are shown among other sentences.
  public var description: String { sentence }
}

extension NoteError: LocalizedError {
  /// The sentence, of which Foundation would say that an operation could not be completed.
  public var errorDescription: String? { sentence }
}
