import Foundation

/// Data that lies beside the package when it is there; tests that need it are skipped otherwise.
enum SharedData {
  /// The folder named by `TICKBIRD_SHARED`, else `shared` beside the package.
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["TICKBIRD_SHARED"] {
      return URL(fileURLWithPath: path)
    }
    return packageRoot.deletingLastPathComponent().appendingPathComponent("shared")
  }()

  static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("data").appendingPathComponent(path).path)
  }

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent("data").appendingPathComponent(path))
  }

  /// Decodes the objects of a JSON array, leaving out the strings that serve as comments.
  static func objects<Element: Decodable>(_ path: String) throws -> [Element] {
    return try JSONDecoder().decode([Entry<Element>].self, from: data(path)).compactMap(\.element)
  }
}

/// One entry of such an array: an object, or a comment.
private struct Entry<Element: Decodable>: Decodable {
  var element: Element?

  init(from decoder: any Decoder) throws {
    let isComment = (try? decoder.singleValueContainer().decode(String.self)) != nil
    element = isComment ? nil : try Element(from: decoder)
  }
}
