internal import WebURL

/// What an archive contains about one request.
struct HARRow {
  var url: WebURL
  /// The position in the archive.
  var place = 0
  var page: String?
  var method = "GET"
  /// `_resourceType`, in lower case.
  var resourceType: String?
  /// When the request began.
  var time: HARTime?
  /// `_initiator.type`, in lower case: `parser`, `script`, `other` and others.
  var initiatorType: String?
  /// The URLs of `_initiator`: of a document, a style sheet, or the scripts of its stack.
  var initiators: [WebURL] = []
  /// `Sec-Fetch-Dest`, in lower case.
  var destination: String?
  var accept: String?
  var contentType: String?
  var referrer: WebURL?
  var isScripted = false
  var isPing = false
  var isWebSocket = false
  /// Whether it is a prefetch for a possible navigation.
  var isPrefetch = false
  /// Whether it is part of a prerendered page.
  var isPrerender = false
  var redirect: WebURL?
  /// The response's media type, in lower case.
  var mediaType: String?

  init(url: WebURL) { self.url = url }
}
