internal import CommandInput
internal import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// The load that the options describe.
struct SingleLoad {
  var url: String?
  var page: String?
  var frame: String?
  var type: String?
  var context: String?
  var method: String?

  /// Returns the load, with the defaults of absent options.
  func load() throws -> ResourceLoad {
    let url = try Self.parse(url ?? "", "--url")
    guard let type else {
      throw InputError(
        "--type is missing; say what the load is for, one of "
          + LoadWords.resourceTypeWords.joined(separator: ", ")
      )
    }
    var described = DescribedLoad(url: url, type: type)
    // An empty option counts as absent.
    described.page = try page.flatMap { $0.isEmpty ? nil : try Self.parse($0, "--page") }
    described.frame = try frame.flatMap {
      $0.isEmpty ? nil : try Self.parse($0, "--frame")
    }
    described.context = try context.map { word in
      guard let context = LoadWords.loadContext(word) else {
        throw InputError(
          "--context: "
            + LoadWords.unknown("context", word, among: ["top-frame", "child-frame"])
        )
      }
      return context
    }
    described.method = method.map { LoadWords.requestMethod($0) } ?? .get
    guard let load = described.load() else {
      throw InputError(
        "--type: " + LoadWords.unknown("type", type, among: LoadWords.resourceTypeWords)
      )
    }
    return load
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
