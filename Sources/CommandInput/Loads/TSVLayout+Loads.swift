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
    let word = LoadWord(text.span.extracting(typeWord))
    let end = word.map { $0.matchedCount(of: text.span.extracting(row.url)) } ?? row.url.count
    return row.url.lowerBound..<row.url.lowerBound + end
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
