import Foundation
import TestSupport
import Testing

@Suite("tickbird preview", .serialized)
struct PreviewCommandTests {
  private static let isBrowserMissing =
    !["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }

  private static let list = #"""
    [{"trigger": {"url-filter": "ads\\.example", "load-type": ["third-party"]},
      "action": {"type": "block"}},
     {"trigger": {"url-filter": "ok\\.js"}, "action": {"type": "ignore-previous-rules"}},
     {"trigger": {"url-filter": ".*", "if-domain": ["*shop.example"]},
      "action": {"type": "css-display-none", "selector": ".ad"}}]
    """#

  private func report(_ arguments: [String], in folder: URL) throws -> [String: Any] {
    let result = try Command.run(["preview", "--format", "json"] + arguments, in: folder)
    #expect(result.status == 0, "\(result.error)")
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return try #require(object as? [String: Any])
  }

  private func outcomes(_ report: [String: Any]) -> [String: String] {
    let requests = report["requests"] as? [[String: Any]] ?? []
    return Dictionary(
      requests.compactMap { request in
        (request["url"] as? String).map { ($0, request["outcome"] as? String ?? "") }
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  @Test(
    "a saved page is shown without network",
    .disabled(if: isBrowserMissing, "Chromium is missing")
  )
  func savedPage() throws {
    let scratch = try Scratch()
    try scratch.file("list.json", Self.list)
    try scratch.file("style.css", "body { height: 3000px }")
    try scratch.file(
      "page.html",
      """
      <!doctype html><title>A &lt;page></title><link rel="stylesheet" href="style.css">
      <p class="ad" style="width:300px;height:50px">Buy</p><p class="ad" hidden>…</p>
      <script src="https://cdn.ads.example/a.js"></script>
      <script src="https://cdn.ads.example/ok.js"></script><iframe src="inner.html"></iframe>
      <script>
      new WebSocket("wss://ads.example/live"); new WebSocket("wss://chat.example/live")
      </script>
      """
    )
    try scratch.file(
      "inner.html",
      "<img src='https://ads.example/i.png'><p class='ad' style='height:30px'>In the frame</p>"
    )
    let url = "https://www.shop.example/dir/page.html"
    let report = try report(
      ["--list", "list.json", "page.html", "--page", url],
      in: scratch.folder
    )
    #expect(report["page"] as? String == url)
    #expect(report["title"] as? String == "A <page>")
    #expect(
      outcomes(report) == [
        url: "loaded", "https://www.shop.example/dir/style.css": "loaded",
        "https://cdn.ads.example/a.js": "BLOCKED", "https://cdn.ads.example/ok.js": "not saved",
        "https://www.shop.example/dir/inner.html": "loaded", "https://ads.example/i.png": "BLOCKED",
        "wss://ads.example/live": "BLOCKED", "wss://chat.example/live": "not saved",
      ]
    )
    let hidden = try #require((report["hidden"] as? [[String: Any]])?.first)
    #expect(hidden["selector"] as? String == ".ad")
    #expect(hidden["elements"] as? Int == 3)

    let written = try Command.run(
      ["preview", "--list", "list.json", "page.html", "--page", url, "-o", "report.html"],
      in: scratch.folder
    )
    #expect(written.status == 0)
    #expect(written.output.hasPrefix("report.html: 8 requests, 3 blocked, "))
    let html = try String(
      contentsOf: scratch.folder.appending(path: "report.html"),
      encoding: .utf8
    )
    #expect(html.components(separatedBy: "<img ").count == 3)
    #expect(html.components(separatedBy: "class=\"box\"").count == 3)
    #expect(!html.contains("<script"))
    #expect(html.utf8.count < 400_000)
  }

  @Test(
    "a page of the network is visited twice",
    .disabled(if: isBrowserMissing, "Chromium is missing")
  )
  func network() throws {
    let python = "/usr/bin/python3"
    guard FileManager.default.isExecutableFile(atPath: python) else { return }
    let scratch = try Scratch()
    let site = scratch.folder.appending(path: "site")
    try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
    let server = Process()
    server.executableURL = URL(filePath: python)
    server.arguments = ["-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
    server.currentDirectoryURL = site
    let pipe = Pipe()
    server.standardOutput = pipe
    server.standardError = FileHandle.nullDevice
    try server.run()
    defer { server.terminate() }
    let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(line.firstMatch(of: /port ([0-9]+)/)?.output.1)
    // Names below localhost are this machine's.
    try scratch.file(
      "site/index.html",
      """
      <!doctype html><title>Shop</title><p class="ad">Ad</p>
      <script src="http://ads.localhost:\(port)/big.js"></script>
      """
    )
    try scratch.file(
      "site/big.js",
      "new Image().src = '/from-script.png';" + String(repeating: "/", count: 50_000)
    )
    try scratch.file(
      "list.json",
      #"[{"trigger":{"url-filter":"ads\\.localhost"},"action":{"type":"block"}}]"#
    )
    let page = "http://shop.localhost:\(port)/"
    let report = try report(["--list", "list.json", page], in: scratch.folder)
    #expect(
      outcomes(report) == [
        page: "loaded", "http://ads.localhost:\(port)/big.js": "BLOCKED",
        "http://shop.localhost:\(port)/from-script.png": "not requested",
      ]
    )
    let bytes = try #require(report["bytes"] as? [String: Int])
    #expect((bytes["without"] ?? 0) - (bytes["with"] ?? 0) > 50_000)
    let closed = try Command.run(
      ["preview", "--list", "list.json", "--format", "json", "http://127.0.0.1:\(port)1/"],
      in: scratch.folder
    )
    #expect(closed.status == 2)
  }

  @Test(
    "an interrupted preview leaves no browser and no profile",
    .disabled(if: isBrowserMissing, "Chromium is missing")
  )
  func interruption() throws {
    let scratch = try Scratch()
    try scratch.file("list.json", Self.list)
    try scratch.file(
      "page.html",
      "<script>setInterval(() => fetch('/x' + Math.random()), 50)</script>"
    )
    // Short, because Chromium has a socket in it.
    let temporary = URL(filePath: "/tmp/tb-\(UInt32.random(in: 1...UInt32.max))")
    defer { try? FileManager.default.removeItem(at: temporary) }
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    let process = Process()
    let executable: URL = try #require(Command.executable, "the command is not built")
    process.executableURL = executable
    process.arguments = ["preview", "--list", "list.json", "page.html", "-o", "report.html"]
    process.currentDirectoryURL = scratch.folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TMPDIR": temporary.path]) { $1 }
    process.standardError = FileHandle.nullDevice
    try process.run()
    var profiles: [String] = []
    for _ in 0..<200 where profiles.isEmpty {
      usleep(50_000)
      profiles = try FileManager.default.contentsOfDirectory(atPath: temporary.path)
    }
    #expect(profiles.count == 1)
    usleep(300_000)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    let left = try FileManager.default.subpathsOfDirectory(atPath: temporary.path)
    #expect(left.isEmpty)
    #expect(
      !FileManager.default.fileExists(atPath: scratch.folder.appending(path: "report.html").path)
    )
  }

  @Test("a network log needs no browser")
  func log() throws {
    let scratch = try Scratch()
    try scratch.file("list.json", Self.list)
    try scratch.file(
      "page.har",
      #"{"log":{"entries":[{"_resourceType":"document","request":{"url":"https://shop.example/"},"response":{"status":200,"bodySize":5}},{"_resourceType":"image","request":{"url":"https://ads.example/i.png","headers":[{"name":"Referer","value":"https://shop.example/"}]},"response":{"status":200,"bodySize":7}}]}}"#
    )
    let report = try report(["--list", "list.json", "--har", "page.har"], in: scratch.folder)
    #expect(
      outcomes(report) == [
        "https://shop.example/": "loaded", "https://ads.example/i.png": "BLOCKED",
      ]
    )
    #expect(report["bytes"] as? [String: Int] == ["without": 12, "with": 5])
    try scratch.file("bare.har", #"{"log":{"entries":[{"request":{}}]}}"#)
    for arguments in [["preview", "--har", "bare.har"], ["test", "--record", "bare.har"]] {
      let bare = try Command.run(arguments + ["--list", "list.json"], in: scratch.folder)
      #expect(bare.status == 2)
      #expect(bare.error.contains("no entry of bare.har has a URL"), "\(bare.error)")
    }
    let missing = try Command.run(
      ["preview", "--list", "list.json", "https://shop.example/"],
      in: scratch.folder,
      variables: ["TICKBIRD_CHROMIUM": "/nowhere"]
    )
    #expect(missing.status == 2)
    #expect(missing.error.contains("--har FILE works without a browser"))
  }

  @Test(
    "wrong use is told",
    arguments: [
      ([], "Give a URL, a saved page"), (["a.html", "--har", "x"], "not both"),
      (["--har", "x", "--page", "https://a.test/"], "leave out --page"),
      (["a.html", "--page", "x"], "is not an http or https URL"),
      (["a.html", "--timeout", "0"], "--timeout is"),
      (["ftp://a.test/"], "is not an http or https URL"),
      (["nofile.html"], "there is no file nofile.html"), (["--har", "nofile"], "there is no file"),
    ]
  )
  func wrongUse(_ arguments: [String], _ words: String) throws {
    let scratch = try Scratch()
    try scratch.file("list.json", Self.list)
    let result = try Command.run(
      ["preview", "--list", "list.json"] + arguments,
      in: scratch.folder
    )
    #expect(result.status == 2)
    #expect(result.error.contains(words), "\(result.error)")
  }
}
