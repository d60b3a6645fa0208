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

  static func file(_ path: String) -> URL {
    folder.appendingPathComponent("data").appendingPathComponent(path)
  }

  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: file(path).path)
  }

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: file(path))
  }

  /// Decodes the objects of a JSON array, leaving out the strings that serve as comments.
  static func objects<Element: Decodable>(_ path: String) throws -> [Element] {
    let text = withoutLoneSurrogates(String(decoding: try data(path), as: UTF8.self))
    return try JSONDecoder().decode([Entry<Element>].self, from: Data(text.utf8))
      .compactMap(\.element)
  }

  /// Replaces the escapes of surrogates without a partner by U+FFFD, as a browser does when it
  /// hands a string to the parser; Foundation refuses them.
  private static func withoutLoneSurrogates(_ text: String) -> String {
    let pair = /(?i)\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\ud[89a-f][0-9a-f]{2}/
    return text.replacing(pair) { $0.output.utf8.count == 12 ? String($0.output) : "\\ufffd" }
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
