internal import DurableFiles
public import Foundation

/// The file that tells browsers which program a host is, and which extensions may start it.
///
///     { "name": "tickbird.host", "description": "…", "path": "/absolute/path", "type": "stdio",
///       "allowed_origins": ["chrome-extension://…/"] }
///
/// Firefox has `allowed_extensions` with ids instead, and refuses a file with any other key, so each
/// family has files of its own.
public struct HostManifest: Equatable, Sendable {
  /// The host's name, which is also the file's.
  public var name: String
  /// What a person reads.
  public var description: String
  /// The program.
  public var path: String
  /// Who may start it, as the family writes it.
  public var callers: [String]

  /// Takes all of it.
  public init(name: String, description: String, path: String, callers: [String]) {
    self.name = name
    self.description = description
    self.path = path
    self.callers = callers
  }

  /// What is in a manifest's place.
  public enum Contents: Equatable, Sendable {
    /// Nothing.
    case absent
    /// A manifest that the browser takes.
    case manifest(HostManifest)
    /// Something else, for a reason.
    case unusable(String)
  }

  /// The largest file that is read, in bytes.
  static let limit = 1 << 20

  /// Looks at a manifest's place.
  public static func read(_ file: URL, family: BrowserFamily) -> Contents {
    guard DurableFile.isThere(file.path) else { return .absent }
    guard let handle = try? FileHandle(forReadingFrom: file),
      let data = try? handle.read(upToCount: limit + 1), data.count <= limit
    else { return .unusable("it cannot be read") }
    guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
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

  /// The file's bytes.
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
