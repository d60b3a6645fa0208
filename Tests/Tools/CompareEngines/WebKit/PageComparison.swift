import ContentBlocking
import ReferenceMatcher
import ResourceLoads
import WebURL

/// Compares the engine with WebKit on a page that WebKit has loaded.
struct PageComparison {
  let plan: PagePlan
  /// The number of loads and probes that both have decided.
  private(set) var verdicts = 0
  /// The number of loads that WebKit's answer says nothing about.
  private(set) var unseen = 0
  private(set) var disagreements: [String] = []

  init(_ plan: PagePlan) { self.plan = plan }

  /// Compares WebKit's answer with the engine's.
  mutating func compare(_ answer: JSONValue) {
    guard var model = PageModel(plan.lists), let page = answer.object?["page"]?.object else {
      disagreements.append("no answer: \(answer.text)")
      return
    }
    let (top, fate, pageSheet) = model.documentLoad(
      plan.page,
      frame: plan.from,
      method: plan.method,
      isTop: true,
      top: plan.page
    )
    compare(fate, page, plan.page, "page", comparesCookies: true)
    guard !fate.isBlocked, page["outcome"] != .string("blocked") else { return }
    var sheet = pageSheet
    let answers = page["subresources"]?.array ?? []
    for (planned, answer) in zip(plan.loads, answers) {
      let answer = answer.object ?? [:]
      if planned.kind == "child-document" {
        compareFrame(planned, answer, top, &model)
        continue
      }
      let fate = model.subresource(
        planned,
        top: top,
        document: top,
        isTopFrame: true,
        method: plan.method,
        &sheet
      )
      compare(fate, answer, planned)
    }
    compareHiding(sheet, page, "page", model.globalSelectors)
  }

  private mutating func compareFrame(
    _ planned: PagePlan.Load,
    _ answer: [String: JSONValue],
    _ top: WebURL,
    _ model: inout PageModel
  ) {
    let (document, fate, frameSheet) = model.documentLoad(
      planned.url,
      frame: nil,
      method: .get,
      isTop: false,
      top: top
    )
    compare(fate, answer, planned)
    guard !fate.isBlocked, answer["outcome"] != .string("blocked") else { return }
    var sheet = frameSheet
    for (inner, answer) in zip(planned.children, answer["subresources"]?.array ?? []) {
      let fate = model.subresource(
        inner,
        top: top,
        document: document,
        isTopFrame: false,
        method: .get,
        &sheet
      )
      compare(fate, answer.object ?? [:], inner)
    }
    compareHiding(sheet, answer, "frame \(planned.url)", model.globalSelectors)
  }

  private mutating func compare(
    _ fate: PageModel.Fate,
    _ answer: [String: JSONValue],
    _ planned: PagePlan.Load
  ) {
    // Only these send cookies to hosts other than the page's.
    let kinds = [
      "image", "css-image", "script", "style-sheet", "css-import", "fetch", "xhr", "xhr-sync",
      "websocket", "beacon", "child-document",
    ]
    compare(
      fate,
      answer,
      planned.url,
      planned.kind,
      comparesCookies: kinds.contains(planned.kind)
    )
  }

  private mutating func compare(
    _ fate: PageModel.Fate,
    _ answer: [String: JSONValue],
    _ url: WebURL,
    _ kind: String,
    comparesCookies: Bool
  ) {
    let outcome = answer["outcome"]?.string ?? "?"
    // A popup's page is never loaded, so nothing arrives.
    let arrived = kind == "popup" || answer["final_url"]?.string != nil
    guard outcome == "blocked" || arrived && ["loaded", "upgraded"].contains(outcome) else {
      unseen += 1
      return
    }
    verdicts += 1
    if let href = answer["href"]?.string, href != url.serialized {
      disagreements.append("\(kind) \(url) is spelled \(href)")
    }
    let isOpen = kind == "popup" && !fate.isBlocked
    let expected =
      fate.isBlocked ? "blocked" : fate.isUpgraded && !isOpen ? "upgraded" : "loaded"
    if outcome != expected && !(isOpen && outcome == "upgraded") {
      disagreements.append("\(kind) \(url): WebKit \(outcome), engine \(expected)")
      return
    }
    if comparesCookies, outcome != "blocked", let cookies = answer["cookies"]?.boolean {
      // A jar keeps no cookie for a public suffix, so none is sent there whatever a rule says.
      if cookies != fate.hasCookies, cookies || !isPublicSuffix(url) {
        disagreements.append(
          "\(kind) \(url): cookies: WebKit \(cookies), engine \(fate.hasCookies)"
        )
      }
    }
  }

  private mutating func compareHiding(
    _ sheet: PageModel.Sheet,
    _ answer: [String: JSONValue],
    _ name: String,
    _ global: [String?]
  ) {
    var selectors = sheet.selectors
    for list in sheet.attached {
      if let text = global[list] { selectors.formUnion(PageModel.Sheet.split(text)) }
    }
    for (probe, value) in answer["hidden"]?.object ?? [:] {
      guard let isHidden = value.boolean else { continue }
      verdicts += 1
      if isHidden != selectors.contains(probe) {
        disagreements.append(
          "\(name): \(probe): WebKit hides \(isHidden), engine \(selectors.contains(probe))"
        )
      }
    }
  }

  private func isPublicSuffix(_ url: WebURL) -> Bool {
    var host = Array((url.host ?? "").utf8)
    if host.last == UInt8(ascii: ".") { host.removeLast() }
    return PublicSuffixList.publicSuffix(ofHost: host.span) == 0..<host.count
  }
}
