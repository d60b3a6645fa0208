internal import CommandInput
internal import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// The load that the options describe.
struct SingleLoad {
  let options: Explain

  init(_ options: Explain) { self.options = options }

  func load() throws -> ResourceLoad {
    let url = LoadWords.url(
      try Self.parse(options.url ?? "", "--url"),
      ofType: options.type.first ?? ""
    )
    // An empty option counts as absent.
    let page = try options.page.flatMap { $0.isEmpty ? nil : try Self.parse($0, "--page") }
    let frame = try options.frame.flatMap { $0.isEmpty ? nil : try Self.parse($0, "--frame") }
    let context = try options.context.map { word in
      guard let context = LoadWords.loadContext(word) else {
        throw InputError(
          "--context: "
            + LoadWords.unknown("context", word, among: ["top-frame", "child-frame"])
        )
      }
      return context
    }
    return ResourceLoad(
      url: url,
      topURL: page,
      frameURL: frame,
      resourceType: try type(context, url: url, page: page),
      loadContext: context,
      requestMethod: options.method.map { LoadWords.requestMethod($0) } ?? .get
    )
  }

  private func type(
    _ context: LoadContext?,
    url: WebURL,
    page: WebURL?
  ) throws -> ResourceType {
    guard let word = options.type.first else {
      throw InputError(
        "--type is missing; say what the load is for, one of "
          + LoadWords.resourceTypeWords.joined(separator: ", ")
      )
    }
    if word == "document" { return LoadWords.documentType(context, url: url, page: page) }
    guard let type = LoadWords.resourceType(word) else {
      throw InputError(
        "--type: " + LoadWords.unknown("type", word, among: LoadWords.resourceTypeWords)
      )
    }
    return type
  }

  static func parse(_ text: String, _ option: String) throws -> WebURL {
    guard let url = WebURL(text) else {
      throw InputError(
        "\(option): \(text.isEmpty ? "an empty text" : text) is not an absolute URL; write it in "
          + "full, such as https://example.com/"
      )
    }
    return url
  }
}
