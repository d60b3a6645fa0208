import BrowserDriving
import Testing

extension BrowserTests.InChromium {
  @Test("local app: opened by its address, every page works by hand", .withService)
  func localApp() throws { try LocalAppLife(Self.kind).worksByHand() }

  @Test(
    "local app: other sites, and other ports of this host, read and change nothing",
    .withService
  )
  func localAppForeigners() throws { try LocalAppLife(Self.kind).keepsOthersOut() }

  @Test("local app: a name that was made to lead here is refused", .withService)
  func localAppRebinding() throws { try LocalAppLife(Self.kind).refusesReboundNames() }

  @Test(
    "local app: pictures",
    .withService,
    .enabled(if: pictures != nil, "no pictures are wanted"),
    arguments: [false, true]
  )
  func localAppPictures(isDark: Bool) throws {
    try LocalAppLife(Self.kind).showsPages(#require(pictures), isDark: isDark)
  }
}

extension BrowserTests.InFirefox {
  @Test("local app: opened by its address, every page works by hand", .withService)
  func localApp() throws { try LocalAppLife(Self.kind).worksByHand() }

  @Test(
    "local app: other sites, and other ports of this host, read and change nothing",
    .withService
  )
  func localAppForeigners() throws { try LocalAppLife(Self.kind).keepsOthersOut() }

  @Test("local app: a name that was made to lead here is refused", .withService)
  func localAppRebinding() throws { try LocalAppLife(Self.kind).refusesReboundNames() }

  @Test(
    "local app: pictures",
    .withService,
    .enabled(if: pictures != nil, "no pictures are wanted"),
    arguments: [false, true]
  )
  func localAppPictures(isDark: Bool) throws {
    try LocalAppLife(Self.kind).showsPages(#require(pictures), isDark: isDark)
  }
}
