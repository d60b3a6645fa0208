import BrowserDriving
import Foundation
import Testing

/// Two web extensions of the same files, with one application id, in one browser.
struct TwinExtensions {
  let kind: BrowserKind
  private static let identifiers = ["com.example.first", "com.example.second"]

  init(_ kind: BrowserKind) { self.kind = kind }

  private static let handler = """
    import SafariServices

    class SafariWebExtensionHandler: NSObject, NSExtensionRequestHandling {
      func beginRequest(with context: NSExtensionContext) {
        let item = context.inputItems.first as? NSExtensionItem
        let message = item?.userInfo?[SFExtensionMessageKey] as? [String: Any] ?? [:]
        let own = Bundle.main.bundleIdentifier ?? ""
        let defaults = UserDefaults.standard
        let count = defaults.integer(forKey: "count") + 1
        defaults.set(count, forKey: "count")
        let response = NSExtensionItem()
        response.userInfo = [
          SFExtensionMessageKey: [
            "own": own, "count": count, "request": message["request"] ?? NSNull(),
            "hasProfile": item?.userInfo?[SFExtensionProfileKey] != nil,
          ]
        ]
        guard message["request"] as? String == "dispatch" else {
          context.completeRequest(returningItems: [response], completionHandler: nil)
          return
        }
        SFSafariApplication.dispatchMessage(
          withName: "hello",
          toExtensionWithIdentifier: own,
          userInfo: ["from": own, "numbers": [1, 2.5], "nothing": NSNull()]
        ) { _ in
          context.completeRequest(returningItems: [response], completionHandler: nil)
        }
      }
    }
    """

  private static let background = """
    const { runtime } = browser;
    const heard = [];
    const port = runtime.connectNative("com.example.one-app");
    port.onMessage.addListener((message) => heard.push(message));
    runtime.onMessage.addListener((request, sender, answer) => {
      if (request === "heard") {
        answer(heard);
        return false;
      }
      runtime.sendNativeMessage("com.example.one-app", { request }).then(answer);
      return true;
    });
    """

  /// Shows in the page what each is told, by the extension's id.
  private static let content = """
    addEventListener("ask", async ({ detail }) => {
      const answer = await new Promise((done) => browser.runtime.sendMessage(detail, done));
      const list = JSON.parse(document.documentElement.dataset.answers ?? "[]");
      list.push(answer);
      document.documentElement.dataset.answers = JSON.stringify(list);
    });
    document.documentElement.dataset.ready = Number(document.documentElement.dataset.ready ?? 0) + 1;
    """

  private static let manifest = """
    {
      "manifest_version": 3, "name": "Twin", "version": "1.0",
      "permissions": ["nativeMessaging", "storage"],
      "background": { "scripts": ["background.js"], "persistent": false },
      "content_scripts": [{ "matches": ["<all_urls>"], "js": ["content.js"] }],
      "key": "one key", "browser_specific_settings": { "gecko": { "id": "twin@example.com" } }
    }
    """

  /// The bundles, of which the handler is built once.
  private static let bundles = Result<[URL], any Error> {
    guard let command = RecordedLog.command else { throw DrivingError("tickbird is not built") }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-twins-\(UUID().uuidString)", directoryHint: .isDirectory)
    let project = folder.appending(path: "Twin", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Tool.run([
      // It makes its folder in the working one.
      "/usr/bin/env", "-C", folder.path, command.path, "extension", "new", "--template",
      "web-extension", "--tickbird", Session.packageRoot.path, "Twin",
    ])
    let resources = project.appending(path: "Resources")
    try FileManager.default.removeItem(at: resources.appending(path: "_locales"))
    for (path, text) in [
      "Sources/Twin/SafariWebExtensionHandler.swift": handler,
      "Resources/background.js": background, "Resources/content.js": content,
      "Resources/manifest.json": manifest,
    ] {
      try Data(text.utf8).write(to: project.appending(path: path))
    }
    let output = try Tool.run([command.path, "extension", "build", project.path])
    guard let path = output.split(separator: "\n").last(where: { $0.hasSuffix(".appex") }) else {
      throw DrivingError("tickbird extension build names no bundle: \(output)")
    }
    return try identifiers.map { identifier in
      let copy = folder.appending(path: "\(identifier)/Twin.appex", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try FileManager.default.copyItem(at: URL(filePath: String(path)), to: copy)
      let file = copy.appending(path: "Info.plist")
      let text = try String(contentsOf: file, encoding: .utf8)
      let own = text.replacingOccurrences(of: "com.example.Twin", with: identifier)
      guard own != text else { throw DrivingError("the bundle has another identifier: \(text)") }
      try Data(own.utf8).write(to: file)
      return copy
    }
  }

  /// Each gets the answers of its own handler, and what its own app dispatches, and nothing else.
  func areApart() throws {
    Session.closeAll()
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-twins-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = Service(home: folder)
    for (bundle, identifier) in zip(try Self.bundles.get(), Self.identifiers) {
      try service.run("extensions", "install", "--on", bundle.path)
      try service.run("browser", "add", identifier, kind.rawValue)
    }
    try service.start()
    defer { service.stop() }
    let halves = try Self.identifiers.map { try service.half(of: $0, in: kind) }
    let server = try LoopbackServer()
    server.answer { _ in .page("<p>Words") }
    var options = BrowserOptions(
      extensionFolder: halves[0].folder,
      proxyPort: server.port,
      folder: folder,
      nativeHost: nil,
      nativeHostName: "",
      extensionID: halves[0].id
    )
    options.otherExtensions = [halves[1].folder]
    options.extensionPage = "manifest.json"
    options.mayBlock = false
    let browser = try kind.start(options)
    defer { browser.close() }
    let tab = try browser.openTab()
    try browser.load("http://page.example/", in: tab)
    _ = try eventually("both content scripts run") {
      try browser.evaluate("document.documentElement.dataset.ready === '2'", in: tab) as? Bool
        == true
        ? true : nil
    }

    /// What both background scripts answer.
    func ask(_ request: String) throws -> [Any] {
      _ = try browser.evaluate(
        """
        (() => {
          document.documentElement.dataset.answers = "[]";
          dispatchEvent(new CustomEvent("ask", { detail: "\(request)" }));
          return true;
        })()
        """,
        in: tab
      )
      return try eventually("both answer \(request)") {
        let answers =
          try browser.evaluate("JSON.parse(document.documentElement.dataset.answers)", in: tab)
          as? [Any] ?? []
        return answers.count == 2 ? answers : nil
      }
    }
    func owners(_ answers: [Any]) -> [String] {
      answers.compactMap { ($0 as? [String: Any])?["own"] as? String }.sorted()
    }

    let answers = try ask("who")
    #expect(owners(answers) == Self.identifiers)
    for answer in answers.compactMap({ $0 as? [String: Any] }) {
      // Each with a container of its own: the other's request is not counted.
      #expect(answer["count"] as? Int == 1 && answer["request"] as? String == "who", "\(answer)")
      #expect(answer["hasProfile"] as? Bool == false)
    }
    #expect(try ask("heard").allSatisfy { ($0 as? [Any])?.isEmpty == true })
    #expect(owners(try ask("dispatch")) == Self.identifiers)
    let heard = try eventually("what the apps dispatch arrives") { () -> [[String: Any]]? in
      let lists = try ask("heard").compactMap { $0 as? [[String: Any]] }
      let all = lists.flatMap { $0 }
      return lists.count == 2 && all.count >= 2 ? all : nil
    }
    #expect(heard.count == 2)
    #expect(heard.allSatisfy { $0["name"] as? String == "hello" })
    let senders = heard.compactMap { ($0["userInfo"] as? [String: Any]) }
    #expect(senders.compactMap { $0["from"] as? String }.sorted() == Self.identifiers)
    #expect(senders.allSatisfy { $0["numbers"] as? [Double] == [1, 2.5] }, "\(senders)")
    // One message each: had one port taken both, the other list would be empty.
    #expect(try ask("heard").allSatisfy { ($0 as? [Any])?.count == 1 })
  }
}
