/// Reads a feed in any format; the entry point of this folder.
public enum FeedReader {
  /// Reads a feed.
  ///
  /// The format is detected from the document itself, since servers' media types are often wrong.
  ///
  /// - Parameters:
  ///   - bytes: The document, decompressed.
  ///   - address: The address it was fetched from; relative addresses are resolved against it.
  ///   - contentType: The Content-Type header, for its charset.
  ///   - limits: The limits that apply.
  /// - Returns: The feed's contents, with notes on what was skipped.
  /// - Throws: ``LinkError`` with code `.notAFeed`.
  /// - Complexity: O(*n*) in the bytes.
  public static func read(
    _ bytes: [UInt8],
    address: String,
    contentType: String = "",
    limits: LinkLimits = LinkLimits()
  ) throws -> FeedDocument {
    guard bytes.count <= limits.documentBytes else {
      throw LinkError(
        .notAFeed,
        "\(address): \(bytes.count) bytes exceed the limit of \(limits.documentBytes)"
      )
    }
    let text = FeedEncoding.decode(bytes, charset: FeedEncoding.charset(contentType))
    guard let first = text.first(where: { !$0.isBlank && $0 != 0 }) else {
      throw LinkError(.notAFeed, "\(address): the document is empty")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      return try JSONFeedReader.read(text, address: address, limits: limits)
    }
    if let document = XMLFeedReader.read(text, address: address, limits: limits) {
      return document
    }
    throw LinkError(
      .notAFeed,
      "\(address): this is \(isPage(text) ? "a web page" : "not a feed"): there is no RSS, Atom or "
        + "JSON Feed in it"
    )
  }

  /// Returns whether a text looks like an HTML page.
  static func isPage(_ text: [UInt8]) -> Bool {
    let head = String(decoding: text.prefix(4_096), as: UTF8.self).lowercased()
    return ["<html", "<!doctype html", "<head", "<body"].contains { head.contains($0) }
  }
}
