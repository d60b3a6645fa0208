import BrowserDriving
import Foundation
import Testing

extension BrowserTests.FirstRun {
  @Test(
    "two steps lead from the installed package to the first blocked advertisement",
    arguments: FirstRunJourney.browsers
  )
  func journey(_ browser: TestBrowser) throws {
    let journey = try FirstRunJourney(browser)
    defer { journey.close() }
    try journey.reachesABlockedAd()
    try Report.addFirstRun(browser, journey)
  }

  @Test("undoing the setup leaves nothing", arguments: FirstRunJourney.browsers)
  func undo(_ browser: TestBrowser) throws {
    let journey = try FirstRunJourney(browser)
    defer { journey.close() }
    try journey.leavesNothing()
  }

  @Test(
    "the first page, and what is done by hand, are pictured",
    .withPictures,
    arguments: FirstRunJourney.browsers.filter { $0.mayBlock }
  )
  func firstRunPictures(_ browser: TestBrowser) throws {
    let journey = try FirstRunJourney(browser)
    defer { journey.close() }
    try journey.isPictured(in: #require(pictures))
  }
}

extension Report {
  /// Adds the steps and times of a first run to the file that `TICKBIRD_FIRST_RUN_REPORT` names, for
  /// `Scripts/measure-first-run`.
  static func addFirstRun(_ browser: TestBrowser, _ journey: FirstRunJourney) throws {
    guard let path = ProcessInfo.processInfo.environment["TICKBIRD_FIRST_RUN_REPORT"] else {
      return
    }
    let times = journey.times.map { "\($0.what)\t\(String(format: "%.1f", $0.seconds))" }
    let lines = ["browser\t\(browser.rawValue)", "steps\t\(journey.steps.count)"] + times
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    try handle.close()
  }
}
