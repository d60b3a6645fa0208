package import ContentBlocking
internal import LoadDeciding
internal import ResourceLoads
internal import WebURL

/// Reads loads from newline-delimited JSON, one object a line.
///
///     {"url": "http://a.test/x.png", "top_url": "http://b.test/", "resource_type": "image"}
///
/// The keys are `url`, `top_url`, `frame_url`, `resource_type`, `load_context`, `method`,
/// `load_type`. Absent, empty and null values have the defaults of ``ResourceLoad``, except that a
/// `method` of null is unknown. Request logs of the ad-blocking community are accepted, too:
///
///     {"frameUrl": "http://b.test/", "url": "http://a.test/x.png", "cpt": "image"}
///
/// Other keys are ignored. Of a key that is repeated the last one counts that is not empty.
package struct RequestReader {
  private var tape = JSONTape()
  private var lastTop: (bytes: [UInt8], url: WebURL)?

  /// Creates a reader.
  package init() {}

  /// Locates the fields of a line without extracting them, the fast path for nearly all lines.
  ///
  /// - Parameters:
  ///   - text: The text that the line is in.
  ///   - line: The range of the line, without its end.
  /// - Returns: The fields; `nil` for a line that ``read(_:)`` must handle: one with escapes in a
  ///   needed field, with unknown words, or with a fault.
  package mutating func row(_ text: [UInt8], _ line: Range<Int>) -> TSVLayout.Row? {
    let span = text.span.extracting(line)
    do throws(JSONTape.Fault) { try tape.parse(span) } catch { return nil }
    guard tape.kind(JSONTape.root) == .object else { return nil }
    let members = members(span)
    let start = line.lowerBound
    func place(_ value: Int?) -> Range<Int>? {
      guard let value else { return start..<start }
      guard let place = tape.plainRange(value) else { return nil }
      return start + place.lowerBound..<start + place.upperBound
    }
    guard members.url != nil, let url = place(members.url), let topURL = place(members.topURL),
      let frameURL = place(members.frameURL), let type = place(members.resourceType)
    else { return nil }
    var row = TSVLayout.Row(
      url: url,
      topURL: topURL,
      frameURL: frameURL,
      traits: LoadTraits(
        resourceType: .other,
        requestMethod: members.isMethodUnknown ? nil : .get
      )
    )
    if let value = members.loadContext {
      guard let context = word(value, span, LoadWords.loadContext) else { return nil }
      row.traits.loadContext = context
    }
    if let value = members.loadType {
      guard let type = word(value, span, LoadWords.loadType) else { return nil }
      row.traits.loadType = type
    }
    if let value = members.method, !tape.isString(value, "GET", in: span) {
      guard let method = tape.string(value, in: span) else { return nil }
      row.traits.requestMethod = LoadWords.requestMethod(method)
    }
    guard let known = TSVLayout.resourceType(text, type, row) else { return nil }
    row.traits.resourceType = known
    row.url = TSVLayout.url(of: row, type, text)
    return row
  }

  private func word<Value>(
    _ value: Int,
    _ line: Span<UInt8>,
    _ meaning: (String) -> Value?
  ) -> Value? {
    tape.string(value, in: line).flatMap(meaning)
  }

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
          : "the line is not JSON: \(error.expected) is expected at column \(error.offset + 1)"
      )
    }
    guard tape.kind(JSONTape.root) == .object else {
      throw InputError(
        "the line is not a JSON object; write {\"url\": …, \"top_url\": …, \"resource_type\": …}"
      )
    }
    let fields = try fields(line)
    let word = String(
      decoding: try required(fields.resourceType, "resource_type"),
      as: UTF8.self
    )
    var described = DescribedLoad(url: try parse(required(fields.url, "url"), "url"), type: word)
    described.page = try fields.topURL.map { bytes throws(InputError) in try top(bytes) }
    described.frame = try fields.frameURL.map { bytes throws(InputError) in
      try parse(bytes, "frame_url")
    }
    described.context = fields.loadContext
    described.method = fields.method
    described.party = fields.loadType
    guard let load = described.load() else {
      throw InputError(LoadWords.unknown("resource_type", word, among: LoadWords.resourceTypeWords))
    }
    return load
  }

  /// The values of a line by their meanings, as indexes on the tape.
  private struct Members {
    var url: Int?
    var topURL: Int?
    var frameURL: Int?
    var resourceType: Int?
    var loadContext: Int?
    var method: Int?
    var isMethodUnknown = false
    var loadType: Int?
  }

  /// Finds the values of the object on the tape.
  private func members(_ line: Span<UInt8>) -> Members {
    var members = Members()
    var source: Int?
    var sourceType: Int?
    var children = tape.children(of: JSONTape.root)
    while let key = children.next(), let value = children.next() {
      // Absent, empty and null mean the same, except that a null method is unknown.
      if tape.kind(value) == .null {
        if tape.isString(key, "method", in: line) {
          members.method = nil
          members.isMethodUnknown = true
        }
        continue
      }
      if tape.isString(value, "", in: line) { continue }
      if tape.isString(key, "url", in: line) {
        members.url = value
      } else if tape.isString(key, "top_url", in: line) {
        members.topURL = value
      } else if tape.isString(key, "resource_type", in: line) {
        members.resourceType = value
      } else if tape.isString(key, "frame_url", in: line) {
        members.frameURL = value
      } else if tape.isString(key, "load_context", in: line) {
        members.loadContext = value
      } else if tape.isString(key, "load_type", in: line) {
        members.loadType = value
      } else if tape.isString(key, "method", in: line) {
        members.method = value
        members.isMethodUnknown = false
      } else if tape.isString(key, "frameUrl", in: line) {
        source = value
      } else if tape.isString(key, "cpt", in: line) {
        sourceType = value
      }
    }
    members.resourceType = members.resourceType ?? sourceType
    members.topURL = members.topURL ?? source
    return members
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
    let members = members(line)
    var fields = Fields()
    fields.url = try text(members.url, "url", line)
    fields.topURL = try text(members.topURL, "top_url", line)
    fields.frameURL = try text(members.frameURL, "frame_url", line)
    fields.resourceType = try text(members.resourceType, "resource_type", line)
    fields.loadContext = try word(
      members.loadContext,
      "load_context",
      line,
      ["top-frame", "child-frame"],
      LoadWords.loadContext
    )
    fields.loadType = try word(
      members.loadType,
      "load_type",
      line,
      ["first-party", "third-party"],
      LoadWords.loadType
    )
    if let method = try text(members.method, "method", line) {
      fields.method = LoadWords.requestMethod(String(decoding: method, as: UTF8.self))
    } else if members.isMethodUnknown {
      fields.method = nil
    }
    return fields
  }

  private func text(
    _ value: Int?,
    _ key: StaticString,
    _ line: Span<UInt8>
  ) throws(InputError) -> [UInt8]? {
    guard let value else { return nil }
    guard let bytes = tape.bytes(value, in: line) else {
      throw InputError("\"\(key)\" must be a string")
    }
    return bytes
  }

  private func word<Value>(
    _ value: Int?,
    _ key: StaticString,
    _ line: Span<UInt8>,
    _ known: [String],
    _ meaning: (String) -> Value?
  ) throws(InputError) -> Value? {
    guard let bytes = try text(value, key, line) else { return nil }
    let word = String(decoding: bytes, as: UTF8.self)
    guard let meant = meaning(word) else {
      throw InputError(LoadWords.unknown("\(key)", word, among: known))
    }
    return meant
  }

  private func required(_ bytes: [UInt8]?, _ key: StaticString) throws(InputError) -> [UInt8] {
    guard let bytes else { throw InputError("\"\(key)\" is missing; every load needs it") }
    return bytes
  }

  private func parse(_ bytes: [UInt8], _ key: StaticString) throws(InputError) -> WebURL {
    guard let url = WebURL(utf8: bytes) else {
      let text = String(decoding: bytes.prefix(80), as: UTF8.self)
      throw InputError(
        "\"\(key)\" is not an absolute URL: \(text); write it in full, such as https://example.com/"
      )
    }
    return url
  }

  /// Returns the top URL, which is mostly that of the line before.
  private mutating func top(_ bytes: [UInt8]) throws(InputError) -> WebURL {
    if let lastTop, lastTop.bytes == bytes { return lastTop.url }
    let url = try parse(bytes, "top_url")
    lastTop = (bytes, url)
    return url
  }
}
