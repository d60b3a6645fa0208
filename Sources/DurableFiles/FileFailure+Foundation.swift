public import Foundation

// Apart from the rest, so that what is linked without Foundation can report failures of files.

extension FileFailure {
  /// Returns a message for an error of the file system, without a full stop.
  ///
  /// Foundation has messages for a few errors; otherwise it says only that an operation could not
  /// be completed.
  public static func reason(of error: any Error) -> String {
    if let failure = error as? FileFailure { return failure.reason }
    let cocoa = error as? CocoaError
    for candidate in [error, cocoa?.underlying].compactMap(\.self) {
      if let number = number(of: candidate) { return reason(number) }
    }
    if let words = (error as? any LocalizedError)?.errorDescription { return words }
    guard let cocoa else { return String(describing: error) }
    return "the operation could not be completed (error \(cocoa.code.rawValue))"
  }

  /// Returns the system's number in an error of Foundation; `nil` if it has none.
  private static func number(of error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    // What is an `NSError` here is no `POSIXError`, and its own name would bring all of Foundation
    // into programs that have no such error.
    return error._domain == "NSPOSIXErrorDomain" ? Int32(truncatingIfNeeded: error._code) : nil
  }
}

extension FileFailure: LocalizedError {
  /// The sentence.
  public var errorDescription: String? { description }
}
