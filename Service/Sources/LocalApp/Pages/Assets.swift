internal import Hummingbird
internal import NIOCore
internal import PageTexts

/// Files that pages use: how they look, their scripts, which everything works without, and the icon.
///
/// They are part of the program, so that it works wherever it is put.
enum Assets {
  static func add(to routes: Routes) {
    let style = SharedStyle.sheet(with: PackageResources.style_css)
    add("/style.css", "text/css; charset=utf-8", style, to: routes)
    add("/place.js", "text/javascript; charset=utf-8", PackageResources.place_js, to: routes)
    add("/stream.js", "text/javascript; charset=utf-8", PackageResources.stream_js, to: routes)
    add("/rules.js", "text/javascript; charset=utf-8", PackageResources.rules_js, to: routes)
    add("/icon.svg", "image/svg+xml", PackageResources.icon_svg, to: routes)
  }

  private static func add(_ path: String, _ type: String, _ bytes: [UInt8], to routes: Routes) {
    routes.router.get(RouterPath(routes.site.base + path)) { _, _ in
      Response(
        status: .ok,
        headers: [.contentType: type],
        body: .init(byteBuffer: ByteBuffer(bytes: bytes))
      )
    }
  }
}
