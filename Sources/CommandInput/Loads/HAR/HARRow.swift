internal import ResourceLoads
internal import WebURL

/// What an archive tells about one request.
struct HARRow {
  var url: WebURL
  /// The place in the archive.
  var place = 0
  var page: String?
  var method = "GET"
  /// `_resourceType`, in lower case.
  var resourceType: String?
  /// `Sec-Fetch-Dest`, in lower case.
  var destination: String?
  var accept: String?
  var contentType: String?
  var referrer: WebURL?
  var isScripted = false
  var isPing = false
  var redirect: WebURL?
  /// The response's media type, in lower case.
  var mediaType: String?

  init(url: WebURL) { self.url = url }

  /// Whether the request says that its document is for a frame.
  var isInFrame: Bool {
    if let destination { return Self.frameDestinations.contains(destination) }
    return resourceType.map { Self.frameTypes.contains($0) } ?? false
  }

  /// The type of the load; any document counts as the page's own.
  ///
  /// > Source: the rule language, section 8, for what each kind of load is to WebKit.
  var guessedType: ResourceType {
    named ?? byDestination ?? byRequest ?? byMediaType ?? byExtension ?? byAccept ?? .other
  }

  private static let frameDestinations: Set = ["iframe", "frame", "object", "embed", "fencedframe"]
  private static let frameTypes: Set = ["subdocument", "sub_frame", "iframe", "frame"]

  /// The words of Chromium, Firefox and Safari.
  private var named: ResourceType? {
    switch resourceType {
    case "document", "main_frame", "subdocument", "sub_frame", "iframe", "frame", "prefetch":
      .topDocument
    case "stylesheet", "style", "css", "xslt": .styleSheet
    case "image", "img", "imageset": .image
    case "media", "audio", "video", "texttrack", "track": .media
    case "font": .font
    case "script", "javascript", "js": .script
    case "xhr", "xmlhttprequest", "fetch", "preflight": .fetch
    case "websocket": .webSocket
    case "ping", "beacon", "sendbeacon":
      // WebKit counts only hyperlink pings as pings.
      isPing || contentType?.hasPrefix("text/ping") == true ? .ping : .other
    case "cspviolationreport", "csp_report", "csp-report", "report": .cspReport
    case "eventsource", "manifest", "webmanifest", "signedexchange", "worker", "sharedworker",
      "serviceworker":
      .other
    default: nil
    }
  }

  private var byDestination: ResourceType? {
    switch destination {
    case "document", "iframe", "frame", "object", "embed", "fencedframe": .topDocument
    case "style", "xslt": .styleSheet
    case "image": .image
    case "audio", "video", "track": .media
    case "font": .font
    case "script": .script
    case "report": .cspReport
    case "worker", "sharedworker", "serviceworker", "manifest", "audioworklet", "paintworklet",
      "webidentity":
      .other
    default: nil
    }
  }

  private var byRequest: ResourceType? {
    if url.scheme == "ws" || url.scheme == "wss" { return .webSocket }
    if isPing || contentType?.hasPrefix("text/ping") == true { return .ping }
    if contentType?.hasPrefix("application/csp-report") == true
      || contentType?.hasPrefix("application/reports+json") == true
    {
      return .cspReport
    }
    return isScripted || destination == "empty" ? .fetch : nil
  }

  private var byMediaType: ResourceType? {
    guard let type = mediaType?.prefix(while: { $0 != ";" }) else { return nil }
    switch type {
    case "text/html", "application/xhtml+xml":
      // Scripts ask for pieces of pages, too; only documents say that they would take a page.
      return accept.map { $0.contains("text/html") } ?? true ? .topDocument : .fetch
    case "text/css": return .styleSheet
    case "application/json", "application/xml", "text/xml": return .fetch
    case "text/event-stream", "application/manifest+json": return .other
    case "application/vnd.ms-fontobject": return .font
    default:
      if type.hasPrefix("image/") { return .image }
      if type.hasPrefix("audio/") || type.hasPrefix("video/") { return .media }
      if type.hasPrefix("font/") || type.contains("font-") { return .font }
      if type.hasSuffix("javascript") || type.hasSuffix("ecmascript") { return .script }
      return nil
    }
  }

  private var byExtension: ResourceType? {
    let name = url.path.utf8.suffix(12)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    switch String(decoding: name[name.index(after: dot)...], as: UTF8.self).lowercased() {
    case "css": return .styleSheet
    case "js", "mjs": return .script
    case "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp": return .image
    case "woff", "woff2", "ttf", "otf", "eot": return .font
    case "mp3", "mp4", "m4a", "m4v", "ogg", "oga", "ogv", "webm", "wav", "m3u8", "vtt":
      return .media
    case "html", "htm", "xhtml": return .topDocument
    case "json": return .fetch
    default: return nil
    }
  }

  private var byAccept: ResourceType? {
    guard let accept else { return nil }
    if accept.hasPrefix("text/html") { return .topDocument }
    if accept.hasPrefix("text/css") { return .styleSheet }
    if accept.hasPrefix("image/") { return .image }
    if accept.hasPrefix("text/event-stream") { return .other }
    if accept.hasPrefix("application/json") { return .fetch }
    return nil
  }
}
