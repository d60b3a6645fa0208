package import CommandInput
internal import Foundation
internal import WebURL

/// A page that was saved, with what belongs to it; all answers come from it, and none from the network.
package struct PageArchive: Sendable {
  /// A saved answer.
  package struct Resource: Sendable {
    package var mediaType: String
    package var bytes: [UInt8]
  }

  /// The page's URL.
  package private(set) var url: String
  /// Answers by URL.
  private var resources: [String: Resource] = [:]
  /// The folder of the files beside the page, without symbolic links, and the URL that it stands for.
  private var folder: (path: String, url: String)?

  private static let fileLimit = 64 << 20
  /// The most bytes of an archive in one file.
  private static let archiveLimit = 256 << 20

  /// Opens an HTML file, a folder with an `index.html`, or an MHTML file.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - page: The page's URL; without it, that of an MHTML file is the one in it, and that of a file
  ///     is `https://page.example/` with its name.
  /// - Throws: `InputError` if it cannot be read, or is no page.
  package init(path: String, page: String?) throws(InputError) {
    var isFolder: ObjCBool = false
    let file =
      unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue ? path + (path.hasSuffix("/") ? "" : "/") + "index.html" : path
    guard ByteInput.identity(path: file) != nil else {
      throw InputError(
        FileManager.default.fileExists(atPath: file)
          ? "\(file) is not a plain file; give an HTML file, a folder with an index.html, or MHTML"
          : "there is no file \(file); give a URL, an HTML file, a folder with an index.html, or MHTML"
      )
    }
    let bytes = try ByteInput(path: file).readAll(limit: Self.archiveLimit)
    if let parts = MHTML.parts(of: bytes) {
      guard let first = parts.first else {
        throw InputError("\(file) is MHTML without any part; save the page again")
      }
      // A page of the browser's own, such as chrome://version, is not what anybody has saved.
      let isOfWeb = WebURL(first.url).map { ["http", "https"].contains($0.scheme) } ?? false
      url = page ?? (isOfWeb ? first.url : Self.url(ofFile: file))
      for part in parts {
        resources[part.url] =
          resources[part.url] ?? Resource(mediaType: part.mediaType, bytes: part.bytes)
      }
      resources[url] = Resource(mediaType: first.mediaType, bytes: first.bytes)
      return
    }
    let parent = URL(fileURLWithPath: file).deletingLastPathComponent().resolvingSymlinksInPath()
      .path
    let target = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    // A link in a folder of unknown origin would make the folder that it leads to the page's.
    guard target.hasPrefix(parent.hasSuffix("/") ? parent : parent + "/") else {
      throw InputError("\(file) is a link to a file outside of its folder; give \(target) itself")
    }
    if let obstacle = PageObstacle.find(in: bytes) { throw InputError("\(file) \(obstacle)") }
    url = page.map { String($0.prefix { $0 != "#" }) } ?? Self.url(ofFile: file)
    resources[url] = Resource(mediaType: "text/html", bytes: bytes)
    let bare = url.prefix { $0 != "?" }
    // A host without a path has the root as its folder.
    let end = bare.firstRange(of: "://").flatMap { scheme in
      bare[scheme.upperBound...].utf8.contains(UInt8(ascii: "/")) ? bare.lastIndex(of: "/") : nil
    }
    folder = (parent, end.map { String(bare[...$0]) } ?? bare + "/")
    if page != nil, !url.hasSuffix("/"), end == nil {
      resources[url + "/"] = resources[url]
    }
  }

  /// Returns the URL of a file of which no other is known.
  private static func url(ofFile path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? "page.html"
    return "https://page.example/" + PercentEncoding.encode(name, keeping: "!$&'()*+,-./=@_~")
  }

  /// Returns the answer for a URL without its fragment; `nil` if the archive has none.
  package func resource(at url: String) -> Resource? {
    if let known = resources[url] { return known }
    guard let folder, url.hasPrefix(folder.url) else { return nil }
    let relative = url.dropFirst(folder.url.count).prefix { $0 != "?" }
    guard let name = PercentEncoding.decodeStrictly(relative), !name.isEmpty,
      !name.utf8.contains(0)
    else { return nil }
    // Also through links, nothing outside of the folder is read.
    let path = URL(fileURLWithPath: folder.path + "/" + name).standardizedFileURL
      .resolvingSymlinksInPath().path
    guard path.hasPrefix(folder.path + "/"), ByteInput.identity(path: path) != nil,
      let bytes = try? ByteInput(path: path).readAll(limit: Self.fileLimit)
    else { return nil }
    return Resource(mediaType: Self.mediaType(of: path), bytes: bytes)
  }

  private static let mediaTypes = [
    "html": "text/html", "htm": "text/html", "css": "text/css", "js": "text/javascript",
    "mjs": "text/javascript", "json": "application/json", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "avif": "image/avif", "ico": "image/x-icon", "woff": "font/woff",
    "woff2": "font/woff2", "ttf": "font/ttf", "mp4": "video/mp4", "webm": "video/webm",
    "mp3": "audio/mpeg", "txt": "text/plain", "xml": "text/xml",
  ]

  private static func mediaType(of path: String) -> String {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return mediaTypes[ending] ?? "application/octet-stream"
  }
}
