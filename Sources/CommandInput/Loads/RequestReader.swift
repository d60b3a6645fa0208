package import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// Reads loads from newline-delimited JSON, one object a line.
///
///     {"url": "http://a.test/x.png", "top_url": "http://b.test/", "resource_type": "image"}
///
/// The keys are `url`, `top_url`, `frame_url`, `resource_type`, `load_context`, `method`, `load_type`;
/// what is absent, empty or null means what ``ResourceLoad`` says, but for a `method` of null, which
/// is unknown. Other keys are passed over.
package struct RequestReader {
  private var tape = JSONTape()
  private var lastTop: (bytes: [UInt8], url: WebURL)?

  /// Creates a reader.
  package init() {}

  /// Reads one line.
  ///
  /// - Throws: ``InputError`` that says what is wrong with the line and what to write.
  package mutating func read(_ line: Span<UInt8>) throws(InputError) -> ResourceLoad {
    do throws(JSONTape.Fault) {
      try tape.parse(line)
    } catch {
      throw InputError(
        line.skippingSpace(0) == line.count
          ? "the line is empty; each line is one JSON object"
          : "the line is no JSON: \(error.expected) is expected at column \(error.offset + 1)"
      )
    }
    guard tape.kind(JSONTape.root) == .object else {
      throw InputError(
        "the line is no JSON object; write {\"url\": …, \"top_url\": …, \"resource_type\": …}"
      )
    }
    let fields = try fields(line)
    let url = try parse(required(fields.url, "url"), "url")
    let page = try fields.topURL.map { bytes throws(InputError) in try top(bytes) }
    return ResourceLoad(
      url: url,
      topURL: page,
      frameURL: try fields.frameURL.map { bytes throws(InputError) in
        try parse(bytes, "frame_url")
      },
      resourceType: try type(
        required(fields.resourceType, "resource_type"),
        fields.loadContext,
        url: url,
        page: page
      ),
      loadContext: fields.loadContext,
      requestMethod: fields.method,
      loadType: fields.loadType
    )
  }

  private struct Fields {
    var url: [UInt8]?
    var topURL: [UInt8]?
    var frameURL: [UInt8]?
    var resourceType: [UInt8]?
    var loadContext: LoadContext?
    var method: RequestMethod? = .get
    var loadType: LoadType?
  }

  private func fields(_ line: Span<UInt8>) throws(InputError) -> Fields {
    var fields = Fields()
    var children = tape.children(of: JSONTape.root)
    while let key = children.next(), let value = children.next() {
      // Absent, empty and null are the same, but for a method: null is one that is not known.
      if tape.kind(value) == .null {
        if tape.isString(key, "method", in: line) { fields.method = nil }
        continue
      }
      if tape.isString(value, "", in: line) { continue }
      if tape.isString(key, "url", in: line) {
        fields.url = try text(value, "url", line)
      } else if tape.isString(key, "top_url", in: line) {
        fields.topURL = try text(value, "top_url", line)
      } else if tape.isString(key, "resource_type", in: line) {
        fields.resourceType = try text(value, "resource_type", line)
      } else if tape.isString(key, "frame_url", in: line) {
        fields.frameURL = try text(value, "frame_url", line)
      } else if tape.isString(key, "load_context", in: line) {
        fields.loadContext = try word(
          value,
          "load_context",
          line,
          ["top-frame", "child-frame"],
          LoadWords.loadContext
        )
      } else if tape.isString(key, "load_type", in: line) {
        fields.loadType = try word(
          value,
          "load_type",
          line,
          ["first-party", "third-party"],
          LoadWords.loadType
        )
      } else if tape.isString(key, "method", in: line) {
        fields.method = LoadWords.requestMethod(
          String(decoding: try text(value, "method", line), as: UTF8.self)
        )
      }
    }
    return fields
  }

  private func text(
    _ value: Int,
    _ key: StaticString,
    _ line: Span<UInt8>
  ) throws(InputError) -> [UInt8] {
    guard let bytes = tape.bytes(value, in: line) else {
      throw InputError("\"\(key)\" must be a string")
    }
    return bytes
  }

  private func word<Value>(
    _ value: Int,
    _ key: StaticString,
    _ line: Span<UInt8>,
    _ known: [String],
    _ meaning: (String) -> Value?
  ) throws(InputError) -> Value {
    let word = String(decoding: try text(value, key, line), as: UTF8.self)
    guard let meant = meaning(word) else {
      throw InputError(LoadWords.unknown("\(key)", word, among: known))
    }
    return meant
  }

  private func type(
    _ bytes: [UInt8],
    _ context: LoadContext?,
    url: WebURL,
    page: WebURL?
  ) throws(InputError) -> ResourceType {
    let word = String(decoding: bytes, as: UTF8.self)
    if word == "document" { return LoadWords.documentType(context, url: url, page: page) }
    if let type = LoadWords.resourceType(word) { return type }
    throw InputError(LoadWords.unknown("resource_type", word, among: LoadWords.resourceTypeWords))
  }

  private func required(_ bytes: [UInt8]?, _ key: StaticString) throws(InputError) -> [UInt8] {
    guard let bytes else { throw InputError("\"\(key)\" is missing; every load needs it") }
    return bytes
  }

  private func parse(_ bytes: [UInt8], _ key: StaticString) throws(InputError) -> WebURL {
    guard let url = WebURL(utf8: bytes) else {
      let text = String(decoding: bytes.prefix(80), as: UTF8.self)
      throw InputError(
        "\"\(key)\" is no absolute URL: \(text); write it in full, such as https://example.com/"
      )
    }
    return url
  }

  /// The top URL, which is mostly that of the line before.
  private mutating func top(_ bytes: [UInt8]) throws(InputError) -> WebURL {
    if let lastTop, lastTop.bytes == bytes { return lastTop.url }
    let url = try parse(bytes, "top_url")
    lastTop = (bytes, url)
    return url
  }
}
