internal import Foundation
internal import Glibc

/// Chromium, driven by its DevTools protocol over two pipes.
final class Chromium: Browser {
  let kind = BrowserKind.chromium
  let extensionURL: String
  private let process: ChildProcess
  private let input: Descriptor
  private let output: Descriptor
  private var buffer: [UInt8] = []
  private var lastID = 0
  private var isDark = false
  private var isForced = false
  /// Gets what the browser says without being asked.
  var listener: (([String: Any]) throws -> Void)?

  /// Starts Chromium with the extension.
  init(_ options: BrowserOptions) throws {
    // Where Chromium looks for itself, so that hosts are where it says they have to be.
    let profile = options.folder.appendingPathComponent(".config/chromium")
    try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
    try options.registerHost(
      in: profile.appendingPathComponent("NativeMessagingHosts"),
      ["allowed_origins": ["chrome-extension://\(options.extensionID)/"]]
    )
    extensionURL = "chrome-extension://\(options.extensionID)/"
    var arguments = [
      BrowserKind.chromium.path, "--headless=new", "--user-data-dir=\(profile.path)",
      "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-sync",
      "--disable-component-update", "--disable-default-apps",
      "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints",
      "--password-store=basic", "--mute-audio", "--window-size=1000,800",
      "--proxy-server=http://127.0.0.1:\(options.proxyPort)", "--remote-debugging-pipe",
      "--proxy-bypass-list=\((["<-loopback>"] + options.directHosts).joined(separator: ";"))",
    ]
    let names = options.directHosts.map { "MAP \($0) 127.0.0.1" }.joined(separator: ", ")
    if !names.isEmpty { arguments.append("--host-resolver-rules=\(names)") }
    let folders = (options.extensionFolder.map { [$0] } ?? []) + options.otherExtensions
    if !folders.isEmpty {
      arguments.append("--load-extension=\(folders.map(\.path).joined(separator: ","))")
    }
    if options.systemFolders.isEmpty {
      arguments.append("--disable-background-networking")
      if options.mayBlock { arguments.append("--allowlisted-extension-id=\(options.extensionID)") }
    }
    if options.takesAnyCertificate { arguments.append("--ignore-certificate-errors") }
    if getuid() == 0 { arguments.append("--no-sandbox") }
    let toBrowser = try Self.pipe()
    let fromBrowser = try Self.pipe()
    input = toBrowser.write
    output = fromBrowser.read
    process = try ChildProcess(
      options.command(arguments + [options.startPage]),
      home: options.folder,
      descriptors: [(3, toBrowser.read), (4, fromBrowser.write)],
      log: options.folder.appendingPathComponent("browser.log")
    )
    _ = try call("Browser.getVersion")
  }

  func quit() throws {
    _ = try call("Browser.close")
    guard process.hasEnded(within: 30) else { throw DrivingError("Chromium does not end") }
  }

  func close() { process.kill() }

  func openTab() throws -> BrowserTab {
    let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] as? String
    guard let target else { throw DrivingError("Chromium has opened no tab") }
    return try tab(of: target)
  }

  func tab(at url: String) throws -> BrowserTab? {
    let targets = try call("Target.getTargets")["targetInfos"] as? [[String: Any]] ?? []
    let target = targets.first { $0["type"] as? String == "page" && $0["url"] as? String == url }
    return try (target?["targetId"] as? String).map(tab(of:))
  }

  private func tab(of target: String) throws -> BrowserTab {
    let session = try attach(target)
    _ = try call("Page.enable", session: session)
    try emulate(session)
    return BrowserTab(identifier: target, session: session)
  }

  func closeTab(_ tab: BrowserTab) throws {
    _ = try call("Target.closeTarget", ["targetId": tab.identifier])
  }

  func load(_ url: String, in tab: BrowserTab) throws {
    let answer = try call("Page.navigate", ["url": url], session: tab.session)
    guard answer["errorText"] == nil else { return }
    _ = try eventually("\(url) is loaded") {
      try evaluate("document.readyState === 'complete'", in: tab) as? Bool == true ? true : nil
    }
  }

  func evaluate(_ expression: String, in tab: BrowserTab) throws -> JSONValue? {
    try evaluate(expression, session: tab.session)
  }

  func answerAlert(in tab: BrowserTab) throws {
    _ = try call("Page.handleJavaScriptDialog", ["accept": true], session: tab.session)
  }

  func evaluateInBackground(_ expression: String) throws -> JSONValue? {
    let session = try attachToWorker()
    defer { detach(session) }
    // The worker is listed before its script has run.
    _ = try eventually("the extension's script has run") {
      try evaluate("typeof globalThis.tickbird", session: session) as? String == "object"
        ? true : nil
    }
    return try evaluate(
      "(async (tickbird, api) => { await tickbird.ready; return (\(expression)); })"
        + "(globalThis.tickbird, chrome)",
      session: session
    )
  }

  func evaluateInBrowser(_ expression: String) throws -> JSONValue? {
    let page = "chrome://extensions/"
    var tab = try tab(at: page)
    if tab == nil {
      let opened = try openTab()
      try load(page, in: opened)
      tab = opened
    }
    return try tab.flatMap { try evaluate(expression, in: $0) }
  }

  /// Attaches to the extension's worker, which is found again each time, for it may have been started
  /// again.
  func attachToWorker() throws -> String {
    try attach(
      eventually("the extension's worker runs") { () -> String? in
        let targets = try call("Target.getTargets")["targetInfos"] as? [[String: Any]] ?? []
        return targets.first {
          $0["type"] as? String == "service_worker"
            && ($0["url"] as? String ?? "").hasPrefix(extensionURL)
        }?["targetId"] as? String
      }
    )
  }

  func detach(_ session: String) {
    _ = try? call("Target.detachFromTarget", ["sessionId": session])
  }

  func element(_ selector: String, in tab: BrowserTab) throws -> PageElement? {
    let answer = try call("DOM.getDocument", ["depth": -1, "pierce": true], session: tab.session)
    var roots: [Int] = []
    func collect(_ node: [String: Any], isRoot: Bool) {
      if isRoot, let number = node["nodeId"] as? Int { roots.append(number) }
      for root in node["shadowRoots"] as? [[String: Any]] ?? [] { collect(root, isRoot: true) }
      for child in node["children"] as? [[String: Any]] ?? [] { collect(child, isRoot: false) }
    }
    collect(answer["root"] as? [String: Any] ?? [:], isRoot: true)
    for root in roots {
      let found = try? call(
        "DOM.querySelector",
        ["nodeId": root, "selector": selector],
        session: tab.session
      )
      // A document that goes away meanwhile has no elements.
      guard let number = found?["nodeId"] as? Int, number != 0,
        let node = try? call("DOM.resolveNode", ["nodeId": number], session: tab.session),
        let object = (node["object"] as? [String: Any])?["objectId"] as? String,
        let described = try? call(
          "Runtime.callFunctionOn",
          [
            "objectId": object, "returnByValue": true,
            "functionDeclaration": "function () { return (\(PageElement.script))(this); }",
          ],
          session: tab.session
        )
      else { continue }
      return PageElement((described["result"] as? [String: Any])?["value"])
    }
    return nil
  }

  func press(_ key: String, in tab: BrowserTab) throws {
    let codes = [
      "Tab": 9, "Enter": 13, "Escape": 27, "Space": 32, "ArrowLeft": 37, "ArrowUp": 38,
      "ArrowRight": 39, "ArrowDown": 40,
    ]
    let texts = ["Enter": "\r", "Space": " "]
    var key: [String: Any] = [
      "key": key == "Space" ? " " : key, "code": key,
      "windowsVirtualKeyCode": codes[key] ?? 0, "text": texts[key] ?? (key.count == 1 ? key : ""),
    ]
    for type in ["keyDown", "keyUp"] {
      key["type"] = type
      _ = try call("Input.dispatchKeyEvent", key, session: tab.session)
    }
  }

  func screenshot(of tab: BrowserTab) throws -> Data {
    let answer = try call("Page.captureScreenshot", session: tab.session)
    guard let text = answer["data"] as? String, let data = Data(base64Encoded: text) else {
      throw DrivingError("Chromium has made no picture")
    }
    return data
  }

  func setDark(_ isDark: Bool) { self.isDark = isDark }

  func setForcedColors(_ isForced: Bool) { self.isForced = isForced }

  func emulate(_ session: String) throws {
    let features = [
      ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"],
      ["name": "forced-colors", "value": isForced ? "active" : "none"],
    ]
    _ = try call("Emulation.setEmulatedMedia", ["features": features], session: session)
  }

  func setSize(width: Int, height: Int, of tab: BrowserTab) throws {
    _ = try call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 2, "mobile": false],
      session: tab.session
    )
  }

  // MARK: Protocol

  func attach(_ target: String) throws -> String {
    let answer = try call("Target.attachToTarget", ["targetId": target, "flatten": true])
    guard let session = answer["sessionId"] as? String else {
      throw DrivingError("Chromium does not let its target be asked")
    }
    return session
  }

  func evaluate(_ expression: String, session: String) throws -> JSONValue? {
    let answer = try call(
      "Runtime.evaluate",
      [
        "expression": promise(of: expression), "awaitPromise": true, "returnByValue": true,
        "userGesture": true,
      ],
      session: session
    )
    if let details = answer["exceptionDetails"] as? [String: Any] {
      let exception = details["exception"] as? [String: Any]
      throw DrivingError(
        "\(exception?["description"] ?? details["text"] ?? "an exception") in: "
          + expression.prefix(200)
      )
    }
    return try parsed((answer["result"] as? [String: Any])?["value"])
  }

  func call(
    _ method: String,
    _ parameters: [String: Any] = [:],
    session: String? = nil
  ) throws -> [String: Any] {
    let id = try send(method, parameters, session: session)
    let deadline = answerDeadline()
    while true {
      let answer = try naming(method) { try nextMessage(deadline) }
      if answer["method"] != nil { try listener?(answer) }
      guard answer["id"] as? Int == id else { continue }
      if let error = answer["error"] as? [String: Any] {
        var failure = DrivingError("\(method): \(error["message"] ?? "refused")")
        // What a page's script throws is no error of the protocol.
        failure.isOfLostDocument =
          method == "Runtime.evaluate" && error["code"] as? Int == Self.serverError
        throw failure
      }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  /// Sends a command and does not wait for its answer; returns its number.
  @discardableResult
  func send(
    _ method: String,
    _ parameters: [String: Any] = [:],
    session: String? = nil
  ) throws -> Int {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    message["sessionId"] = session
    let bytes = try JSONSerialization.data(withJSONObject: message)
    guard input.write(Array(bytes) + [0]) else { throw DrivingError("Chromium is gone") }
    return lastID
  }

  /// The protocol's number for what the browser could not do.
  private static let serverError = -32000

  private func nextMessage(_ deadline: Date) throws -> [String: Any] {
    while true {
      if let end = buffer.firstIndex(of: 0) {
        let message = try JSONSerialization.jsonObject(with: Data(buffer[..<end]))
        buffer.removeFirst(end + 1)
        return message as? [String: Any] ?? [:]
      }
      let bytes = try output.read(until: deadline)
      guard !bytes.isEmpty else { throw DrivingError("Chromium is gone") }
      buffer += bytes
    }
  }

  /// A pipe whose ends stay out of the way of the numbers that Chromium wants.
  private static func pipe() throws -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [0, 0]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw DrivingError("no pipe: \(errno)") }
    let moved = ends.map { end in
      let copy = fcntl(end, F_DUPFD_CLOEXEC, 50)
      Glibc.close(end)
      return Descriptor(copy)
    }
    return (moved[0], moved[1])
  }
}
