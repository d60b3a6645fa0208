// Embedded Swift has no files.
#if canImport(Foundation)
internal import DurableFiles

/// The error for a file that could not be used.
public struct FileError: Error, Sendable {
  /// The file.
  public var path: String
  /// The system's error number.
  public var number: Int32

  /// What failed, on which file, in one sentence.
  public var message: String { "\(path): \(reason)" }

  /// The system's message for the error, beginning with a small letter.
  var reason: String { FileFailure.reason(number) }

  /// Whether the file does not exist.
  var isAbsence: Bool { FileFailure(path, "opened", number).isAbsence }
}
#endif
