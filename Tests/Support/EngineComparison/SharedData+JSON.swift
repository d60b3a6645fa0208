public import ReferenceMatcher
public import TestSupport

extension SharedData {
  /// The JSON value of a file in the folder.
  public static func json(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: bytes(path))
  }
}

extension Vectors {
  /// The JSON value of a file.
  public static func json(_ file: String) throws -> JSONValue {
    try JSONValue(parsing: bytes(file))
  }
}
