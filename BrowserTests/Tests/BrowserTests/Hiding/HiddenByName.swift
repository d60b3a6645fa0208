import BrowserDriving
import Foundation
import Testing

/// What a list of hundreds of classes and ids hides while a page loads, and behind that.
struct HiddenByName {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  /// A page that changes while it loads, and reports what it shows.
  private static let page = """
    <body>
    <form><input name=parentNode><input name=nodeType><input name=getAttribute>
    <input name=hasChildNodes><input name=querySelectorAll><p class=n7>In a form</p></form>
    <img name=adoptedStyleSheets><img name=compatMode>
    <p class=n5>A</p><p class=N8 id=case>B</p><p id=late>C</p><p class="#other" id=other>D</p>
    <style>#strong.n6 { display: block !important }</style><p class=n6 id=strong>E</p>
    <div id=early></div><div id=host></div><p id=mine>Mine</p>
    <script>
    const shown = (element) => (getComputedStyle(element).display === "none" ? "hidden" : "shown");
    const named = (selector) => document.querySelector(selector);
    let steps = 0;
    let isBusy = true;
    // As long as a picture loads, so does the page.
    const keepLoading = () => {
      const image = new Image();
      image.onload = image.onerror = () => { if (isBusy) keepLoading(); };
      image.src = "/step.png?" + steps++;
    };
    keepLoading();
    const step = () => new Promise((resolve) => setTimeout(resolve, 5));
    (async () => {
      const report = {};
      do await step();
      while (getComputedStyle(document.documentElement).visibility !== "visible");
      report.form = shown(named("form .n7"));
      report.class = shown(named(".n5"));
      report.case = shown(named("#case"));
      report.mixed = shown(named("#other"));
      const added = document.createElement("div");
      added.innerHTML = "<b><i class='x n9 y'>F</i></b>";
      document.body.append(added);
      await new Promise((resolve) => setTimeout(resolve, 0));
      report.added = shown(named("i"));
      named("#late").className = "y n10";
      await new Promise((resolve) => setTimeout(resolve, 0));
      report.changed = shown(named("#late"));
      const early = named("#early").attachShadow({ mode: "open" });
      early.innerHTML = "<p class=n12>H</p>";
      report.early = shown(early.firstChild);
      for (let turn = 0; turn < 20 && shown(named("#strong")) === "shown"; turn++) await step();
      report.strong = shown(named("#strong"));
      report.during = document.readyState;
      isBusy = false;
      await new Promise((resolve) => addEventListener("load", resolve));
      const root = named("#host").attachShadow({ mode: "open" });
      root.innerHTML = "<p class=n5>G</p>";
      const sheets = Object.getOwnPropertyDescriptor(Document.prototype, "adoptedStyleSheets").get;
      for (let turn = 0; turn < 400; turn++) {
        report.shadow = shown(root.firstChild);
        report.sheets = sheets.call(document).length;
        if (report.shadow === "hidden" && report.sheets === 0) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      report.class += "," + shown(named(".n5"));
      report.mine = shown(named("#mine"));
      new Image().src = "http://told.test/report?" + encodeURIComponent(JSON.stringify(report));
    })();
    </script>
    """

  private func report(of doctype: String) throws -> [String: String] {
    session.server.answer { request in
      request.url.hasSuffix(".test/")
        ? .init("text/html", doctype + Self.page) : .init("image/png", "")
    }
    return try session.visit("http://names.test/") { _ in
      try eventually("the page reports") { () -> [String: String]? in
        guard let address = session.server.urls.first(where: { $0.contains("/report?") }),
          let query = address.split(separator: "?").last,
          let text = String(query).removingPercentEncoding,
          let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        else { return nil }
        return report.mapValues { "\($0)" }
      }
    }
  }

  func isHiddenInTime() throws {
    let names = (0..<600).map { $0 % 3 == 2 ? "#n\($0)" : ".n\($0)" } + [".n5", ".n8", "#other"]
    let selector = names.joined(separator: ", ")
    try session.use([
      "names": Array(
        """
        [{"trigger": {"url-filter": ".*"}, "action": {"type": "css-display-none", "selector": "\(selector)"}}]
        """.utf8
      )
    ])
    var expected = [
      "form": "hidden", "class": "hidden,hidden", "case": "shown", "mixed": "hidden",
      "added": "hidden", "changed": "hidden", "strong": "hidden", "during": "interactive",
      "early": "hidden", "shadow": "hidden", "sheets": "0", "mine": "shown",
    ]
    #expect(try report(of: "<!doctype html>") == expected)
    // Without a document type, upper and lower case are the same.
    expected["case"] = "hidden"
    #expect(try report(of: "") == expected)
  }
}
