/// How a command ends; thrown to end it.
///
/// Both programs end with these numbers, so that scripts need to know only one set.
public enum ExitStatus: Int32, Error {
  /// All is well.
  case fine = 0
  /// What was asked for was refused, failed or was not found.
  case refused = 1
  /// The command line is wrong, or a file of `tickbird` cannot be read or written.
  case wrongUse = 2

  /// The worse of two.
  public static func | (a: ExitStatus, b: ExitStatus) -> ExitStatus {
    a.rawValue > b.rawValue ? a : b
  }

  /// Ends the command if there is something to say.
  ///
  /// - Throws: The status itself, unless all is well.
  public func finish() throws {
    if self != .fine { throw self }
  }
}
