internal import BrowserPipe

/// Finds the elements of a page that rules would hide, and their places.
struct HiddenElements {
  let browser: DevToolsConnection
  /// The rules that hide on the page, each once.
  private(set) var rules: [HidingRule] = []
  /// The places of elements, by the rules' indexes.
  private(set) var boxes: [PageVisit.Box] = []
  /// The number of elements of each rule.
  private(set) var counts: [Int: Int] = [:]
  private var indexes: [HidingRule: Int] = [:]

  private static let boxLimit = 400

  init(browser: DevToolsConnection) { self.browser = browser }

  /// Looks for elements in a frame.
  ///
  /// - Parameters:
  ///   - rules: The rules that hide there, each once.
  ///   - frame: The frame.
  ///   - session: The frame's session.
  ///   - pageSession: The session of the page that the frame is in; `nil` for the page itself.
  /// - Throws: ``BrowserFailure`` if the browser is gone, or the user interrupts.
  mutating func find(
    _ rules: [HidingRule],
    in frame: String,
    session: String,
    pageSession: String?
  ) throws(BrowserFailure) {
    let numbers = rules.map { index(of: $0) }
    guard !rules.isEmpty else { return }
    var bounds = (x: 0, y: 0, width: BrowserVisit.width, height: BrowserVisit.pictureHeight)
    let answer: DevToolsConnection.Object
    do throws(BrowserFailure) {
      if let pageSession { bounds = try place(of: frame, pageSession) }
      // A world of its own, where the page's scripts have changed nothing.
      let world = try browser.call(
        "Page.createIsolatedWorld",
        ["frameId": frame, "worldName": "tickbird"],
        session: session
      )
      answer = try browser.call(
        "Runtime.callFunctionOn",
        [
          "executionContextId": world["executionContextId"] ?? 0, "returnByValue": true,
          "functionDeclaration": Self.script,
          "arguments": [
            ["value": rules.map(\.selector)], ["value": bounds.width], ["value": bounds.height],
          ],
        ],
        session: session
      )
    } catch {
      // A frame that has gone away meanwhile has no elements.
      guard error.code == .refused, pageSession != nil else { throw error }
      return
    }
    let value = (answer["result"] as? [String: Any])?["value"] as? [String: Any]
    for box in value?["boxes"] as? [[Int]] ?? []
    where box.count == 5 && numbers.indices.contains(box[0]) && boxes.count < Self.boxLimit {
      boxes.append(
        PageVisit.Box(
          rule: numbers[box[0]],
          x: bounds.x + box[1],
          y: bounds.y + box[2],
          width: min(box[3], bounds.width - max(0, box[1])),
          height: min(box[4], bounds.height - max(0, box[2]))
        )
      )
    }
    for pair in value?["counts"] as? [[Int]] ?? []
    where pair.count == 2 && numbers.indices.contains(pair[0]) {
      counts[numbers[pair[0]], default: 0] += pair[1]
    }
  }

  private mutating func index(of rule: HidingRule) -> Int {
    if let known = indexes[rule] { return known }
    indexes[rule] = rules.count
    rules.append(rule)
    return rules.count - 1
  }

  /// Returns where a frame's document is on its page.
  private func place(
    of frame: String,
    _ session: String
  ) throws(BrowserFailure) -> (x: Int, y: Int, width: Int, height: Int) {
    let owner = try browser.call("DOM.getFrameOwner", ["frameId": frame], session: session)
    let answer = try browser.call(
      "DOM.getBoxModel",
      ["backendNodeId": owner["backendNodeId"] ?? 0],
      session: session
    )
    let model = answer["model"] as? [String: Any]
    let corners = model?["content"] as? [Double] ?? []
    guard corners.count == 8 else { throw BrowserFailure(.refused, "the frame is not shown") }
    func whole(_ number: Double) -> Int { Int(exactly: number.rounded()) ?? 0 }
    return (
      whole(corners[0]), whole(corners[1]), whole(corners[4] - corners[0]),
      whole(corners[5] - corners[1])
    )
  }

  /// Finds elements by selectors: their places, at most 400 of them, and how many each matches.
  private static let script = """
    function (selectors, width, height) {
      const boxes = [], counts = [], seen = new Set();
      selectors.forEach((selector, index) => {
        let found;
        try { found = document.querySelectorAll(selector); } catch { return; }
        if (found.length) counts.push([index, found.length]);
        for (const element of found) {
          if (boxes.length >= 400 || seen.has(element)) continue;
          seen.add(element);
          const place = element.getBoundingClientRect();
          const x = Math.round(place.left + scrollX), y = Math.round(place.top + scrollY);
          const wide = Math.round(place.width), high = Math.round(place.height);
          if (wide < 1 || high < 1 || x >= width || y >= height || x + wide <= 0 || y + high <= 0)
            continue;
          boxes.push([index, x, y, wide, high]);
        }
      });
      return { boxes, counts };
    }
    """
}
