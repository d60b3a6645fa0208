internal import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// The loads that a person asks about: one URL a line, with what all of them share.
struct LoadQuestion: Sendable {
  /// What one line asks, or why it cannot be answered.
  enum Line: Sendable {
    case load(ResourceLoad)
    case fault(text: String, reason: String)
  }

  /// The most lines that are answered.
  static let mostLines = 200

  /// The lines that say something, at most ``mostLines``.
  let lines: [Line]
  /// How many more there are.
  let rest: Int

  /// Reads the lines.
  ///
  /// - Parameters:
  ///   - urls: One URL a line; a word behind it takes the place of `type`.
  ///   - page: The page's URL; empty for none.
  ///   - type: A word for a resource type.
  ///   - context: `top-frame`, `child-frame`, or empty for what goes with the type.
  init(urls: String, page: String, type: String, context: String) {
    let all = urls.split(whereSeparator: \.isNewline)
      .map { $0.split(whereSeparator: \.isWhitespace) }.filter { !$0.isEmpty }
    lines = all.prefix(Self.mostLines).map { words in
      Self.line(words, page: page, type: type, context: context)
    }
    rest = max(0, all.count - Self.mostLines)
  }

  /// The words for types that a form offers.
  static var typeWords: [String] { ResourceType.words.map { "\($0.word)" } }

  /// The word for a single type.
  static func word(for type: ResourceType) -> String {
    ResourceType.words.first { $0.type == type }.map { "\($0.word)" } ?? ""
  }

  private static func line(
    _ words: [Substring],
    page: String,
    type: String,
    context: String
  ) -> Line {
    let text = words.joined(separator: " ")
    guard let url = WebURL(String(words[0])) else {
      return .fault(
        text: text,
        reason: "This is not an absolute URL, such as https://example.com/a.js."
      )
    }
    let word = words.count > 1 ? String(words[1]) : type
    guard words.count <= 2, let kind = ResourceType.words.first(where: { "\($0.word)" == word })
    else {
      return .fault(
        text: text,
        reason: "“\(words.dropFirst().joined(separator: " "))” is not a type of load; one of "
          + typeWords.joined(separator: ", ") + "."
      )
    }
    var topURL: WebURL?
    if !page.isEmpty {
      topURL = WebURL(page)
      guard topURL != nil else {
        return .fault(text: text, reason: "The page “\(page)” is not an absolute URL.")
      }
    }
    let contexts: [String: LoadContext] = ["top-frame": .topFrame, "child-frame": .childFrame]
    return .load(
      ResourceLoad(
        url: url,
        topURL: topURL,
        resourceType: kind.type,
        loadContext: contexts[context]
      )
    )
  }
}
