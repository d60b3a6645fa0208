internal import Foundation

/// Firefox, driven by WebDriver BiDi.
final class Firefox: Browser {
  let kind = BrowserKind.firefox
  let extensionURL: String
  private let extensionPage: String?
  private let process: ChildProcess
  private let socket: WebSocketClient
  private var lastID = 0
  /// Gets what the browser says without being asked.
  var listener: (([String: Any]) throws -> Void)?
  /// A page of the extension, from which the background can be reached.
  private(set) var extensionTab: BrowserTab?
  private static let uuid = "2f3a1c52-7d0e-4b6a-9a51-0c7e5d7b9a10"

  /// Starts Firefox and installs the extension.
  init(_ options: BrowserOptions) throws {
    let profile = options.folder.appendingPathComponent("profile")
    try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
    try options.registerHost(
      in: options.folder.appendingPathComponent(".mozilla/native-messaging-hosts"),
      ["allowed_extensions": [options.extensionID]]
    )
    extensionPage = options.extensionPage
    extensionURL = "moz-extension://\(Self.uuid)/"
    let uuids = "{\\\"\(options.extensionID)\\\":\\\"\(Self.uuid)\\\"}"
    var preferences = [
      "extensions.webextensions.uuids": "\"\(uuids)\"",
      "network.proxy.type": "1",
      "network.proxy.allow_hijacking_localhost": "true",
      "network.proxy.no_proxies_on": "\"\(options.directHosts.joined(separator: ", "))\"",
      "network.dns.localDomains": "\"\(options.directHosts.joined(separator: ","))\"",
      "network.trr.mode": "5",
      "dom.security.https_first": "false",
      "dom.security.https_first_schemeless": "false",
      "security.mixed_content.upgrade_display_content": "false",
      "app.normandy.enabled": "false",
      "app.update.enabled": "false",
      "browser.safebrowsing.malware.enabled": "false",
      "browser.safebrowsing.phishing.enabled": "false",
      "browser.startup.homepage": "\"about:blank\"",
      "browser.newtabpage.enabled": "false",
      "datareporting.policy.dataSubmissionEnabled": "false",
      "network.captive-portal-service.enabled": "false",
      "network.connectivity-service.enabled": "false",
      "privacy.trackingprotection.enabled": "false",
      "services.settings.server": "\"data:,\"",
      "toolkit.telemetry.enabled": "false",
      // Being driven sets this to a value that takes what the system installs away again.
      "extensions.enabledScopes": "15",
    ]
    for scheme in ["http", "ssl"] {
      preferences["network.proxy.\(scheme)"] = "\"127.0.0.1\""
      preferences["network.proxy.\(scheme)_port"] = "\(options.proxyPort)"
    }
    preferences.merge(options.preferences) { $1 }
    let lines = preferences.map { "user_pref(\"\($0)\", \($1));" }.sorted()
    try Data(lines.joined(separator: "\n").utf8)
      .write(to: profile.appendingPathComponent("user.js"))
    let place = profile.appendingPathComponent("WebDriverBiDiServer.json")
    // One of an earlier start says nothing.
    try? FileManager.default.removeItem(at: place)
    process = try ChildProcess(
      options.command([
        BrowserKind.firefox.path, "--headless", "--no-remote", "--profile", profile.path,
        "--remote-debugging-port", "0", "--remote-allow-system-access", "--width", "1000",
        "--height", "800", options.startPage,
      ]),
      home: options.folder,
      log: options.folder.appendingPathComponent("browser.log")
    )
    do {
      let port = try eventually("Firefox listens") { () -> Int? in
        guard let data = try? Data(contentsOf: place),
          let server = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return nil }
        return server["ws_port"] as? Int
      }
      socket = try WebSocketClient(port: port, path: "/session")
    } catch {
      process.kill()
      throw error
    }
    let wanted: [String: Any] = [
      "acceptInsecureCerts": options.takesAnyCertificate,
      // Otherwise a page's alert would be closed at once.
      "unhandledPromptBehavior": ["default": "ignore"],
    ]
    _ = try call("session.new", ["capabilities": ["alwaysMatch": wanted]])
    if let folder = options.extensionFolder {
      let data = ["type": "path", "path": folder.path]
      _ = try call("webExtension.install", ["extensionData": data])
    } else if options.systemFolders.isEmpty {
      return
    }
    for folder in options.otherExtensions {
      let data = ["type": "path", "path": folder.path]
      _ = try call("webExtension.install", ["extensionData": data])
    }
    try openExtensionTab()
  }

  /// Opens the page from which the background can be reached.
  func openExtensionTab() throws {
    guard let extensionPage else { return }
    let tab = try openTab()
    try load(extensionURL + extensionPage, in: tab)
    extensionTab = tab
  }

  func quit() throws {
    _ = try call("browser.close", [:])
    guard process.hasEnded(within: 30) else { throw DrivingError("Firefox does not end") }
  }

  func close() { process.kill() }

  func openTab() throws -> BrowserTab {
    let answer = try call("browsingContext.create", ["type": "tab"])
    guard let context = answer["context"] as? String else {
      throw DrivingError("Firefox has opened no tab")
    }
    return BrowserTab(identifier: context, session: "")
  }

  func tab(at url: String) throws -> BrowserTab? {
    let tabs = try call("browsingContext.getTree", ["maxDepth": 0])["contexts"]
    let tab = (tabs as? [[String: Any]])?.first { $0["url"] as? String == url }
    return (tab?["context"] as? String).map { BrowserTab(identifier: $0, session: "") }
  }

  func closeTab(_ tab: BrowserTab) throws {
    _ = try call("browsingContext.close", ["context": tab.identifier])
  }

  func load(_ url: String, in tab: BrowserTab) throws {
    do {
      _ = try call(
        "browsingContext.navigate",
        ["context": tab.identifier, "url": url, "wait": "complete"]
      )
    } catch let error as DrivingError
      where ["NS_ERROR", "NS_BINDING_ABORTED"].contains(where: error.description.contains)
    {
      // The page cannot be loaded, or another one takes its place, which a test may want.
    }
  }

  func evaluate(_ expression: String, in tab: BrowserTab) throws -> JSONValue? {
    if tab == Self.sidebar { return try evaluateInSidebar(expression) }
    let answer = try call(
      "script.evaluate",
      [
        "expression": promise(of: expression), "awaitPromise": true, "userActivation": true,
        "target": ["context": tab.identifier],
      ]
    )
    if let details = answer["exceptionDetails"] as? [String: Any] {
      throw DrivingError("\(details["text"] ?? "an exception") in: \(expression.prefix(200))")
    }
    return try parsed((answer["result"] as? [String: Any])?["value"])
  }

  func answerAlert(in tab: BrowserTab) throws {
    _ = try call("browsingContext.handleUserPrompt", ["context": tab.identifier, "accept": true])
  }

  func evaluateInBackground(_ expression: String) throws -> JSONValue? {
    guard let extensionTab else { throw DrivingError("the extension is not installed") }
    // The page is there before its script has run.
    _ = try eventually("the extension's script has run") {
      let type = "browser.runtime.getBackgroundPage().then((page) => typeof page?.tickbird)"
      return try evaluate(type, in: extensionTab) as? String == "object" ? true : nil
    }
    return try evaluateInBackgroundNow(expression)
  }

  /// Throws also where the background's script has not run yet, or is not the product's.
  private func evaluateInBackgroundNow(_ expression: String) throws -> JSONValue? {
    guard let extensionTab else { throw DrivingError("the extension is not installed") }
    return try evaluate(
      "(async (tickbird, api) => { await tickbird.ready; return (\(expression)); })"
        + "((await browser.runtime.getBackgroundPage()).tickbird, browser)",
      in: extensionTab
    )
  }

  func evaluateInBrowser(_ expression: String) throws -> JSONValue? {
    let answer = try evaluateInWindow(promise(of: expression))
    if let details = answer["exceptionDetails"] as? [String: Any] {
      throw DrivingError("\(details["text"] ?? "an exception") in: \(expression.prefix(200))")
    }
    return try parsed((answer["result"] as? [String: Any])?["value"])
  }

  func element(_ selector: String, in tab: BrowserTab) throws -> PageElement? {
    // In a sandbox of its own, because a document may not let scripts run.
    let answer = try call(
      "script.evaluate",
      [
        "expression": promise(
          of: "((element) => element && (\(PageElement.script))(element))"
            + "(document.querySelector(\(quoted(selector))))"
        ),
        "awaitPromise": true,
        "target": ["context": tab.identifier, "sandbox": "tests"],
      ]
    )
    if let details = answer["exceptionDetails"] as? [String: Any] {
      throw DrivingError("\(details["text"] ?? "an exception") in looking for \(selector)")
    }
    return try PageElement(parsed((answer["result"] as? [String: Any])?["value"]))
      ?? elementInShadow(selector, in: tab)
  }

  /// The first element that a selector finds in closed shadow roots, which only extensions can open.
  private func elementInShadow(_ selector: String, in tab: BrowserTab) throws -> PageElement? {
    guard extensionTab != nil, let url = try evaluate("document.URL", in: tab) as? String,
      url.hasPrefix("http")
    else { return nil }
    let code = """
      ((describe) => {
        for (const each of document.querySelectorAll("*")) {
          const found = each.openOrClosedShadowRoot?.querySelector(\(quoted(selector)));
          if (found) return describe(found);
        }
        return null;
      })(\(PageElement.script))
      """
    // Another extension than the product's has no such background, so that waiting would not help. Right after a
    // restart nothing is found in the product's either; whoever expects an element asks again.
    let found = try? evaluateInBackgroundNow(
      """
      (async () => {
        for (const tab of await api.tabs.query({})) {
          if (tab.url !== \(quoted(url))) continue;
          const [found] = await api.tabs.executeScript(tab.id, { code: \(quoted(code)) }).catch(() => []);
          if (found) return found;
        }
        return null;
      })()
      """
    )
    return PageElement(found)
  }

  func press(_ key: String, in tab: BrowserTab) throws {
    let codes = [
      "Tab": "\u{E004}", "Enter": "\u{E007}", "Escape": "\u{E00C}", "Space": " ",
      "ArrowLeft": "\u{E012}", "ArrowUp": "\u{E013}", "ArrowRight": "\u{E014}",
      "ArrowDown": "\u{E015}",
    ]
    let value = codes[key] ?? key
    let steps = ["keyDown", "keyUp"].map { ["type": $0, "value": value] }
    let keyboard: [String: Any] = ["type": "key", "id": "keyboard", "actions": steps]
    _ = try call("input.performActions", ["context": tab.identifier, "actions": [keyboard]])
  }

  private func quoted(_ text: String) -> String {
    let data = try? JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed)
    return String(decoding: data ?? Data("null".utf8), as: UTF8.self)
  }

  func screenshot(of tab: BrowserTab) throws -> Data {
    if tab == Self.sidebar { return try pictureOfWindow() }
    let answer = try call("browsingContext.captureScreenshot", ["context": tab.identifier])
    guard let text = answer["data"] as? String, let data = Data(base64Encoded: text) else {
      throw DrivingError("Firefox has made no picture")
    }
    return data
  }

  func setSize(width: Int, height: Int, of tab: BrowserTab) throws {
    _ = try call(
      "browsingContext.setViewport",
      [
        "context": tab.identifier, "viewport": ["width": width, "height": height],
        "devicePixelRatio": 2,
      ]
    )
  }

  func call(_ method: String, _ parameters: [String: Any]) throws -> [String: Any] {
    lastID += 1
    let message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    try socket.send(JSONSerialization.data(withJSONObject: message))
    let deadline = answerDeadline()
    while true {
      let data = try naming(method) { try socket.receive(until: deadline) }
      guard let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
        continue
      }
      if answer["type"] as? String == "event" { try listener?(answer) }
      guard answer["id"] as? Int == lastID else { continue }
      guard answer["type"] as? String != "error" else {
        var error = DrivingError("\(method): \(answer["message"] ?? "refused")")
        // What a page's script throws is no error of the protocol.
        error.isOfLostDocument =
          method == "script.evaluate" && answer["error"] as? String == "unknown error"
        throw error
      }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }
}
