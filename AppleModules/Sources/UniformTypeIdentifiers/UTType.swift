// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
@_exported public import ExtensionRuntime

/// A uniform type.
///
/// Deviation: Only the types in a table of what extensions use are known; other identifiers make a type only by
/// ``init(exportedAs:)`` and the like.
/// > makes a type only by ``init(exportedAs:)`` and its like.
public struct UTType: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The type's identifier, for example `public.json`.
  public let identifier: String

  private init(known identifier: String) { self.identifier = identifier }

  /// The type of an identifier.
  ///
  /// - Returns: nil for one that is not known.
  public init?(_ identifier: String) {
    guard let entry = TypeTable.entry(of: identifier) else { return nil }
    self.init(known: entry.identifier)
  }

  /// The type of files with this extension.
  ///
  /// - Returns: nil for an extension that is not known, or whose type does not conform.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    guard let identifier = TypeTable.identifier(forPathExtension: filenameExtension),
      TypeTable.type(identifier, conformsTo: supertype.identifier)
    else { return nil }
    self.init(known: identifier)
  }

  /// The type of a media type such as `application/json`.
  ///
  /// - Returns: nil for one that is not known, or whose type does not conform.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    let name = mimeType.lowercased()
    guard let entry = TypeTable.entries.first(where: { $0.mediaType == name }),
      TypeTable.type(entry.identifier, conformsTo: supertype.identifier)
    else { return nil }
    self.init(known: entry.identifier)
  }

  /// A type that the bundle declares; the declaration is not read.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(known: identifier)
  }

  /// A type that another bundle declares; the declaration is not read.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(known: identifier)
  }

  /// The extension that new files of this type get.
  public var preferredFilenameExtension: String? {
    TypeTable.entry(of: identifier)?.pathExtensions.first
  }

  /// The media type.
  public var preferredMIMEType: String? {
    guard let type = TypeTable.entry(of: identifier)?.mediaType, !type.hasSuffix("*") else {
      return nil
    }
    return type
  }

  /// The identifier.
  public var description: String { identifier }

  /// Whether this type conforms to another.
  public func conforms(to type: UTType) -> Bool {
    TypeTable.type(identifier, conformsTo: type.identifier)
  }

  /// Whether this type conforms to another one and differs from it.
  public func isSubtype(of type: UTType) -> Bool { self != type && conforms(to: type) }

  /// Whether another type conforms to this one and differs from it.
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }
}

extension UTType {
  /// The type `public.item`.
  public static var item: UTType { UTType(known: "public.item") }
  /// The type `public.content`.
  public static var content: UTType { UTType(known: "public.content") }
  /// The type `public.data`.
  public static var data: UTType { UTType(known: "public.data") }
  /// The type `public.directory`.
  public static var directory: UTType { UTType(known: "public.directory") }
  /// The type `public.folder`.
  public static var folder: UTType { UTType(known: "public.folder") }
  /// The type `public.url`.
  public static var url: UTType { UTType(known: "public.url") }
  /// The type `public.file-url`.
  public static var fileURL: UTType { UTType(known: "public.file-url") }
  /// The type `public.text`.
  public static var text: UTType { UTType(known: "public.text") }
  /// The type `public.plain-text`.
  public static var plainText: UTType { UTType(known: "public.plain-text") }
  /// The type `public.utf8-plain-text`.
  public static var utf8PlainText: UTType { UTType(known: "public.utf8-plain-text") }
  /// The type `public.json`.
  public static var json: UTType { UTType(known: "public.json") }
  /// The type `public.xml`.
  public static var xml: UTType { UTType(known: "public.xml") }
  /// The type `public.html`.
  public static var html: UTType { UTType(known: "public.html") }
  /// The type `public.css`.
  public static var css: UTType { UTType(known: "public.css") }
  /// The type `public.comma-separated-values-text`.
  public static var commaSeparatedText: UTType {
    UTType(known: "public.comma-separated-values-text")
  }
  /// The type `public.source-code`.
  public static var sourceCode: UTType { UTType(known: "public.source-code") }
  /// The type `com.netscape.javascript-source`.
  public static var javaScript: UTType { UTType(known: "com.netscape.javascript-source") }
  /// The type `com.apple.property-list`.
  public static var propertyList: UTType { UTType(known: "com.apple.property-list") }
  /// The type `public.image`.
  public static var image: UTType { UTType(known: "public.image") }
  /// The type `public.png`.
  public static var png: UTType { UTType(known: "public.png") }
  /// The type `public.jpeg`.
  public static var jpeg: UTType { UTType(known: "public.jpeg") }
  /// The type `com.compuserve.gif`.
  public static var gif: UTType { UTType(known: "com.compuserve.gif") }
  /// The type `public.tiff`.
  public static var tiff: UTType { UTType(known: "public.tiff") }
  /// The type `public.svg-image`.
  public static var svg: UTType { UTType(known: "public.svg-image") }
  /// The type `org.webmproject.webp`.
  public static var webP: UTType { UTType(known: "org.webmproject.webp") }
  /// The type `public.heic`.
  public static var heic: UTType { UTType(known: "public.heic") }
  /// The type `com.microsoft.ico`.
  public static var ico: UTType { UTType(known: "com.microsoft.ico") }
  /// The type `com.microsoft.bmp`.
  public static var bmp: UTType { UTType(known: "com.microsoft.bmp") }
  /// The type `com.apple.icns`.
  public static var icns: UTType { UTType(known: "com.apple.icns") }
  /// The type `com.adobe.pdf`.
  public static var pdf: UTType { UTType(known: "com.adobe.pdf") }
  /// The type `public.rtf`.
  public static var rtf: UTType { UTType(known: "public.rtf") }
  /// The type `public.movie`.
  public static var movie: UTType { UTType(known: "public.movie") }
  /// The type `public.audio`.
  public static var audio: UTType { UTType(known: "public.audio") }
  /// The type `public.archive`.
  public static var archive: UTType { UTType(known: "public.archive") }
  /// The type `public.zip-archive`.
  public static var zip: UTType { UTType(known: "public.zip-archive") }
  /// The type `org.gnu.gnu-zip-archive`.
  public static var gzip: UTType { UTType(known: "org.gnu.gnu-zip-archive") }
}

extension NSItemProvider {
  /// The known types of the representations, in the order of registration.
  public var registeredContentTypes: [UTType] {
    registeredTypeIdentifiers.compactMap { UTType($0) }
  }
}

extension URL {
  /// The URL with the type's extension added, unless it has it.
  public func appendingPathExtension(for contentType: UTType) -> URL {
    guard let suffix = contentType.preferredFilenameExtension, pathExtension != suffix else {
      return self
    }
    return appendingPathExtension(suffix)
  }
}
