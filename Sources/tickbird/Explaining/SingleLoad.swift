internal import CommandInput
internal import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// The load that the options describe.
struct SingleLoad {
  let options: Explain

  init(_ options: Explain) { self.options = options }

  func load() throws -> ResourceLoad {
    let url = try Self.parse(options.url ?? "", "--url")
    let page = try options.page.map { try Self.parse($0, "--page") }
    let frame = try options.frame.map { try Self.parse($0, "--frame") }
    let context = try options.context.map { word in
      guard let context = LoadWords.loadContext(word) else {
        throw InputError(
          "--context: "
            + LoadWords.unknown("context", word, among: ["top-frame", "child-frame"])
        )
      }
      return context
    }
    let type = try type(isPage: page == nil || page == url, context)
    guard page != nil || type == .topDocument else {
      throw InputError("--page is missing; a load of type \(LoadWords.word(for: type)) has a page")
    }
    let isInFrame = type == .childDocument || frame != nil && frame != page
    let method = options.method.map { LoadWords.requestMethod($0) } ?? .get
    let load = ResourceLoad(
      url: url,
      topURL: type == .topDocument ? url : page ?? url,
      frameURL: frame ?? (type == .childDocument ? WebURL("about:blank") : page),
      resourceType: type,
      loadContext: context ?? (isInFrame ? .childFrame : .topFrame),
      requestMethod: method
    )
    return load.asBrowserSends()
  }

  private func type(isPage: Bool, _ context: LoadContext?) throws -> ResourceType {
    guard let word = options.type.first else {
      throw InputError(
        "--type is missing; say what the load is for, one of "
          + LoadWords.resourceTypeWords.joined(separator: ", ")
      )
    }
    if word == "document" {
      return isPage && context != .childFrame ? .topDocument : .childDocument
    }
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
        "\(option): \(text.isEmpty ? "an empty text" : text) is no absolute URL; write it in full, "
          + "such as https://example.com/"
      )
    }
    return url
  }
}
