internal import BrowserPipe

extension BrowserVisit {
  /// The kind of workers that several pages may share; the browser tells them, and not the page.
  private static var sharedKind: DevToolsConnection.Object { ["type": "shared_worker"] }

  /// Has a session tell its requests and what it starts, and wait where requests are decided.
  func prepare(_ session: String) throws(BrowserFailure) {
    try browser.send("Network.enable", session: session)
    // Without the lists, too: what waits takes longer, and the times are compared.
    try browser.send(
      "Fetch.enable",
      ["patterns": [["urlPattern": "*", "requestStage": "Request"]]],
      session: session
    )
    let others = Self.sharedKind.merging(["exclude": true]) { $1 }
    try browser.send("Target.setAutoAttach", Self.attaching([others, [:]]), session: session)
  }

  /// Has the browser tell the workers that several pages may share.
  func attachWorkers() throws(BrowserFailure) {
    try browser.send(
      "Target.setAutoAttach",
      Self.attaching([Self.sharedKind, ["exclude": true]])
    )
  }

  /// Ends ``attachWorkers()``.
  func detachWorkers() throws(BrowserFailure) {
    try browser.send(
      "Target.setAutoAttach",
      ["autoAttach": false, "waitForDebuggerOnStart": false, "flatten": true]
    )
  }

  private static func attaching(_ filter: [DevToolsConnection.Object]) -> DevToolsConnection.Object
  {
    [
      "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
      "filter": .array(filter.map { .object($0) }),
    ]
  }

  /// Takes a frame in a process of its own, or a worker, which waits for that.
  func attach(
    _ params: DevToolsConnection.Object,
    _ outer: String?
  ) throws(BrowserFailure) {
    // The page itself is attached by a command, which is told as well.
    guard let inner = params["sessionId"]?.string, inner != session,
      let target = params["targetInfo"]?.object, let kind = target["type"]?.string,
      target["targetId"]?.string != mainFrame
    else { return }
    // A service worker is told by each process of its site; twice paused would be twice decided.
    if kind == "service_worker", let id = target["targetId"]?.string,
      !serviceWorkers.insert(id).inserted
    {
      return try browser.send("Runtime.runIfWaitingForDebugger", session: inner)
    }
    if !kind.hasSuffix("worker"), !kind.hasSuffix("worklet") {
      roots[inner] = target["targetId"]?.string
      try browser.send("Page.enable", session: inner)
      try browser.send("DOM.enable", session: inner)
      try browser.send("CSS.enable", session: inner)
    } else {
      roots[inner] = outer.flatMap { roots[$0] }
      workerSessions.insert(inner)
    }
    try prepare(inner)
    try browser.send("Runtime.runIfWaitingForDebugger", session: inner)
  }

  /// Returns the frame that a request belongs to: what workers of several pages ask for names none that
  /// is known.
  func frame(_ id: JSONValue?, _ session: String?) -> String {
    let isOfWorker = session.map { workerSessions.contains($0) } ?? false
    if let id = id?.string, !isOfWorker || id == mainFrame || parents[id] != nil { return id }
    return session.flatMap { roots[$0] } ?? mainFrame
  }
}
