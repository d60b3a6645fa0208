import Foundation
import TestSupport
import Testing

/// Pages that are difficult to look at, and those that mean harm.
@Suite("tickbird preview of difficult pages", .serialized)
struct PreviewPageTests {
  private static let list = #"""
    [{"trigger": {"url-filter": "tracker"}, "action": {"type": "block"}},
     {"trigger": {"url-filter": ".*"}, "action": {"type": "css-display-none", "selector": ".ad"}}]
    """#

  private func report(
    _ arguments: [String],
    in scratch: Scratch,
    browser: String? = nil
  ) throws -> [String: Any] {
    try scratch.file("list.json", Self.list)
    let result = try Command.run(
      ["preview", "--format", "json", "--list", "list.json"] + arguments,
      in: scratch.folder,
      variables: browser.map { ["TICKBIRD_CHROMIUM": $0] } ?? [:]
    )
    #expect(result.status == 0, "\(result.error)")
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return try #require(object as? [String: Any])
  }

  /// Lines of the requests: outcome, type, URL without its origin, and the frame's path.
  private func lines(_ report: [String: Any]) -> [String] {
    let requests = report["requests"] as? [[String: Any]] ?? []
    func path(_ url: Any?) -> String { (url as? String).flatMap { URL(string: $0)?.path } ?? "-" }
    return requests.map {
      "\($0["outcome"] as? String ?? "") \($0["type"] as? String ?? "") \(path($0["url"])) "
        + path($0["frame"])
    }.sorted()
  }

  @Test(
    "what workers of all kinds ask for is decided, and frames within frames are looked into",
    .enabled(if: LocalServer.canBeVisited, "Chromium or python3 is not installed")
  )
  func workersAndFrames() throws {
    let scratch = try Scratch()
    let server = try LocalServer(scratch.folder)
    func site(_ name: String) -> String { "http://\(name).localhost:\(server.port)" }
    try scratch.file(
      "index.html",
      """
      <!doctype html><title>Shop</title><p class="ad">1</p>
      <iframe src="\(site("video"))/outer.html" width="500" height="400"></iframe>
      <script>
      new Worker("worker.js"); new SharedWorker("shared.js");
      navigator.serviceWorker.register("service.js");
      </script>
      """
    )
    try scratch.file(
      "outer.html",
      "<p class=\"ad\">2</p><iframe src=\"\(site("shop"))/inner.html\"></iframe>"
    )
    try scratch.file("inner.html", "<p class=\"ad\">3</p><script>new Worker('deep.js')</script>")
    try scratch.file("worker.js", "importScripts('imported-tracker.js'); fetch('/a-tracker')")
    try scratch.file("imported-tracker.js", "")
    try scratch.file("deep.js", "fetch('/b-tracker')")
    try scratch.file("shared.js", "fetch('/c-tracker')")
    try scratch.file("service.js", "oninstall = e => e.waitUntil(fetch('/d-tracker'))")
    let report = try report([site("shop") + "/"], in: scratch)
    let lines = lines(report)
    for line in [
      "BLOCKED fetch /a-tracker -", "BLOCKED fetch /b-tracker /inner.html",
      "BLOCKED fetch /c-tracker -", "BLOCKED fetch /d-tracker -", "loaded other /worker.js -",
      "loaded other /shared.js -", "loaded other /service.js -",
      "loaded other /deep.js /inner.html",
    ] {
      #expect(lines.contains(line), "\(line) is not in \(lines)")
    }
    let hidden = try #require((report["hidden"] as? [[String: Any]])?.first)
    #expect(hidden["elements"] as? Int == 3)
    _ = try Command.run(
      ["preview", "--list", "list.json", site("shop") + "/", "-o", "report.html"],
      in: scratch.folder
    )
    let html = try String(
      contentsOf: scratch.folder.appending(path: "report.html"),
      encoding: .utf8
    )
    #expect(html.components(separatedBy: "class=\"box\"").count == 4)
  }

  @Test(
    "a page whose scripts do not end is shown as far as it came, in its time",
    .enabled(if: LocalServer.canBeVisited, "Chromium or python3 is not installed"),
    arguments: ["while (true) alert(1)", "location.href = '?' + Math.random()"]
  )
  func endless(_ script: String) throws {
    let scratch = try Scratch()
    try scratch.file("page.html", "<!doctype html><h1>Shop</h1><script>\(script)</script>")
    let start = ContinuousClock.now
    let report = try report(["page.html", "--timeout", "1"], in: scratch)
    // The last of its addresses may be cut off by the end of the time.
    #expect(lines(report).contains("loaded top-document /page.html -"), "\(report)")
    #expect(ContinuousClock.now - start < .seconds(120))
  }

  @Test(
    "a saved page reaches nobody by WebRTC either",
    .enabled(if: LocalServer.canBeVisited, "Chromium or python3 is not installed")
  )
  func noPeers() throws {
    let scratch = try Scratch()
    let ear = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    #expect(ear >= 0)
    defer { close(ear) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        unsafe bind(ear, plain, size) == 0 && getsockname(ear, plain, &size) == 0
      }
    }
    try #require(isBound)
    let port = UInt16(bigEndian: address.sin_port)
    try scratch.file(
      "page.html",
      """
      <!doctype html><script>
      const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:\(port)" }] });
      peer.createDataChannel("a");
      peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      </script>
      """
    )
    _ = try report(["page.html"], in: scratch)
    var bytes: [UInt8] = [0]
    let heard = unsafe recv(ear, &bytes, 1, Int32(MSG_DONTWAIT))
    #expect(heard == -1, "Chromium has asked a server of WebRTC")
  }

  @Test(
    "what does not come is not loaded, and Chromium's own error pages are no bytes of the page",
    .enabled(if: LocalServer.canBeVisited, "Chromium or python3 is not installed")
  )
  func failures() throws {
    let scratch = try Scratch()
    let server = try LocalServer(scratch.folder)
    try scratch.file(
      "index.html",
      "<iframe src=\"http://gone.invalid/frame\"></iframe><img src=\"http://gone.invalid/i.png\">"
    )
    try scratch.file(
      "page.html",
      """
      <!doctype html><iframe src="missing.html"></iframe>
      <script>new Worker(URL.createObjectURL(new Blob(["fetch('https://far.example/data')"])))</script>
      """
    )
    let visited = try report(["http://127.0.0.1:\(server.port)/"], in: scratch)
    for line in ["failed child-document /frame -", "failed image /i.png -"] {
      #expect(lines(visited).contains(line), "\(lines(visited))")
    }
    let saved = try report(["page.html", "--page", "https://shop.example/page.html"], in: scratch)
    for line in ["not saved child-document /missing.html -", "not saved fetch /data -"] {
      #expect(lines(saved).contains(line), "\(lines(saved))")
    }
    for report in [visited, saved] {
      let bytes = try #require(report["bytes"] as? [String: Int])
      #expect((bytes["without"] ?? 0) < 5_000, "\(bytes)")
    }
  }

  @Test(
    "a page of the internet does not bring the local network into the report",
    .enabled(if: LocalServer.canBeVisited, "Chromium or python3 is not installed")
  )
  func localNetwork() throws {
    let scratch = try Scratch()
    let server = try LocalServer(scratch.folder)
    let secret = "http://127.0.0.1:\(server.port)/secret.html"
    try scratch.file("secret.html", "<p class=\"ad\">secret</p>")
    try scratch.file("index.html", "<iframe src=\"\(secret)\"></iframe>")
    try scratch.file("moved.html", "<script>location.href = '\(secret)'</script>")
    // The server as one of the internet.
    let browser = try scratch.program(
      "browser",
      """
      #!/bin/sh
      exec chromium --host-resolver-rules="MAP far.example 127.0.0.1" "$@"
      """
    )
    for page in ["", "moved.html"] {
      let report = try report(
        ["http://far.example:\(server.port)/" + page],
        in: scratch,
        browser: browser.path
      )
      let type = page.isEmpty ? "child-document" : "top-document"
      #expect(lines(report).contains("not fetched \(type) /secret.html -"), "\(lines(report))")
      #expect((report["hidden"] as? [[String: Any]])?.first?["elements"] as? Int ?? 0 == 0)
    }
    // What a person asks for is shown.
    #expect(lines(try report([secret], in: scratch)) == ["loaded top-document /secret.html -"])
  }
}
