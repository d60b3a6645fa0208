internal import Foundation

/// The texts of a set of pages, in every language.
///
/// The files have the form of a web extension's `_locales`: a key, its message with `$1`, `$2`, … for
/// what is put into it (`$$` for the sign itself), and a description for translators. A text that
/// depends on a number has one key for each form of its language: `rules_one`, `rules_other`.
public struct TextCatalogue: Sendable {
  /// The messages of each language by their keys.
  let messages: [PageLanguage: [String: TextMessage]]

  /// The texts that all pages share: those about times.
  public static let shared = TextCatalogue(
    own: [
      .english: PackageResources.en_json, .german: PackageResources.de_json,
      .japanese: PackageResources.ja_json, .arabic: PackageResources.ar_json,
    ]
  )

  /// Takes texts that are part of the program, beside those that all pages share.
  ///
  /// - Precondition: The files can be parsed.
  public init(_ files: [PageLanguage: [UInt8]]) {
    let own = TextCatalogue(own: files)
    messages = own.messages.merging(Self.shared.messages) { own, shared in
      own.merging(shared) { own, _ in own }
    }
  }

  private init(own files: [PageLanguage: [UInt8]]) {
    messages = files.mapValues { bytes in
      do {
        return try JSONDecoder().decode([String: Entry].self, from: Data(bytes))
          .mapValues { TextMessage($0.message) }
      } catch {
        preconditionFailure("a file of texts has a fault: \(error)")
      }
    }
  }

  private struct Entry: Decodable {
    var message: String
  }

  /// The keys of a language.
  public func keys(_ language: PageLanguage) -> Set<String> {
    Set(messages[language, default: [:]].keys)
  }

  /// Returns a text with what stands for `$1`, `$2`, … still in it; for tests and translators.
  public func source(_ key: String, in language: PageLanguage) -> String? {
    messages[language]?[key]?.source
  }

  /// Returns a message; in English if the language lacks it, and the key if there is none at all, so
  /// that the fault is seen.
  func message(_ key: String, in language: PageLanguage) -> TextMessage {
    messages[language]?[key] ?? messages[.standard]?[key] ?? TextMessage(key)
  }
}

/// A message, cut at its placeholders.
struct TextMessage: Sendable {
  enum Piece: Sendable {
    case text(String)
    /// The place of a value, from 0.
    case value(Int)
  }

  let source: String
  let pieces: [Piece]

  init(_ source: String) {
    self.source = source
    var pieces: [Piece] = []
    var text = ""
    var rest = source[...]
    while let character = rest.popFirst() {
      guard character == "$", let next = rest.first else {
        text.append(character)
        continue
      }
      if next == "$" {
        rest.removeFirst()
        text.append("$")
      } else if next.isASCII, let number = next.wholeNumberValue, number > 0 {
        rest.removeFirst()
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(.value(number - 1))
      } else {
        text.append(character)
      }
    }
    if !text.isEmpty { pieces.append(.text(text)) }
    self.pieces = pieces
  }
}
