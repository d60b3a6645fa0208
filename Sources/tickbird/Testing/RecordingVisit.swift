internal import BrowserPipe
internal import Foundation

/// A visit of a page in Chromium without a window, as a network log.
///
/// Chromium is asked by its DevTools protocol for what it requests; what it says is written as its
/// developer tools write a log (HAR), so that pages, frames and types are found as in any other log.
/// The visit ends when the page has loaded and asks for nothing more for a while, and in any case
/// after ``limit``.
struct RecordingVisit {
  /// The page.
  let url: String
  /// The browser, which visits nothing else.
  let browser: DevToolsConnection

  /// Arguments of the browser: the size of the window.
  static let arguments = ["--window-size=1280,900"]
  /// How long a page may take to load.
  private static let limit = Duration.seconds(30)
  /// The time without a request after which a loaded page is at rest.
  private static let rest = Duration.seconds(2)

  /// Whether a text is the address of a page instead of a file's path.
  static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("http://") || text.hasPrefix("https://")
  }

  /// Visits the page.
  ///
  /// - Returns: The network log.
  /// - Throws: ``BrowserFailure`` if the browser fails, or cannot load the page.
  func log() throws(BrowserFailure) -> [UInt8] {
    let target = try browser.call("Target.createTarget", ["url": "about:blank"])
    let identifier = target["targetId"]?.string ?? ""
    let attached = try browser.call(
      "Target.attachToTarget",
      ["targetId": .string(identifier), "flatten": true]
    )
    let session = attached["sessionId"]?.string ?? ""
    var recorder = VisitRecorder(frame: identifier, session: session)
    browser.onEvent = { recorder.hear($0, $1, from: $2 ?? "", browser) }
    defer { browser.onEvent = nil }
    _ = try browser.call("Page.enable", session: session)
    _ = try browser.call("Network.enable", session: session)
    _ = try browser.call("Target.setAutoAttach", VisitRecorder.attaching, session: session)
    // Workers that several pages may share are told by the browser alone.
    let shared: JSONValue = [["type": "shared_worker"], ["exclude": true]]
    _ = try browser.call(
      "Target.setAutoAttach",
      VisitRecorder.attaching.merging(["filter": shared]) { $1 }
    )
    let deadline = ContinuousClock.now + Self.limit
    if let error = try navigate(session) {
      throw BrowserFailure(
        .refused,
        "\(url) cannot be visited: \(error); check the address, or give a network log"
      )
    }
    try browser.wait(until: deadline) {
      recorder.hasLoaded && ContinuousClock.now - recorder.lastRequest > Self.rest
    }
    return recorder.archive()
  }

  /// Opens the page.
  ///
  /// - Returns: Why that failed, in words; `nil` if it did not.
  /// - Throws: ``BrowserFailure`` if the browser fails.
  private func navigate(_ session: String) throws(BrowserFailure) -> String? {
    do throws(BrowserFailure) {
      let answer = try browser.call(
        "Page.navigate",
        ["url": .string(url)],
        session: session,
        within: Self.limit
      )
      return answer["errorText"]?.string
    } catch {
      switch error.code {
      case .noAnswer: return "no answer within \(Self.limit.components.seconds) seconds"
      case .refused: return error.message
      default: throw error
      }
    }
  }
}
