internal import BrowserPipe
internal import ContentRules

extension BrowserVisit {
  /// Hides what the lists hide in every frame.
  func applyHiding(waits: Bool) throws(BrowserFailure) {
    guard appliesLists else { return }
    for frame in hiding.keys.sorted() { try inject(into: frame) }
    if waits { try browser.wait(until: .now + .milliseconds(300)) }
  }

  /// Adds a style sheet to a frame's document, with what it hides and did not hide before.
  func inject(into frame: String) throws(BrowserFailure) {
    guard appliesLists, let rules = hiding[frame], documents[frame] != nil || frame == mainFrame,
      let session = sessions[frame]
    else { return }
    let done = injected[frame] ?? 0
    guard rules.count > done else { return }
    injected[frame] = rules.count
    // One rule for each, so that one selector that Chromium does not know takes nothing with it; what
    // is not closed would, and hides nothing in WebKit.
    let text = rules[done...].filter { SelectorList.isClosed($0.selector) }
      .map { "\($0.selector){display:none!important}" }.joined(separator: "\n")
    try browser.send("CSS.createStyleSheet", ["frameId": .string(frame)], session: session) {
      [weak self] result in
      guard let self, case .success(let answer) = result,
        let sheet = answer["styleSheetId"]?.string
      else { return }
      try? browser.send(
        "CSS.setStyleSheetText",
        ["styleSheetId": .string(sheet), "text": .string(text)],
        session: session
      )
    }
  }

  func collectHiding() {
    // What is hidden on the page itself was collected with its places.
    if visit.hiding.isEmpty { visit.hiding = Self.unique(hiding[mainFrame] ?? []) }
    for frame in hiding.keys.sorted() where frame != mainFrame {
      for rule in Self.unique(hiding[frame] ?? []) where !visit.hiding.contains(rule) {
        // Rules that hide everywhere are told once.
        guard visit.hiding.count < 200_000 else { return }
        visit.hiding.append(rule)
      }
    }
  }

  static func unique(_ rules: [HidingRule]) -> [HidingRule] {
    var seen: Set<HidingRule> = []
    return rules.filter { seen.insert($0).inserted }
  }

  /// Finds the elements that the lists would hide, on the page and in its frames, and where they are.
  func findHidden() throws(BrowserFailure) {
    var finder = HiddenElements(browser: browser)
    let places = try FramePlaces(browser: browser, session: session)
    for frame in [mainFrame] + framesInOrder() {
      guard let rules = hiding[frame], let session = sessions[frame] else { continue }
      guard let owners = owners(of: frame) else { continue }
      try finder.find(
        Self.unique(rules),
        in: frame,
        at: try places.place(of: owners),
        session: session,
        isPage: frame == mainFrame
      )
    }
    visit.hiding = finder.rules
    visit.boxes = finder.boxes
    visit.matchCounts = finder.counts
  }

  /// The frames within the page, those of fewer frames around them first.
  private func framesInOrder() -> [String] {
    var frames: [String] = []
    var outer: Set<String> = [mainFrame]
    while !outer.isEmpty, frames.count < Self.frameLimit {
      let inner = parents.filter { outer.contains($0.value) && !frames.contains($0.key) }.keys
        .sorted()
      frames += inner
      outer = Set(inner)
    }
    return Array(frames.prefix(Self.frameLimit))
  }

  /// The most frames to look for hidden elements in.
  private static let frameLimit = 200

  /// Returns the frames by which a frame is on the page, the outermost one first; `nil` if it is not.
  ///
  /// Places in a process are those in its outermost frame, so that each session is in the way once.
  private func owners(of frame: String) -> [FramePlaces.Owner]? {
    var owners: [FramePlaces.Owner] = []
    var inner = frame
    while inner != mainFrame {
      guard let parent = parents[inner], let session = sessions[parent], let root = roots[session],
        owners.count < 50
      else { return nil }
      owners.append(FramePlaces.Owner(frame: inner, session: session))
      inner = root
    }
    return owners.reversed()
  }
}
