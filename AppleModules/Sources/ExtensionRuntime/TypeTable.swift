/// The uniform types that handlers use, with what they conform to, their file extensions and media
/// types.
///
/// Apple's table has some hundreds; this one has those of lists, pages, images and feeds. Unknown
/// identifiers conform only to themselves.
package enum TypeTable {
  package struct Entry: Sendable {
    package let identifier: String
    package let parents: [String]
    package let pathExtensions: [String]
    package let mediaType: String?
  }

  package static let entries: [Entry] = [
    entry("public.item"),
    entry("public.content"),
    entry("public.data", "public.item"),
    entry("public.directory", "public.item"),
    entry("public.folder", "public.directory"),
    entry("public.url", "public.data"),
    entry("public.file-url", "public.url"),
    entry("public.text", "public.data public.content", "", "text/*"),
    entry("public.plain-text", "public.text", "txt text", "text/plain"),
    entry("public.utf8-plain-text", "public.plain-text"),
    entry("public.utf16-plain-text", "public.plain-text"),
    entry("public.json", "public.text", "json", "application/json"),
    entry("public.xml", "public.text", "xml", "application/xml"),
    entry("public.html", "public.text", "html htm", "text/html"),
    entry("public.css", "public.text", "css", "text/css"),
    entry("public.comma-separated-values-text", "public.text", "csv", "text/csv"),
    entry("public.source-code", "public.plain-text"),
    entry("com.netscape.javascript-source", "public.source-code", "js mjs", "text/javascript"),
    entry("com.apple.property-list", "public.data", "plist"),
    entry("public.image", "public.data public.content", "", "image/*"),
    entry("public.png", "public.image", "png", "image/png"),
    entry("public.jpeg", "public.image", "jpeg jpg jpe", "image/jpeg"),
    entry("com.compuserve.gif", "public.image", "gif", "image/gif"),
    entry("public.tiff", "public.image", "tiff tif", "image/tiff"),
    entry("public.svg-image", "public.image", "svg svgz", "image/svg+xml"),
    entry("org.webmproject.webp", "public.image", "webp", "image/webp"),
    entry("public.heic", "public.image", "heic", "image/heic"),
    entry("com.microsoft.ico", "public.image", "ico", "image/vnd.microsoft.icon"),
    entry("com.microsoft.bmp", "public.image", "bmp", "image/bmp"),
    entry("com.apple.icns", "public.image", "icns"),
    entry("com.adobe.pdf", "public.data public.content", "pdf", "application/pdf"),
    entry("public.rtf", "public.text", "rtf", "text/rtf"),
    entry("public.movie", "public.data public.content"),
    entry("public.audio", "public.data public.content"),
    entry("public.archive", "public.data"),
    entry("public.zip-archive", "public.archive", "zip", "application/zip"),
    entry("org.gnu.gnu-zip-archive", "public.archive", "gz gzip", "application/gzip"),
  ]

  private static let byIdentifier = [String: Entry](
    uniqueKeysWithValues: entries.map { ($0.identifier, $0) }
  )

  private static let byPathExtension = [String: String](
    entries.flatMap { entry in entry.pathExtensions.map { ($0, entry.identifier) } },
    uniquingKeysWith: { first, _ in first }
  )

  /// Returns the entry of an identifier, ignoring case.
  package static func entry(of identifier: String) -> Entry? {
    byIdentifier[identifier.lowercased()]
  }

  /// Returns the type of files with an extension, ignoring case.
  package static func identifier(forPathExtension pathExtension: String) -> String? {
    byPathExtension[pathExtension.lowercased()]
  }

  /// Whether one type conforms to another.
  package static func type(_ identifier: String, conformsTo other: String) -> Bool {
    let identifier = identifier.lowercased()
    let other = other.lowercased()
    // Ends, because types conform only to earlier ones of the table, which a test checks.
    return identifier == other
      || byIdentifier[identifier]?.parents.contains { type($0, conformsTo: other) } ?? false
  }

  private static func entry(
    _ identifier: String,
    _ parents: String = "",
    _ pathExtensions: String = "",
    _ mediaType: String? = nil
  ) -> Entry {
    Entry(
      identifier: identifier,
      parents: parents.split(separator: " ").map(String.init),
      pathExtensions: pathExtensions.split(separator: " ").map(String.init),
      mediaType: mediaType
    )
  }
}
