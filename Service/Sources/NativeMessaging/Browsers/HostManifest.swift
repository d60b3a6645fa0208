internal import DurableFiles
public import Foundation

/// A native messaging manifest: the host's program, and the extensions that may start it.
///
///     { "name": "tickbird.host", "description": "…", "path": "/absolute/path", "type": "stdio",
///       "allowed_origins": ["chrome-extension://…/"] }
///
/// Firefox uses `allowed_extensions` with ids instead, and rejects a file with any other key, so
/// each family has its own files.
public struct HostManifest: Equatable, Sendable {
  /// The host's name, which is also the file's.
  public var name: String
  /// The description for people.
  public var description: String
  /// The program.
  public var path: String
  /// The extensions that may start it, in the family's notation.
  public var callers: [String]

  /// Creates a manifest.
  public init(name: String, description: String, path: String, callers: [String]) {
    self.name = name
    self.description = description
    self.path = path
    self.callers = callers
  }

  /// What is at a manifest's path.
  public enum Contents: Equatable, Sendable {
    /// Nothing.
    case absent
    /// A valid manifest.
    case manifest(HostManifest)
    /// Something else, for the given reason.
    case unusable(String)
  }

  /// The largest file accepted, in bytes.
  static let limit = 1 << 20

  /// Reads the file at a manifest's path.
  public static func read(_ file: URL, family: BrowserFamily) -> Contents {
    guard DurableFile.isThere(file.path) else { return .absent }
    guard let bytes = try? DurableFile.contents(of: file.path, atMost: limit) else {
      return .unusable("it is no file, has more than \(limit) bytes, or cannot be read")
    }
    guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      return .unusable("it is not a JSON object")
    }
    let texts = object.compactMapValues { $0 as? String }
    guard let callers = object[family.callersKey] as? [String] else {
      return .unusable("it has no list “\(family.callersKey)”")
    }
    guard let name = texts["name"], let path = texts["path"], let description = texts["description"]
    else { return .unusable("“name”, “description” or “path” is missing") }
    guard texts["type"] == "stdio" else { return .unusable("“type” is not “stdio”") }
    guard path.hasPrefix("/") else { return .unusable("“path” is not absolute") }
    if family == .firefox {
      let known: Set = ["name", "description", "path", "type", family.callersKey]
      if let key = object.keys.sorted().first(where: { !known.contains($0) }) {
        return .unusable("Firefox refuses a file with the key “\(key)”")
      }
    }
    return .manifest(
      HostManifest(name: name, description: description, path: path, callers: callers)
    )
  }

  /// Encodes the manifest.
  public func data(family: BrowserFamily) throws -> Data {
    let object: [String: Any] = [
      "name": name, "description": description, "path": path, "type": "stdio",
      family.callersKey: callers,
    ]
    let options: JSONSerialization.WritingOptions = [
      .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
    ]
    return try JSONSerialization.data(withJSONObject: object, options: options) + Data("\n".utf8)
  }
}
