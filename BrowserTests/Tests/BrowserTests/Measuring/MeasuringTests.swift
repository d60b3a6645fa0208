import Testing

/// What everything costs in browsers; `Scripts/measure-browsers` runs it.
///
/// Times say something on a quiet machine alone, so nothing is checked but that all of it works.
@Suite(
  "Measurements",
  .serialized,
  .enabled(if: Report.file != nil, "TICKBIRD_MEASURE asks for it")
)
struct MeasuringTests {
  @Test("a page of which nothing is blocked, beside one that only listens", arguments: browsers)
  func pages(_ browser: TestBrowser) throws { try PageLoads(browser).measure() }

  @Test("a news page, beside what a user would have in Tickbird's place", arguments: everyBrowser)
  func news(_ browser: TestBrowser) throws { try NewsPages(browser).measure() }

  @Test("the browser's start, until decisions are exact", arguments: StartTimes.browsers)
  func starts(_ browser: TestBrowser) throws { try StartTimes(browser).measure() }

  @Test("the matcher and the pop-up in the background of a browser", arguments: browsers)
  func matcher(_ browser: TestBrowser) throws { try MatcherCosts(browser).measure() }

  @Test("the time until a change in the service acts", .withService, arguments: everyBrowser)
  func changes(_ browser: TestBrowser) throws { try ListChanges(browser).measure() }
}
