package import ContentBlocking
internal import LoadDeciding
package import WebURL

extension TSVLayout {
  /// Returns the load of a line.
  ///
  /// - Throws: ``InputError`` that names the column without an absolute URL.
  package func load(_ text: [UInt8], _ row: Row) throws(InputError) -> ResourceLoad {
    ResourceLoad(
      url: try Self.url(text, row.url, "url"),
      topURL: row.topURL.isEmpty ? nil : try Self.url(text, row.topURL, topURLName),
      frameURL: row.frameURL.isEmpty ? nil : try Self.url(text, row.frameURL, frameURLName),
      resourceType: row.traits.resourceType,
      loadContext: row.traits.loadContext,
      requestMethod: row.traits.requestMethod,
      loadType: row.traits.loadType
    )
  }

  /// Returns the range of a load's URL, without the fragment if its type's word excludes that.
  static func url(of row: Row, _ typeWord: Range<Int>, _ text: [UInt8]) -> Range<Int> {
    // Comparing the length first skips the rest for nearly all loads.
    guard typeWord.count == 9,
      LoadWords.isTextTrack(String(decoding: text[typeWord], as: UTF8.self)),
      let hash = text[row.url].firstIndex(of: UInt8(ascii: "#")),
      ["http", "https"].contains(
        String(decoding: text[row.url].prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
          .drop { $0 <= " " }.lowercased()
      )
    else { return row.url }
    return row.url.lowerBound..<hash
  }

  /// Reads a URL.
  ///
  /// - Throws: ``InputError`` that names the column.
  package static func url(
    _ text: [UInt8],
    _ field: Range<Int>,
    _ column: String
  ) throws(InputError) -> WebURL {
    if let url = WebURL(utf8: text.span.extracting(field)) { return url }
    guard !field.isEmpty else { throw InputError("column \(column) is empty") }
    let shown = String(decoding: text[field].prefix(80), as: UTF8.self)
    throw InputError("column \(column) is not an absolute URL: \(shown)")
  }
}
