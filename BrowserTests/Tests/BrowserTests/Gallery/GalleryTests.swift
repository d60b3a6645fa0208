import Testing

extension BrowserTests.LocalApp {
  @Test(
    "gallery: the pages work from files and from a server, by keyboard, wide and narrow",
    arguments: browsers
  )
  func galleryPages(_ browser: TestBrowser) throws { try GalleryLife(browser).staticPages() }

  @Test("gallery: added, searched and installed from in the local app", arguments: browsers)
  func galleryInLocalApp(_ browser: TestBrowser) throws {
    try GalleryLife(browser).localAppJourney()
  }

  @Test("gallery: pictures", .withPictures, arguments: browsers, [false, true])
  func galleryPictures(_ browser: TestBrowser, isDark: Bool) throws {
    try GalleryLife(browser).showsPages(#require(pictures), isDark: isDark)
  }
}
