internal import Hummingbird
internal import NIOCore

/// Files that pages use.
///
/// They are texts in the program, so that it works wherever it is put.
enum Assets {
  static func add(to routes: Routes) {
    add("/style.css", "text/css; charset=utf-8", StyleSheet.text, to: routes)
    add("/stream.js", "text/javascript; charset=utf-8", Scripts.stream, to: routes)
    add("/rules.js", "text/javascript; charset=utf-8", Scripts.rules, to: routes)
    add("/icon.svg", "image/svg+xml", icon, to: routes)
  }

  private static func add(_ path: String, _ type: String, _ text: String, to routes: Routes) {
    routes.router.get(RouterPath(routes.site.base + path)) { _, _ in
      Response(
        status: .ok,
        headers: [.contentType: type],
        body: .init(byteBuffer: ByteBuffer(string: text))
      )
    }
  }

  /// The same bird as the extension's, whose colours the pages have too.
  private static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="1" y="1" width="30" \
    height="30" rx="7" fill="#3b5b8c"/><path d="M6 20.5c0-6 4.3-10.5 10-10.5 2.6 0 4.7.8 6.3 \
    2.2l4.7-.2-2.8 3.2c.3 1 .4 2 .3 3-.5 4.7-4.3 7.8-9.3 7.8-2.6 0-4.8-.7-6.4-2L5 25z" \
    fill="#fff"/><circle cx="20.5" cy="14.8" r="1.5" fill="#3b5b8c"/><path d="M11 19.5c2.5 2 5.5 2 \
    8-.5" fill="none" stroke="#3b5b8c" stroke-width="1.6" stroke-linecap="round"/></svg>
    """
}
