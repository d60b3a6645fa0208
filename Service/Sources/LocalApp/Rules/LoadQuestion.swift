internal import ContentBlocking
internal import PageTexts
internal import ResourceLoads
internal import WebURL

/// The loads to decide: one URL a line, with properties that they share.
struct LoadQuestion: Sendable {
  /// A line's load, or why it is invalid.
  enum Line: Sendable {
    case load(ResourceLoad)
    case fault(text: String, reason: Fault)
  }

  /// Why a line is no load.
  enum Fault: Sendable {
    case url
    case type(String)
    case page(String)

    /// Says so.
    func phrase(_ texts: Texts) -> Phrase {
      switch self {
      case .url: texts("load_not_url", Phrase.code("https://example.com/a.js"))
      case .type(let word):
        texts("load_no_type", word, Phrase.code(LoadQuestion.typeWords.joined(separator: ", ")))
      case .page(let page): texts("load_page_not_url", page)
      }
    }
  }

  /// The limit on lines answered.
  static let mostLines = 200

  /// The non-empty lines, at most ``mostLines``.
  let lines: [Line]
  /// How many more lines there are.
  let rest: Int

  /// Parses the lines.
  ///
  /// - Parameters:
  ///   - urls: One URL a line; a word after it overrides `type`.
  ///   - page: The page's URL; empty for none.
  ///   - type: The resource type.
  ///   - context: `top-frame`, `child-frame`, or empty for the type's default.
  init(urls: String, page: String, type: String, context: String) {
    let all = urls.split(whereSeparator: \.isNewline)
      .map { $0.split(whereSeparator: \.isWhitespace) }.filter { !$0.isEmpty }
    lines = all.prefix(Self.mostLines).map { words in
      Self.line(words, page: page, type: type, context: context)
    }
    rest = max(0, all.count - Self.mostLines)
  }

  /// The resource types that a form offers.
  static var typeWords: [String] { ResourceType.words.map { "\($0.word)" } }

  /// Returns the word for a single type.
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
      return .fault(text: text, reason: .url)
    }
    let word = words.count > 1 ? String(words[1]) : type
    guard words.count <= 2, let kind = ResourceType.words.first(where: { "\($0.word)" == word })
    else {
      return .fault(text: text, reason: .type(words.dropFirst().joined(separator: " ")))
    }
    var topURL: WebURL?
    if !page.isEmpty {
      topURL = WebURL(page)
      guard topURL != nil else {
        return .fault(text: text, reason: .page(page))
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
