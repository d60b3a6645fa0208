/// What every command says about loads; `Documentation/Loads.md` is the whole of it.
enum LoadHelp {
  /// The meaning of what a description leaves out.
  static let defaults = """
    What is absent or empty: no page is about:blank; the frame is the page's, that of a \
    child-document is about:blank; a top-document is its own page; child-frame where the load is a \
    child-document or a frame other than the page is given, else top-frame; the method is GET; the \
    party follows from the URLs. Fragments of http and https URLs are taken off, but for a popup's, \
    and data: URLs are never blocked. See Documentation/Loads.md.
    """

  /// The words for types.
  static let types = """
    Types are top-document, child-document, image, style-sheet, script, font, svg-document, media, \
    popup, ping, fetch, websocket, other, csp-report; Chromium's stylesheet, xhr, texttrack, \
    manifest, eventsource, preflight, signedexchange; and document, which is one of the first two: \
    top-document if load_context is top-frame, or if it is absent and the URL is the page's.
    """
}
