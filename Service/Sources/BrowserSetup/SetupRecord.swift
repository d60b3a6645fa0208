internal import DurableFiles
public import Foundation

/// What `tickbird setup` has written, so that exactly that can be removed again.
///
/// Every change is recorded before it is made: whoever comes after an interruption finds at most things
/// in the record that are not there yet, never things on the disk that are not in it.
public struct SetupRecord: Codable, Equatable, Sendable {
  /// A file that was written as a whole.
  public struct File: Codable, Equatable, Sendable {
    /// Its absolute path.
    public var path: String
    /// The SHA-256 of the contents that it may have, in hexadecimal: of one version, and while it is
    /// being replaced, of two; none for a file that something else is about to write.
    public var digests: [String]
  }

  /// A value that was put into a JSON file which has others as well.
  public struct Entry: Codable, Equatable, Sendable {
    /// The file's absolute path.
    public var path: String
    /// The keys that lead to the value, from the outermost object on.
    public var keys: [String]
    /// The values that it may have, as JSON with sorted keys.
    public var values: [String]
    /// The file's bytes before.
    public var before: Data
    /// The SHA-256 of the file after; as long as it has it, ``before`` can be brought back whole.
    public var digest: String
  }

  /// Extensions that were added to a native messaging manifest of a user.
  public struct Host: Codable, Equatable, Sendable {
    /// The manifest's absolute path.
    public var path: String
    /// The browser's name, as commands have it.
    public var browser: String
    /// The ids that were added.
    public var extensions: [String]
  }

  static let format = 1
  static let limit = 16 << 20

  /// The format's version.
  public var format = SetupRecord.format
  /// Folders that were made, each after its parent.
  public var folders: [String] = []
  /// Files that were written.
  public var files: [File] = []
  /// Values that were put into other files.
  public var entries: [Entry] = []
  /// Manifests of a user's browsers.
  public var hosts: [Host] = []

  /// Creates an empty record.
  public init() {}

  /// Whether nothing is recorded; folders alone count as nothing.
  public var isEmpty: Bool { files.isEmpty && entries.isEmpty && hosts.isEmpty }

  /// Reads a record; an absent one is empty.
  ///
  /// - Throws: ``SetupError`` if it is damaged: then it is unknown what may be removed.
  public static func read(_ file: URL) throws(SetupError) -> SetupRecord {
    guard DurableFile.isThere(file.path) else { return SetupRecord() }
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try DurableFile.contents(of: file.path, atMost: limit)
    } catch {
      throw SetupError(.record, error.description)
    }
    guard let record = try? JSONDecoder().decode(SetupRecord.self, from: Data(bytes)),
      record.format == format
    else {
      throw SetupError(
        .record,
        "\(file.path), which says what setup has written, is damaged or of a later Tickbird; bring it "
          + "back from a copy, or remove it and what it names by hand"
      )
    }
    return record
  }

  func write(_ file: URL, permissions: UInt32) throws(FileFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Strings and bytes can always be encoded.
    let data = (try? encoder.encode(self)) ?? Data()
    try DurableFile.replace(file.path, with: data, permissions: .exactly(permissions))
  }
}
