/// Help texts about loads that commands share; `Documentation/Loads.md` has everything.
enum LoadHelp {
  /// The defaults of absent fields.
  static let defaults = """
    Absent or empty fields have defaults. The page is about:blank, or the document itself for a \
    top-document. The frame is the page, or about:blank for a child-document. The context is \
    child-frame if the load is a child-document or its frame is another than the page, else \
    top-frame. The method is GET. Whether the load is first-party follows from the URLs. Fragments \
    of http and https URLs are removed, except those of popup, media (but not texttrack), ping and \
    csp-report; data: URLs are never blocked. See Documentation/Loads.md.
    """

  /// The words for types.
  static let types = """
    Types are top-document, child-document, image, style-sheet, script, font, svg-document, media, \
    popup, ping, fetch, websocket, other, csp-report; Chromium's stylesheet, xhr, texttrack, \
    manifest, eventsource, preflight, signedexchange; and document, which means top-document if \
    load_context is top-frame, or if it is absent and the URL is the page's, else child-document.
    """
}
