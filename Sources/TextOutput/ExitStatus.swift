/// The exit status of a command; thrown to end it.
///
/// Both programs use these numbers, so that scripts need to know only one set.
public enum ExitStatus: Int32, Error {
  /// Success.
  case fine = 0
  /// The request was refused, failed, or found nothing.
  case refused = 1
  /// The command line is wrong, or a file cannot be read or written.
  case wrongUse = 2

  /// Returns the worse of two.
  public static func | (a: ExitStatus, b: ExitStatus) -> ExitStatus {
    a.rawValue > b.rawValue ? a : b
  }

  /// Throws unless the status is success.
  ///
  /// - Throws: The status itself, unless it is success.
  public func finish() throws {
    if self != .fine { throw self }
  }
}
