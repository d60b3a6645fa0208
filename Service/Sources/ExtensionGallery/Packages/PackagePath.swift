internal import Foundation

/// Checks paths inside a bundle or a gallery: each has to mean the same file on every system, and
/// never one outside.
enum PackagePath {
  /// Returns why a path is refused; nil if it is valid.
  ///
  /// A path has 1 to 32 components of 1 to 255 bytes, separated by `/`, and at most 1024 bytes in
  /// all. No component is `.` or `..`, and no character is a control character, a format character,
  /// a line separator, an invisible letter or a backslash.
  static func fault(_ path: String) -> String? {
    guard !path.isEmpty else { return "it is empty" }
    guard path.utf8.count <= 1024 else { return "it is over 1024 bytes long" }
    if path.utf8.first == UInt8(ascii: "/") { return "it is absolute" }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= 32 else { return "it has more than 32 parts" }
    for part in parts {
      if part.isEmpty { return "it has an empty part" }
      if part.count > 255 { return "a part is over 255 bytes long" }
      if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) {
        return "it has a part . or .."
      }
    }
    if path.utf8.contains(UInt8(ascii: "\\")) { return "it has a backslash" }
    if !isPlain(path) { return "it has a control or format character, or an invisible letter" }
    return nil
  }

  /// Returns whether a text can be shown on one line as it is, with no invisible characters but those that
  /// choose the form of the one before, as in emoji.
  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
      case .nonspacingMark: true
      // Letters that stand for none, as Hangul's fillers.
      default: !scalar.properties.isDefaultIgnorableCodePoint
      }
    }
  }

  /// Folds case and Unicode composition, as case-insensitive file systems do.
  static func folded(_ path: String) -> String {
    path.precomposedStringWithCompatibilityMapping.lowercased()
      .precomposedStringWithCompatibilityMapping
  }

  /// Percent-encodes a path for a URL.
  static func percentEncoded(_ path: String) -> String {
    path.split(separator: "/")
      .map { $0.addingPercentEncoding(withAllowedCharacters: unreserved) ?? String($0) }
      .joined(separator: "/")
  }

  /// RFC 3986, section 2.3.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  )
}

/// Finds paths that are the same on some file system, and files that are also folders.
struct PathSet {
  private enum Kind { case file, folder }
  private var seen: [String: (spelling: String, kind: Kind)] = [:]
  /// Caches folders by their bytes, so that each is folded once however many files it contains.
  private var folders: Set<[UInt8]> = []

  init() {}

  /// Inserts the path of a file.
  ///
  /// - Throws: ``GalleryError`` with code `.duplicatePath`.
  mutating func insert(_ path: String, what: String) throws {
    var end = path.startIndex
    while let slash = path.utf8[end...].firstIndex(of: UInt8(ascii: "/")) {
      if folders.insert(Array(path.utf8[..<slash])).inserted {
        try add(String(path[..<slash]), .folder, what)
      }
      end = path.utf8.index(after: slash)
    }
    try add(path, .file, what)
  }

  private mutating func add(_ path: String, _ kind: Kind, _ what: String) throws {
    let folded = PackagePath.folded(path)
    if let other = seen[folded] {
      // Compares bytes: == ignores differences in composition.
      let isSame = other.spelling.utf8.elementsEqual(path.utf8)
      guard isSame, kind == .folder, other.kind == .folder else {
        throw GalleryError(
          .duplicatePath,
          "\(what): \"\(other.spelling)\" and \"\(path)\" would be one file on some systems"
        )
      }
      return
    }
    seen[folded] = (path, kind)
  }
}
