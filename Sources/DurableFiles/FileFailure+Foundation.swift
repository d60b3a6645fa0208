public import Foundation

// Apart from the rest, so that what is linked without Foundation can report failures of files.

extension FileFailure {
  /// Returns a message for an error of the file system, without a full stop.
  ///
  /// Foundation has messages for a few errors; otherwise it says only that an operation could not
  /// be completed.
  public static func reason(of error: any Error) -> String {
    if let failure = error as? FileFailure { return failure.reason }
    let error = error as NSError
    // Not every error is an `NSError` here.
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error
    for candidate in [error, underlying.map { $0 as NSError }].compactMap(\.self)
    where candidate.domain == NSPOSIXErrorDomain {
      return reason(Int32(truncatingIfNeeded: candidate.code))
    }
    return error.localizedDescription
  }
}

extension FileFailure: LocalizedError {
  /// The sentence.
  public var errorDescription: String? { description }
}
