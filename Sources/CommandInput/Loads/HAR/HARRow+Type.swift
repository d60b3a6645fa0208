internal import ResourceLoads
internal import WebURL

extension HARRow {
  /// The type of the load, and whether it is a guess; any document counts as the page's own.
  ///
  /// The browser's word and the request take precedence over the response: an image stays one even
  /// if the response is a page.
  ///
  /// > Source: the rule language, section 8, for what each kind of load is to WebKit.
  var foundType: (type: ResourceType, isGuess: Bool) {
    // WebKit treats a prefetch as a document, whatever it is for.
    if isPrefetch { return (.topDocument, false) }
    if let told = asWorker ?? named ?? byDestination ?? byRequest ?? byAccept {
      return (told, false)
    }
    return (byMediaType ?? byExtension ?? .other, true)
  }

  /// Whether the request's document is for a frame instead of the page; `nil` if it does not say.
  var isInFrame: Bool? {
    if let destination, Self.frameDestinations.contains(destination) { return true }
    if destination == "document" { return false }
    switch resourceType {
    case "main_frame": return false
    case "subdocument", "sub_frame", "iframe", "frame": return true
    default: return nil
    }
  }

  /// Whether the browser calls it the text track of a video or a sound.
  var isTextTrack: Bool {
    resourceType == "texttrack" || resourceType == "track" || destination == "track"
  }

  private static let frameDestinations: Set = ["iframe", "frame", "object", "embed", "fencedframe"]

  /// The words of Chromium, Firefox and Safari.
  private var named: ResourceType? {
    switch resourceType {
    case "document", "main_frame", "subdocument", "sub_frame", "iframe", "frame": .topDocument
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
    case "websocket": .webSocket
    case "style", "xslt": .styleSheet
    case "image": .image
    case "audio", "video", "track": .media
    case "font": .font
    case "script": .script
    case "report": .cspReport
    case "manifest", "audioworklet", "paintworklet", "webidentity": .other
    default: nil
    }
  }

  /// Chromium calls a worker's script a script, WebKit does not.
  private var asWorker: ResourceType? {
    switch destination {
    case "worker", "sharedworker", "serviceworker": .other
    default: nil
    }
  }

  private var byRequest: ResourceType? {
    if isWebSocket || url.scheme == "ws" || url.scheme == "wss" { return .webSocket }
    if isPing || contentType?.hasPrefix("text/ping") == true { return .ping }
    if contentType?.hasPrefix("application/csp-report") == true
      || contentType?.hasPrefix("application/reports+json") == true
    {
      return .cspReport
    }
    if accept?.hasPrefix("text/event-stream") == true { return .other }
    return isScripted || destination == "empty" ? .fetch : nil
  }

  private var byMediaType: ResourceType? {
    guard let type = mediaType?.prefix(while: { $0 != ";" }) else { return nil }
    switch type {
    case "text/html", "application/xhtml+xml":
      // Scripts also fetch parts of pages, but only navigations accept HTML.
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
    if accept.hasPrefix("video/") || accept.hasPrefix("audio/") { return .media }
    if accept.hasPrefix("application/font-") || accept.hasPrefix("font/") { return .font }
    if accept.hasPrefix("application/manifest+json") { return .other }
    if accept.hasPrefix("application/json") { return .fetch }
    return nil
  }
}
