import Foundation
import TestSupport

extension SharedData {
  /// Decodes the objects of a JSON array, leaving out the strings that serve as comments.
  static func objects<Element: Decodable>(_ path: String) throws -> [Element] {
    let text = withoutLoneSurrogates(String(decoding: try bytes(path), as: UTF8.self))
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
