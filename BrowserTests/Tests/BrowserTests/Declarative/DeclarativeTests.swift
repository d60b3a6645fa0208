import Testing

extension BrowserTests.Declarative {
  private static let reason = "there the browser's own rules block"

  @Test(
    "Firefox says of translated rules what the model says, and of exact ones what the engine does",
    .only(in: .firefox, because: "Chromium is asked by the extension's own rules")
  )
  func rules() throws { try FirefoxRules.with { try $0.comparesForms() } }

  @Test(
    "Firefox decides the log by exact rules as the engine does",
    .only(
      in: .firefox,
      because: "in Chromium the extension has such rules, and what they let through is compared"
    ),
    .withLogs
  )
  func logRules() throws { try FirefoxRules.with { try $0.comparesLog() } }

  @Test(
    "the first request is blocked, in a new profile and after a new start",
    .only(in: .ordinaryChromium, because: reason)
  )
  func restart() throws { try OrdinaryChromium.blocksFromTheFirstRequest() }

  @Test(
    "what was blocked is reported with its rule, and nothing else",
    .only(in: .ordinaryChromium, because: reason)
  )
  func journal() throws { try OrdinaryChromium().tellsWhatWasBlocked() }

  @Test(
    "what exact rules decide is what reaches the server",
    .only(in: .ordinaryChromium, because: reason),
    .withLogs
  )
  func exactOutcome() throws { try OrdinaryChromium().actsAsTheEngine() }

  @Test(
    "Chromium says of its rules what the model says",
    .only(in: .ordinaryChromium, because: reason)
  )
  func model() throws { try OrdinaryChromium().checksTheModel() }
}
