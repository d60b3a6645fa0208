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

  /// A tick on a leaf-green ground.
  private static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" \
    fill="#2f6b4f"/><path d="M8 17l6 6 10-13" fill="none" stroke="#fff" stroke-width="3.6" \
    stroke-linecap="round" stroke-linejoin="round"/></svg>
    """
}
