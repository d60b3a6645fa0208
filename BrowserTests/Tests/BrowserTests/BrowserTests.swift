import Testing

/// Everything in browsers, one test after the other.
///
/// A test that the extension has to pass in several browsers takes the browser as its argument;
/// `browsers` and its like say which those are. It takes seconds to start a browser, so that tests
/// share sessions, and come in the order of these suites: first those with a host for tests, then
/// those with the service, at last those with browsers of their own.
@Suite(
  "Browsers",
  .serialized,
  .enabled(if: !everyBrowser.isEmpty, "none of the browsers is installed")
)
struct BrowserTests {
  @Suite("The browser's own rules") struct Declarative {}
  @Suite("What is decided") struct Deciding {}
  @Suite("What is hidden") struct Hiding {}
  @Suite("The pop-up") struct PopUp {}
  @Suite("The logger") struct Logger {}
  @Suite("Single sites") struct Sites {}
  // The first half with a host for tests, the other with the service.
  @Suite("Lists") struct Lists {}
  @Suite("Notes", .withService) struct Notes {}
  @Suite("The options page", .withService) struct Options {}
  @Suite("The element picker", .withService) struct Picker {}
  @Suite("The stream", .withService) struct Stream {}
  @Suite("All pages", .withService) struct Pages {}
  @Suite("The whole extension") struct Shared {}
  @Suite("Other extensions", .withService) struct OtherExtensions {}
  @Suite("Installed for good") struct Installing {}
  @Suite("The first run") struct FirstRun {}
  @Suite("The local app", .withService) struct LocalApp {}
  @Suite("Network logs") struct NetworkLogs {}
  @Suite("The site", .withSite) struct Site {}
}
