internal import Foundation

extension Browser {
  /// Clicks with the mouse at a place of the tab's window, in CSS pixels, as a person does.
  public func click(x: Double, y: Double, in tab: BrowserTab) throws {
    try click(x: x, y: y, in: tab, isSecondary: false)
  }

  /// Clicks into the middle of an element, which is scrolled to, once it does not move any more.
  ///
  /// - Throws: ``DrivingError`` if there is no such element.
  public func click(_ selector: String, in tab: BrowserTab) throws {
    let data = try JSONSerialization.data(withJSONObject: selector, options: .fragmentsAllowed)
    let text = String(decoding: data, as: UTF8.self)
    guard try click(elementOf: "document.querySelector(\(text))", in: tab) else {
      throw DrivingError("there is no \(selector)")
    }
  }

  /// Clicks into the middle of the element that an expression of the page has as its value, as by a selector.
  ///
  /// - Returns: Whether there is such an element.
  public func click(elementOf expression: String, in tab: BrowserTab) throws -> Bool {
    let place = try evaluate(
      """
      (async () => {
        let last = null;
        for (let look = 0; look < 40; look += 1) {
          const element = \(expression);
          if (!element) return null;
          element.scrollIntoView({ block: "center", behavior: "instant" });
          const box = element.getBoundingClientRect();
          const place = [box.x + box.width / 2, box.y + box.height / 2];
          if (last?.[0] === place[0] && last?.[1] === place[1]) return place;
          last = place;
          await new Promise((resolve) => setTimeout(resolve, 60));
        }
        return last;
      })()
      """,
      in: tab
    )
    guard let place = place as? [Any], place.count == 2,
      let x = (place[0] as? NSNumber)?.doubleValue, let y = (place[1] as? NSNumber)?.doubleValue
    else { return false }
    try click(x: x, y: y, in: tab)
    return true
  }

  /// Clicks into the middle of an element that was found, where it was found.
  public func click(_ element: PageElement, in tab: BrowserTab) throws {
    try click(x: element.frame.midX, y: element.frame.midY, in: tab)
  }

  /// Clicks on a field and types into it.
  ///
  /// - Throws: ``DrivingError`` if there is no such field.
  public func type(_ text: String, into selector: String, in tab: BrowserTab) throws {
    try click(selector, in: tab)
    try type(text, in: tab)
  }
}

extension Chromium {
  func click(x: Double, y: Double, in tab: BrowserTab, isSecondary: Bool) throws {
    let button = isSecondary ? "right" : "left"
    for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
      _ = try call(
        "Input.dispatchMouseEvent",
        [
          "type": kind, "x": x, "y": y, "button": kind == "mouseMoved" ? "none" : button,
          "clickCount": kind == "mouseMoved" ? 0 : 1,
        ],
        session: tab.session
      )
    }
  }

  func type(_ text: String, in tab: BrowserTab) throws {
    for character in text {
      let key = character == "\n" ? "\r" : String(character)
      _ = try call("Input.dispatchKeyEvent", ["type": "char", "text": key], session: tab.session)
    }
  }
}

extension Firefox {
  func click(x: Double, y: Double, in tab: BrowserTab, isSecondary: Bool) throws {
    let button = isSecondary ? 2 : 0
    let steps: [[String: Any]] = [
      ["type": "pointerMove", "x": Int(x), "y": Int(y)],
      ["type": "pointerDown", "button": button], ["type": "pointerUp", "button": button],
    ]
    let pointer: [String: Any] = ["type": "pointer", "id": "mouse", "actions": steps]
    _ = try call("input.performActions", ["context": tab.identifier, "actions": [pointer]])
  }

  func type(_ text: String, in tab: BrowserTab) throws {
    var steps: [[String: Any]] = []
    for character in text {
      // The key named Enter.
      let key = character == "\n" ? "\u{E007}" : String(character)
      steps += [["type": "keyDown", "value": key], ["type": "keyUp", "value": key]]
    }
    let keyboard: [String: Any] = ["type": "key", "id": "keyboard", "actions": steps]
    _ = try call("input.performActions", ["context": tab.identifier, "actions": [keyboard]])
  }
}
