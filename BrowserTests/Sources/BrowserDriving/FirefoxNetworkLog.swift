internal import Foundation

extension Firefox {
  /// Lets Firefox's own network monitor record a page and export it, while the protocol tells of the
  /// same loads.
  func networkLog(of url: String, until isDone: () -> Bool) throws -> NetworkLog {
    let tab = try openTab()
    defer { try? closeTab(tab) }
    let recorder = FirefoxRecorder(tab)
    listener = { recorder.hear($0) }
    defer { listener = nil }
    let events = ["network.beforeRequestSent", "browsingContext.contextCreated"]
    _ = try call("session.subscribe", ["events": events])
    defer { _ = try? call("session.unsubscribe", ["events": events]) }
    try inTools("const toolbox = await gDevTools.showToolboxForTab(tab, { toolId: 'netmonitor' })")
    try load(url, in: tab)
    _ = try eventually("everything is asked for") {
      _ = try call("browsingContext.getTree", ["maxDepth": 0])
      return isDone() ? true : nil
    }
    Thread.sleep(forTimeInterval: 0.5)
    let text = try inTools(
      """
      const toolbox = gDevTools.getToolboxForTab(tab);
      return JSON.stringify(await toolbox.getHARFromNetMonitor());
      """
    )
    guard let text,
      let har = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    else { throw DrivingError("Firefox exports no log") }
    // The function gives what stands in `log`; what is saved has that around it.
    let whole = har["log"] == nil ? ["log": har] : har
    return NetworkLog(
      archive: try JSONSerialization.data(withJSONObject: whole),
      loads: recorder.loads
    )
  }

  /// Runs statements with the developer tools and the tab in front at hand.
  @discardableResult
  private func inTools(_ statements: String) throws -> String? {
    let answer = try evaluateInWindow(
      """
      (async () => {
        const { require } = ChromeUtils.importESModule("resource://devtools/shared/loader/Loader.sys.mjs");
        const { gDevTools } = require("devtools/client/framework/devtools");
        const tab = gBrowser.selectedTab;
        \(statements)
      })()
      """
    )
    guard answer["type"] as? String == "success" else {
      throw DrivingError("Firefox's tools do not do that: \(answer)")
    }
    return (answer["result"] as? [String: Any])?["value"] as? String
  }
}

/// Makes loads of what the protocol says.
private final class FirefoxRecorder {
  private(set) var loads: [NetworkLog.Load] = []
  private let tab: BrowserTab
  private var parents: [String: String] = [:]
  private var documents: [String: String] = [:]

  init(_ tab: BrowserTab) { self.tab = tab }

  func hear(_ event: [String: Any]) {
    let parameters = event["params"] as? [String: Any] ?? [:]
    guard let context = parameters["context"] as? String else { return }
    switch event["method"] as? String {
    case "browsingContext.contextCreated": parents[context] = parameters["parent"] as? String
    case "network.beforeRequestSent":
      var root = context
      while let parent = parents[root] { root = parent }
      guard root == tab.identifier, let request = parameters["request"] as? [String: Any],
        let url = request["url"] as? String, !url.hasPrefix("data:")
      else { return }
      let kind = request["destination"] as? String ?? ""
      let isDocument = parameters["navigation"] is String
      if isDocument { documents[context] = url }
      loads.append(
        NetworkLog.Load(
          url: url,
          kind: kind.isEmpty ? request["initiatorType"] as? String ?? "" : kind,
          isDocument: isDocument,
          isTopFrame: context == tab.identifier,
          top: documents[tab.identifier] ?? url,
          frame: documents[context] ?? url
        )
      )
    default: break
    }
  }
}
