internal import BrowserPipe
internal import Foundation

extension BrowserVisit {
  /// How long a page that is still busy may take to answer.
  static let calmPatience = Duration.seconds(8)

  /// Ends what would keep the browser from looking at the page: scripts that do not end, and pages that
  /// load themselves again and again.
  ///
  /// - Throws: ``BrowserFailure`` if the browser is gone, or the user interrupts.
  func calm() throws(BrowserFailure) {
    if isSettled, try isAnswering() { return }
    // The first is done as soon as no script runs, and the second makes it so.
    try browser.send(
      "Emulation.setScriptExecutionDisabled",
      ["value": true],
      session: session
    )
    for session in Set(sessions.values).sorted() {
      try browser.send("Runtime.terminateExecution", session: session)
    }
    try browser.send("Page.stopLoading", session: session)
    guard try !isAnswering() else { return }
    isHung = true
    visit.notes.append("the page does not answer any more, so that there is no picture of it")
  }

  private func isAnswering() throws(BrowserFailure) -> Bool {
    do throws(BrowserFailure) {
      _ = try browser.call("Page.getLayoutMetrics", session: session, within: Self.calmPatience)
      return true
    } catch {
      // A page that is left at this moment refuses.
      guard error.code == .noAnswer || error.code == .refused else { throw error }
      return false
    }
  }

  /// Takes a picture of the page, and its title.
  ///
  /// - Throws: ``BrowserFailure`` if the browser is gone, or the user interrupts.
  func takePicture() throws(BrowserFailure) {
    do throws(BrowserFailure) { visit.picture = try picture() } catch {
      guard error.code == .noAnswer || error.code == .refused else { throw error }
      isHung = error.code == .noAnswer
    }
    if visit.picture == nil { visit.notes.append("the browser has made no picture") }
    let title = try? browser.call(
      "Target.getTargetInfo",
      ["targetId": .string(mainFrame)],
      within: Self.calmPatience
    )
    visit.title = title?["targetInfo"]?["title"]?.string ?? ""
  }

  private func picture() throws(BrowserFailure) -> PageVisit.Picture? {
    let metrics = try browser.call("Page.getLayoutMetrics", session: session)
    let size = metrics["cssContentSize"]?.object
    let pageHeight = Int(clamping: size?["height"]?.number ?? 0)
    let height = min(max(pageHeight, Self.viewHeight), Self.pictureHeight)
    let answer = try browser.call(
      "Page.captureScreenshot",
      [
        "format": "jpeg", "quality": 70, "captureBeyondViewport": true,
        "clip": [
          "x": 0, "y": 0, "width": .integer(Self.width), "height": .integer(height), "scale": 0.6,
        ],
      ],
      session: session
    )
    guard let data = answer["data"]?.string, Data(base64Encoded: data) != nil else { return nil }
    return PageVisit.Picture(
      base64: data,
      width: Self.width,
      height: height,
      pageHeight: pageHeight
    )
  }
}

extension Int {
  /// The nearest whole number; 0 for what is no number.
  init(clamping number: Double) {
    self = Int(exactly: number.rounded()) ?? (number > 0 ? .max : number < 0 ? .min : 0)
  }
}
