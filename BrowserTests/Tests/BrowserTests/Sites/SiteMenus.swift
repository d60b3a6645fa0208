import BrowserDriving
import Foundation
import Testing

/// Menus, keys and the toolbar's button.
struct SiteMenus {
  let settings: SiteSettings
  var session: Session { settings.session }
  var browser: any Browser { session.browser }

  init(_ browser: TestBrowser) throws { settings = try SiteSettings(browser) }

  /// Carries an entry out for the tab of the page, as a menu or key does.
  private func choose(_ id: String) throws {
    let tab = "(await api.tabs.query({})).find((tab) => tab.url === \(quoted(SiteSettings.page)))"
    // Chromium tells as if the key was pressed; Firefox lets nobody do that.
    let call =
      browser.kind == .chromium
      ? "void api.commands.onCommand.dispatch(\(quoted(id)), \(tab))"
      : "tickbird.choose(\(quoted(id)), \(tab)).then(() => true)"
    _ = try browser.evaluateInBackground(call)
  }

  private func state(_ expression: String) throws -> Any? {
    try browser.evaluateInBackground("tickbird.state.settings.\(expression)")
  }

  /// What the browser and the background have at a failure: a choice that came late, or a page that did not.
  private func situation(_ tab: BrowserTab) -> String {
    let ofPage = "[location.href, document.readyState, !!document.querySelector('.ad')].join()"
    let ofBackground = """
      (async () => {
        const { settings, tabs } = tickbird.state;
        const open = await api.tabs.query({});
        return JSON.stringify({
          allowed: settings.allowedSites, exempt: settings.exemptSites, off: settings.tabsOff.all,
          rules: tickbird.state.siteRules?.fault ?? null,
          tabs: await Promise.all(open.map(async ({ id, url, status }) => ({
            id, url, status, known: tabs.shown(id).top?.url,
            title: await (api.action ?? api.browserAction).getTitle({ tabId: id }),
          }))),
        });
      })()
      """
    func answer(_ ask: () throws -> Any?) -> String {
      do { return "\(try ask() ?? "nothing")" } catch { return "\(error)" }
    }
    return "the page: \(answer { try browser.evaluate(ofPage, in: tab) }); "
      + "the background: \(answer { try browser.evaluateInBackground(ofBackground) })"
  }

  private func awaitValue(_ expression: String, _ value: String) throws {
    _ = try eventually("\(expression) is \(value)") { () -> Bool? in
      try state("\(expression).join()") as? String == value ? true : nil
    }
  }

  func act() throws {
    let commands =
      try browser.evaluateInBackground(
        "(await api.commands.getAll()).filter(({ shortcut }) => shortcut).map(({ name }) => name).sort().join()"
      ) as? String ?? ""
    #expect(commands == "open-logger,pick-element,toggle-site")
    try session.visit(SiteSettings.page) { tab throws in
      func awaitHidden(_ isHidden: Bool) throws {
        do {
          _ = try eventually("it is \(isHidden ? "hidden" : "shown")") { () -> Bool? in
            try? session.isShown(".ad", in: tab) == !isHidden ? true : nil
          }
        } catch {
          throw DrivingError("\(error); \(situation(tab))")
        }
      }
      try awaitHidden(true)
      try choose("toggle-site")
      try awaitValue("allowedSites", "choice.test")
      try awaitHidden(false)
      try choose("toggle-site")
      try awaitValue("allowedSites", "")
      try awaitHidden(true)
      try choose("allow-while")
      try awaitValue("exemptSites", "choice.test")
      try awaitHidden(false)
      try choose("toggle-site")
      try awaitValue("exemptSites", "")
      try awaitHidden(true)
      try choose("tab-off")
      try awaitHidden(false)
      #expect(try state("exemptSites.length") as? Int == 0)
      try choose("toggle-site")
      try awaitHidden(true)
      try choose("open-logger")
      _ = try eventually("the logger is open") { () -> Bool? in
        let urls = try browser.evaluateInBackground(
          "(await api.tabs.query({})).map(({ url }) => url)"
        )
        return (urls as? [String])?.contains { $0.contains("logger/logger.html") } == true
          ? true : nil
      }
      _ = try browser.evaluateInBackground(
        "api.tabs.remove((await api.tabs.query({})).find(({ url }) => url.includes('logger.html')).id)"
      )
    }
    try settings.forget()
  }

  // MARK: The button

  func showTheState() throws {
    try session.visit(SiteSettings.page) { tab throws in
      let number = try #require(try session.number(ofTabAt: SiteSettings.page))
      func awaitTitle(_ title: String) throws {
        let button = "(api.action ?? api.browserAction)"
        _ = try eventually("the button says “\(title)”") { () -> Bool? in
          try browser.evaluateInBackground("\(button).getTitle({ tabId: \(number) })") as? String
            == title ? true : nil
        }
      }
      func awaitBadge(_ text: String) throws {
        let button = "(api.action ?? api.browserAction)"
        _ = try eventually("the number is “\(text)”") { () -> Bool? in
          try browser.evaluateInBackground("\(button).getBadgeText({ tabId: \(number) })")
            as? String
            == text ? true : nil
        }
      }
      try awaitBadge("2")
      _ = try browser.evaluateInBackground("tickbird.answer({ type: 'set-badge', isShown: false })")
      try awaitBadge("")
      _ = try browser.evaluateInBackground("tickbird.answer({ type: 'set-badge', isShown: true })")
      try awaitBadge("2")
      try settings.choose("strict")
      try awaitTitle("Tickbird: strict on this site")
      try settings.choose("relaxed")
      try awaitTitle("Tickbird: relaxed on this site")
      _ = try browser.evaluateInBackground(
        "tickbird.answer({ type: 'tab-off', tabId: \(number), site: 'choice.test', isOff: true })"
      )
      try awaitTitle("Tickbird: off for this tab")
    }
    try settings.forget()
  }
}
