internal import ArgumentParser
public import Foundation
internal import TextOutput

/// The paths on a command line.
public enum GivenPath {
  /// Rejects an empty path, and a relative one if the working folder cannot be named.
  ///
  /// - Throws: `ValidationError` with the way out.
  public static func check(_ path: String) throws {
    // As a URL it would be the working folder, where a script's variable was not set.
    guard !path.isEmpty else {
      throw ValidationError("a path is empty; for the current folder, give .")
    }
    if let fault = GivenNames.fault(ofPath: path) { throw ValidationError(fault) }
  }

  /// Returns what a path names.
  ///
  /// A relative path as a URL is one of the working folder's name, which cannot be any bytes; see `check(_:)`.
  ///
  /// - Throws: `ValidationError` with the way out.
  public static func url(_ path: String) throws -> URL {
    try check(path)
    return URL(filePath: path, directoryHint: .checkFileSystem)
  }

  /// Returns the folder that a path names, be it there or not.
  ///
  /// - Throws: `ValidationError` with the way out.
  public static func folder(_ path: String) throws -> URL {
    try check(path)
    return URL(filePath: path, directoryHint: .isDirectory)
  }
}
