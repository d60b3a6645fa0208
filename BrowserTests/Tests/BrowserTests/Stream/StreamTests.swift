import Testing

extension BrowserTests.InChromium {
  @Test(
    "the stream: subscribed from the pop-up, read, searched, opened, kept up to date",
    .withService
  )
  func stream() throws { try StreamLife(Self.kind).lives() }

  @Test("the stream: feeds chosen and taken away, many links, keys, faults", .withService)
  func streamUse() throws { try StreamLife(Self.kind).choosesAndPages() }

  @Test("the stream: hostile feeds and pages", .withService)
  func hostileStream() throws { try StreamLife(Self.kind).isNotTakenOver() }

  @Test("the stream: a missing host is reported")
  func streamWithoutHost() throws { try StreamLife.tellsOfAMissingHost(Self.kind) }

  @Test(
    "the stream: pictures",
    .withService,
    .enabled(if: pictures != nil, "no folder for pictures")
  )
  func streamPictures() throws {
    if let pictures { try StreamPictures(Self.kind, pictures).take() }
  }
}

extension BrowserTests.InFirefox {
  @Test(
    "the stream: subscribed from the pop-up, read, searched, opened, kept up to date",
    .withService
  )
  func stream() throws { try StreamLife(Self.kind).lives() }

  @Test("the stream: feeds chosen and taken away, many links, keys, faults", .withService)
  func streamUse() throws { try StreamLife(Self.kind).choosesAndPages() }

  @Test("the stream: hostile feeds and pages", .withService)
  func hostileStream() throws { try StreamLife(Self.kind).isNotTakenOver() }

  @Test("the stream: a missing host is reported")
  func streamWithoutHost() throws { try StreamLife.tellsOfAMissingHost(Self.kind) }

  @Test(
    "the stream: pictures",
    .withService,
    .enabled(if: pictures != nil, "no folder for pictures")
  )
  func streamPictures() throws {
    if let pictures { try StreamPictures(Self.kind, pictures).take() }
  }
}
