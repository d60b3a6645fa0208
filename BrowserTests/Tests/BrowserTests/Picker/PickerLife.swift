import BrowserDriving
import Foundation
import Testing

/// The element picker, and "block this" at requests, with the product's own host.
struct PickerLife {
  let session: Session
  let service: Service
  /// The address of the page's frame.
  private let frames: String
  var browser: any Browser { session.browser }

  static let page = "http://www.news.test/"

  init(_ browser: TestBrowser) throws {
    session = try Session.with(browser, hasService: true)
    service = try #require(session.service)
    try service.run("lists", "own", "-", input: "")
    // Firefox's driver sends keys and clicks to the process of the page, in which frames of the same site
    // are, even those of another origin.
    frames = browser.kind == .firefox ? "http://frames.news.test/" : "http://frames.other/"
    session.server.answer { [frames] request in
      switch request.url {
      case Self.page: .page(Self.news(frames))
      case "http://www.hostile.test/": .page(Self.hostile)
      case frames: .page(Self.frame)
      case let url where url.hasSuffix(".js"): .init("text/javascript", "")
      default: .page("<p>Else")
      }
    }
  }

  private static func news(_ frames: String) -> String {
    """
    <html lang=en><title>News</title><body style="margin:0">
    <main><h1 style="margin:0;height:40px">News</h1>
    <div id="promo" class="banner css-1x2y3z" style="height:60px"><b>Buy</b> this</div>
    <p style="margin:0;height:40px">Words</p>
    <div class="banner" style="height:40px">Buy that</div></main>
    <iframe src="\(frames)" style="border:0;display:block;width:400px;height:200px"></iframe>
    <script src="http://third.test/kit/one.js?v=1"></script>
    <script src="http://third.test/kit/two.js"></script>
    """
  }

  private static let frame = """
    <html lang=en><title>Frame</title><body style="margin:0">
    <div class="sponsor" id="first" style="height:60px">Sponsored</div>
    <div class="sponsor" style="height:60px">Sponsored too</div>
    """

  /// Whose form and whose images take the place of the document's own functions, and whose scripts press,
  /// cover, and change what is pointed at.
  private static let hostile = """
    <html lang=en><title>Hostile</title><body style="margin:0">
    <form name="querySelectorAll" class="target" style="height:80px;background:#ddd">
    <input name="id" value="other"><input name="getAttribute"><input name="matches"><input name="parentElement"></form>
    <img name="elementsFromPoint" alt=""><img name="body" alt=""><img name="documentElement" alt="">
    <p id="},body{display:block}" class="a,body b{c" style="height:40px">Odd names</p>
    <p class="innocent" style="height:40px">Innocent</p>
    <script>
      addEventListener("message", (event) => { window.heard = [...window.heard ?? [], String(event.data)]; });
      window.fake = () => {
        const target = document.getElementsByClassName("innocent")[0];
        const { x, y } = target.getBoundingClientRect();
        for (const type of ["pointermove", "mousemove", "pointerdown", "mousedown", "mouseup", "click"]) {
          for (const to of [target, document.lastChild.lastChild, window]) {
            to.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, clientX: x + 5, clientY: y + 5 }));
          }
        }
        for (const key of ["ArrowDown", "Enter"]) {
          window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
        }
      };
    </script>
    """

  // MARK: Picking

  func picksByMouse() throws {
    try session.visit(Self.page) { tab throws in
      // By the button of the pop-up.
      let number = try #require(try session.number(ofTabAt: Self.page))
      try session.visit(browser.extensionURL + "popup/popup.html?tab=\(number)") { popUp throws in
        try expectShown(popUp)
        try press("#pick", popUp)
      }
      try expectPicking(tab)
      try browser.click(x: 100, y: 70, in: tab)
      let picker = try pickerWindow(number)
      try expectText("Hide an element on news.test", picker)
      #expect(try subjects(picker).first == "#promo")
      #expect(try subjects(picker).contains(".banner"))
      #expect(try subjects(picker).allSatisfy { !$0.contains("css-1x2y3z") })
      #expect((3...5).contains(try subjects(picker).count))
      try expectText("2 elements", picker)
      try expectText("\"selector\": \"#promo\"", picker)
      try expectText(#""*news.test""#, picker)
      try expectReadable(picker, browser)
      try expect(outlined: ["#promo"], tab)
      // What is chosen is shown, and hidden at once if that is wanted.
      try choose(".banner", picker)
      try expect(outlined: ["#promo", "main > div:last-child"], tab)
      try press("#preview", picker)
      try expect("#promo", isShown: false, tab)
      try expect("main > div:last-child", isShown: false, tab)
      #expect(try own().isEmpty)
      try press(".save-rule", picker)
      try expectText("Saved to your own rules.", picker)
      let rules = try #require(
        try JSONSerialization.jsonObject(with: Data(own().utf8)) as? [[String: [String: Any]]]
      )
      #expect(rules.count == 1)
      #expect(rules[0]["action"]?["selector"] as? String == ".banner")
      #expect(rules[0]["trigger"]?["if-domain"] as? [String] == ["*news.test"])
      // The rule acts on what is loaded from now on.
      try expectHiddenAfterLoading("#promo", isHidden: true)
      try press(".undo-rule", picker)
      try expectText("Taken back", picker)
      #expect(try own().trimmingCharacters(in: .whitespacesAndNewlines).isEmpty)
      try expectHiddenAfterLoading("#promo", isHidden: false)
      // What is around it, and another one.
      try press("#wider", picker)
      try expectText("Chosen: main", picker)
      try press("#narrower", picker)
      try expectText("Chosen: div#promo", picker)
      try close(picker)
      try expect(outlined: [], tab)
    }
  }

  func picksByKeyboard() throws {
    try session.visit(Self.page) { tab throws in
      let number = try start(tab, Self.page)
      // The page's first element, what is in it, what follows, and the frame with what is in that.
      for key in ["ArrowDown", "ArrowRight", "ArrowDown"] { try browser.press(key, in: tab) }
      Thread.sleep(forTimeInterval: 0.5)
      try browser.press("Enter", in: tab)
      let picker = try pickerWindow(number)
      try expectText("Chosen in a frame of the page: div#first.sponsor", picker)
      #expect(try subjects(picker).contains(".sponsor"))
      // Up again, to the frame itself.
      try press("#wider", picker)
      try expectText("Chosen: iframe", picker)
      #expect(try subjects(picker).contains(#"iframe[src^="\#(frames)"]"#))
      try press("#again", picker)
      try expectPicking(tab)
      try browser.press("Escape", in: tab)
      _ = try eventually("the picker has gone from the page") {
        try browser.element(".shield", in: tab) == nil ? true : nil
      }
      // The keyboard saves as well.
      try choose(#"iframe[src^="\#(frames)"]"#, picker)
      _ = try eventually("saving is possible") { () -> Bool? in
        try browser.evaluate("!document.querySelector('.save-rule').disabled", in: picker) as? Bool
          == true ? true : nil
      }
      _ = try browser.evaluate("document.querySelector('.save-rule').focus()", in: picker)
      try browser.press("Enter", in: picker)
      try expectText("Saved to your own rules.", picker)
      try expectHiddenAfterLoading("iframe", isHidden: true)
      // The focus is where the way back is.
      let focused = "document.activeElement.className.includes('undo-rule')"
      #expect(try browser.evaluate(focused, in: picker) as? Bool == true)
      try browser.press("Enter", in: picker)
      try expectText("Taken back", picker)
      // The next test's pages have the frame again.
      try expectHiddenAfterLoading("iframe", isHidden: false)
      try close(picker)
    }
  }

  func picksInFrames() throws {
    try session.visit(Self.page) { tab throws in
      // In a text of filters the rule is a filter.
      try service.run("lists", "own", "-", input: "||unrelated.test^\n")
      let number = try start(tab, Self.page)
      try browser.click(x: 100, y: 120, in: tab)
      var picker = try pickerWindow(number)
      try expectText("Chosen: p", picker)
      try press("#again", picker)
      try expectPicking(tab)
      // The first movement lets the frame take over.
      picker = try pickerWindow(number)
      var x = 100.0
      _ = try eventually("an element of the frame is chosen") { () -> Bool? in
        if try browser.says("Chosen in a frame", in: picker) { return true }
        try browser.click(x: x, y: 182 + 30, in: tab)
        x += 1
        Thread.sleep(forTimeInterval: 0.3)
        return nil
      }
      try expectText("Chosen in a frame of the page: div#first.sponsor", picker)
      try choose(".sponsor", picker)
      try expectText("2 elements", picker)
      try press(".save-rule", picker)
      try expectText("Saved to your own rules.", picker)
      #expect(try own() == "||unrelated.test^\nnews.test##.sponsor\n")
      try press(".undo-rule", picker)
      try expectText("Taken back", picker)
      #expect(try own() == "||unrelated.test^\n")
      try close(picker)
    }
  }

  func withstandsPages() throws {
    let page = "http://www.hostile.test/"
    try session.visit(page) { tab throws in
      let number = try start(tab, page)
      _ = try browser.evaluate("window.fake()", in: tab)
      Thread.sleep(forTimeInterval: 0.5)
      #expect(try browser.tab(at: pickerURL(number)) == nil, "a page has chosen by itself")
      // The form is what is pointed at, whatever its fields are called.
      try browser.click(x: 600, y: 40, in: tab)
      let picker = try pickerWindow(number)
      try expectText("Chosen: form.target", picker)
      #expect(try subjects(picker).contains("form.target"))
      #expect(try subjects(picker).allSatisfy { !$0.contains("other") && !$0.contains("innocent") })
      // Nobody but the person saves: neither a script, nor a click that comes before anything is seen.
      _ = try browser.evaluate("document.querySelector('.save-rule').click()", in: picker)
      _ = try browser.evaluate("window.fake()", in: tab)
      Thread.sleep(forTimeInterval: 1)
      #expect(try own().isEmpty)
      for message in [
        "{ type: 'setOwnRules', text: '||x^', before: '' }", "{ type: 'ownRules' }",
        "{ type: 'pick', tabId: \(number) }", "{ type: 'picked', tabId: \(number) }",
        "{ type: 'pick-show', tabId: \(number), selector: '.innocent', isHidden: true }",
      ] {
        let refused = try browser.evaluateInBackground(
          "tickbird.answerFromPage(\(message)).then(() => 'done', ({ message }) => message)"
        )
        #expect(refused as? String == "not allowed", "\(message)")
      }
      // Odd names are left out or escaped, and never select more.
      try press("#again", picker)
      try expectPicking(tab)
      let odd = "document.getElementsByTagName('p')[0].getBoundingClientRect().y"
      let y = try #require((try browser.evaluate(odd, in: tab) as? NSNumber)?.doubleValue)
      try browser.click(x: 300, y: y + 20, in: tab)
      try expectText("Chosen: p#},body", picker)
      try expect(outlined: [], in: "body, html, form, .innocent", tab)
      #expect(try subjects(picker).allSatisfy { !$0.contains("{") })
      // The extension's pages are closed to the page.
      let framed = try browser.evaluate(
        """
        new Promise((resolve) => {
          const frame = document.createElement("iframe");
          frame.src = \(quoted(browser.extensionURL + "picker/picker.html?tab=\(number)"));
          Document.prototype.getElementsByTagName.call(document, "body")[0].append(frame);
          setTimeout(() => {
            try {
              resolve(String(frame.contentDocument?.getElementById?.("title") ?? null));
            } catch {
              resolve("null");
            }
          }, 700);
        })
        """,
        in: tab
      )
      #expect(framed as? String == "null")
      #expect(try own().isEmpty)
      try close(picker)
    }
  }

  // MARK: Requests

  func blocksRequests() throws {
    // Without a list nothing is looked at.
    try service.run("lists", "own", "-", input: "||unrelated.test^\n")
    try expect("http://unrelated.test/", comesToReach: false)
    try session.visit(Self.page) { tab throws in
      let number = try #require(try session.number(ofTabAt: Self.page))
      try session.visit(browser.extensionURL + "popup/popup.html?tab=\(number)") { popUp throws in
        try expectShown(popUp)
        try expectText("requests were seen", popUp)
        try press("#seen > summary", popUp)
        try pressWhere("#seen-hosts summary", "third.test", popUp)
        try pressWhere(".block-this", "Block this…", popUp)
        try expectText("||third.test^", popUp, "#seen-hosts", afterChoosing: "third.test")
        try press(".save-rule", popUp)
        try expectText("Saved to your own rules.", popUp)
        #expect(try own() == "||unrelated.test^\n||third.test^\n")
        try expect("http://third.test/kit/other.js", comesToReach: false)
        try press(".undo-rule", popUp)
        try expectText("Taken back", popUp)
        #expect(try own() == "||unrelated.test^\n")
        try expect("http://third.test/kit/other.js", comesToReach: true)
      }
      try session.visit(browser.extensionURL + "logger/logger.html?tab=\(number)") {
        logger throws in
        _ = try eventually("a request comes") { () -> Bool? in
          _ = try session.reaches("http://third.test/kit/three.js?n=1", from: tab)
          return try browser.evaluate("document.querySelectorAll('.row').length > 0", in: logger)
            as? Bool == true ? true : nil
        }
        try pressWhere(".row", "/three.js", logger)
        try pressWhere(".block-this", "Block this…", logger)
        try expectText("Blocks", logger)
        try choose("http://third.test/kit/", logger)
        try press(".save-rule", logger)
        try expectText("Saved to your own rules.", logger)
        #expect(try own() == "||unrelated.test^\n|http://third.test/kit/\n")
        try expect("http://third.test/kit/four.js", comesToReach: false)
        try press(".undo-rule", logger)
        try expectText("Taken back", logger)
        try expect("http://third.test/kit/four.js", comesToReach: true)
        try expectReadable(logger, browser)
      }
    }
    try service.run("lists", "own", "-", input: "")
  }

  // MARK: Pictures

  func isPictured(in folder: URL) throws {
    for isDark in [false, true] {
      try browser.setDark(isDark)
      let pictures = Pictures(browser: browser, folder: folder, isDark: isDark)
      try session.visit(Self.page) { tab throws in
        try browser.setSize(width: 760, height: 420, of: tab)
        let number = try start(tab, Self.page)
        for key in ["ArrowDown", "ArrowDown", "ArrowRight"] { try browser.press(key, in: tab) }
        try pictures.take("picker-page", of: tab)
        try browser.press("Enter", in: tab)
        let picker = try pickerWindow(number)
        try expectText("2 elements", picker)
        try browser.setSize(width: 480, height: 640, of: picker)
        _ = try eventually("saving is possible") { () -> Bool? in
          try browser.evaluate("!document.querySelector('.save-rule').disabled", in: picker)
            as? Bool == true ? true : nil
        }
        try pictures.take("picker", of: picker)
        try close(picker)
      }
    }
    try browser.setDark(false)
  }
}
