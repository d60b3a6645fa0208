import ReferenceMatcher
import TestSupport

extension Vectors {
  /// The JSON value of a file.
  static func json(_ file: String) throws -> JSONValue {
    try JSONValue(parsing: bytes(file))
  }
}
