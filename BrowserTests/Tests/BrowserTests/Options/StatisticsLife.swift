import BrowserDriving
import Foundation
import Testing

/// Statistics: what was blocked is counted, shown, and deleted.
extension OptionsLife {
  private func serveAdvertisements() {
    session.server.answer { request in
      let count = request.url.contains("open.com") ? 3 : 2
      let images = (1...count).map { "<img src='http://third.test/pixel/\($0)'>" }.joined()
      return .page("<body><p>News\(images)")
    }
  }

  private func blocked(on url: String, is count: Int) throws {
    _ = try eventually("\(count) requests are counted on \(url)") {
      (try session.page(url)["counts"] as? [String: Int])?["block"] == count ? true : nil
    }
  }

  private func texts(_ selector: String, _ page: BrowserTab) throws -> [String] {
    let script =
      "[...document.querySelectorAll(\(quoted(selector)))].map((each) => each.textContent)"
    return try browser.evaluate(script, in: page) as? [String] ?? []
  }

  private func expect(_ selector: String, hasTexts wanted: [String], _ page: BrowserTab) throws {
    _ = try eventually("\(selector) says \(wanted)") {
      try texts(selector, page) == wanted ? true : nil
    }
  }

  /// How much the browser's database has.
  private static let kept = """
    new Promise((resolve, reject) => {
      const opening = indexedDB.open("tickbird-statistics", 1);
      opening.onerror = reject;
      opening.onsuccess = () => {
        const reading = opening.result.transaction("days").objectStore("days").getAll();
        reading.onsuccess = () => {
          opening.result.close();
          resolve(reading.result.reduce((sum, { blocked }) => sum + blocked, 0));
        };
      };
    })
    """

  private func choose(range: Int, _ page: BrowserTab) throws {
    try press("#statistics-range input[value=\"\(range)\"]", nil, page)
  }

  /// Blocked requests are counted by site, list and day, until they are deleted.
  func keepsStatistics() throws {
    try session.use(
      json: #"[{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]"#
    )
    serveAdvertisements()
    _ = try browser.evaluateInBackground("tickbird.answer({ type: 'forget-statistics' })")
    try visitOptions("statistics") { page throws in
      try expectText("As soon as a list blocks something", page)
      try expectReadable(page, browser)
    }
    for (url, count) in [("http://open.com/", 3), ("http://www.other.org/", 2)] {
      try session.visit(url) { _ in try blocked(on: url, is: count) }
    }
    try session.visit("http://www.other.org/") { _ throws in
      try blocked(on: "http://www.other.org/", is: 2)
      try withPopUp(of: "http://www.other.org/") { popUp throws in
        try expectText("2 blocked here, 7 today", popUp)
        try expectReadable(popUp, browser)
      }
    }
    // They are written by themselves a few seconds later, and outlive the browser.
    _ = try eventually("the counts are kept") {
      try browser.evaluateInBackground(Self.kept) as? Int == 7 ? true : nil
    }
    try session.restart()
    serveAdvertisements()
    try visitOptions("statistics") { page throws in
      try expectText("7 requests blocked in 7 days", page)
      #expect(try count("#statistics-chart .column", page) == 7)
      try expect("#statistics-chart .amount", hasTexts: ["7"], page)
      try expect("#statistics-table .amount", hasTexts: ["7"], page)
      try expect("#statistics-sites bdi", hasTexts: ["other.org", "open.com"], page)
      try expect("#statistics-sites .amount", hasTexts: ["4", "3"], page)
      try expect("#statistics-lists bdi", hasTexts: ["Rules"], page)
      try expect("#statistics-lists .amount", hasTexts: ["7"], page)
      // The bar of the most is the highest, and its height that of its number.
      let shares =
        try browser.evaluate(
          """
          (() => {
            const plot = document.querySelector(".plot").clientHeight;
            const heights = [...document.querySelectorAll(".stick")].map((bar) => bar.offsetHeight);
            return [Math.round(Math.max(...heights) / plot * 10), heights.filter((each) => each > 0).length];
          })()
          """,
          in: page
        ) as? [Int]
      #expect(shares == [9, 1])
      try expectReadable(page, browser)
      try choose(range: 364, page)
      _ = try eventually("a week has a column") {
        try count("#statistics-chart .column", page) == 52 ? true : nil
      }
      try choose(range: 30, page)
      _ = try eventually("a day has a column") {
        try count("#statistics-chart .column", page) == 30 ? true : nil
      }
      // A site's name goes, and what was blocked there stays a number.
      try press("#statistics-sites button", "Delete", page)
      try press("#statistics-sites button", "Delete this site’s name?", page)
      try expect("#statistics-sites bdi", hasTexts: ["open.com", "All other sites"], page)
      try expect("#statistics-sites .amount", hasTexts: ["3", "4"], page)
      // What is switched off counts nothing.
      try press("#statistics-on", nil, page)
      try session.visit("http://open.com/") { _ throws in
        try blocked(on: "http://open.com/", is: 3)
        try withPopUp(of: "http://open.com/") { popUp throws in
          try expectText("3 blocked", popUp)
          #expect(try session.isShown("#statistics-line", in: popUp) == false)
        }
      }
      try choose(range: 7, page)
      try expectText("7 requests blocked in 7 days", page)
      try press("#statistics-on", nil, page)
      try press("#statistics-table button", "Delete", page)
      // What is shown anew meanwhile takes no question away.
      _ = try browser.evaluate(
        "document.dispatchEvent(new Event('visibilitychange'))",
        in: page
      )
      Thread.sleep(forTimeInterval: 0.3)
      try press("#statistics-table button", "Delete this day?", page)
      try expectText("As soon as a list blocks something", page)
    }
    try session.visit("http://open.com/") { _ in try blocked(on: "http://open.com/", is: 3) }
    try visitOptions("statistics") { page throws in
      try expectText("3 requests blocked in 7 days", page)
      try press("#statistics-delete button", "Delete all statistics", page)
      try press("#statistics-delete button", "Delete them for good?", page)
      try expectText("As soon as a list blocks something", page)
    }
  }

  /// Writes pictures of the statistics of a made-up year, and of none.
  func statisticsArePictured(in folder: URL) throws {
    _ = try browser.evaluateInBackground("tickbird.answer({ type: 'forget-statistics' })")
    for isDark in [false, true] {
      try browser.setDark(isDark)
      let pictures = Pictures(browser: browser, folder: folder, isDark: isDark)
      try visitOptions("statistics") { page throws in
        try pictures.take("options-statistics-none", 900, 560, of: page)
      }
      _ = try browser.evaluateInBackground(
        """
        (async () => {
          const names = ["news.example", "shop.example", "münchen.example", "weather.example", "127.0.0.1"];
          const database = await new Promise((resolve) => {
            const request = indexedDB.open("tickbird-statistics", 1);
            request.onsuccess = () => resolve(request.result);
          });
          const days = database.transaction("days", "readwrite").objectStore("days");
          const today = new Date();
          for (let back = 0; back < 364; back += 1) {
            const time = new Date(today.getFullYear(), today.getMonth(), today.getDate() - back, 12);
            const day = time.toLocaleDateString("sv");
            const blocked = Math.round(420 + 300 * Math.sin(back / 2.3) + 90 * Math.cos(back / 19));
            const shares = [0.4, 0.25, 0.13, 0.1, 0.05].map((share) => Math.round(share * blocked));
            days.put({ day, blocked, sites: names.map((name, place) => [name, shares[place]]),
              otherSites: blocked - shares.reduce((sum, each) => sum + each, 0),
              lists: [["easylist", Math.round(0.7 * blocked), "EasyList"],
                ["easyprivacy", Math.round(0.4 * blocked), "EasyPrivacy"], ["own", Math.round(0.03 * blocked), "My own rules"]] });
          }
          await new Promise((resolve) => { days.transaction.oncomplete = resolve; });
          database.close();
        })()
        """
      )
      try visitOptions("statistics") { page throws in
        try expectText("requests blocked in 7 days", page)
        try pictures.take("options-statistics", 900, 980, of: page)
        try choose(range: 364, page)
        try expectText("blocked in 364 days", page)
        try pictures.take("options-statistics-year", 900, 980, of: page)
        // As in a language that is written from right to left.
        _ = try browser.evaluate("document.documentElement.dir = 'rtl'", in: page)
        try choose(range: 30, page)
        try expectText("blocked in 30 days", page)
        try pictures.take("options-statistics-rtl", 900, 980, of: page)
      }
      _ = try browser.evaluateInBackground("tickbird.answer({ type: 'forget-statistics' })")
    }
    try browser.setDark(false)
  }
}
