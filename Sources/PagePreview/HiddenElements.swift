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
  ///   - place: Where the frame's document is on the page; `nil` if it is not seen there.
  ///   - session: The frame's session.
  ///   - isPage: Whether it is the page itself.
  /// - Throws: ``BrowserFailure`` if the browser is gone, or the user interrupts.
  mutating func find(
    _ rules: [HidingRule],
    in frame: String,
    at place: FramePlaces.Place?,
    session: String,
    isPage: Bool
  ) throws(BrowserFailure) {
    let numbers = rules.map { index(of: $0) }
    guard !rules.isEmpty else { return }
    let answer: DevToolsConnection.Object
    do throws(BrowserFailure) {
      // A world of its own, where the page's scripts have changed nothing.
      let world = try browser.call(
        "Page.createIsolatedWorld",
        ["frameId": .string(frame), "worldName": "tickbird"],
        session: session
      )
      answer = try browser.call(
        "Runtime.callFunctionOn",
        [
          "executionContextId": world["executionContextId"] ?? 0, "returnByValue": true,
          "functionDeclaration": .string(Self.script),
          "arguments": [
            ["value": .strings(rules.map(\.selector))],
            ["value": .array((place?.edges ?? [0, 0, 0, 0]).map { .integer($0) })],
          ],
        ],
        session: session
      )
    } catch {
      // A frame that has gone away meanwhile has no elements.
      guard error.code == .refused, !isPage else { throw error }
      return
    }
    let value = answer["result"]?["value"]?.object
    for box in value?["boxes"]?.wholeNumbers ?? []
    where box.count == 5 && numbers.indices.contains(box[0]) && boxes.count < Self.boxLimit {
      let shown = place?.box(
        rule: numbers[box[0]],
        x: box[1],
        y: box[2],
        width: box[3],
        height: box[4]
      )
      if let shown { boxes.append(shown) }
    }
    for pair in value?["counts"]?.wholeNumbers ?? []
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

  /// Finds elements by selectors: their places as the document is scrolled, at most 400 of them, and how
  /// many each matches.
  private static let script = """
    function (selectors, [left, top, right, bottom]) {
      const boxes = [], counts = [], seen = new Set();
      selectors.forEach((selector, index) => {
        let found;
        try { found = document.querySelectorAll(selector); } catch { return; }
        if (found.length) counts.push([index, found.length]);
        for (const element of found) {
          if (boxes.length >= 400 || seen.has(element)) continue;
          seen.add(element);
          const place = element.getBoundingClientRect();
          const x = Math.round(place.left), y = Math.round(place.top);
          const wide = Math.round(place.width), high = Math.round(place.height);
          if (wide < 1 || high < 1 || x >= right || y >= bottom || x + wide <= left || y + high <= top)
            continue;
          boxes.push([index, x, y, wide, high]);
        }
      });
      return { boxes, counts };
    }
    """
}

extension JSONValue {
  /// Lists of whole numbers; `nil` for anything else.
  fileprivate var wholeNumbers: [[Int]]? {
    guard let array else { return nil }
    let lists = array.compactMap { list -> [Int]? in
      let numbers = list.array?.compactMap(\.integer)
      return numbers?.count == list.array?.count ? numbers : nil
    }
    return lists.count == array.count ? lists : nil
  }
}
