import Testing

extension BrowserTests.Notes {
  @Test(
    "scenario 4.2: a note takes the place of the page until “View Website”",
    arguments: browsers
  )
  func noteInPlace(_ browser: TestBrowser) throws { try NoteLife(browser).takesThePlaceOfThePage() }

  @Test("a note is left: back, or away", arguments: browsers)
  func noteLeave(_ browser: TestBrowser) throws { try NoteLife(browser).leaves() }

  @Test("a note on one page is for that page and no frame", arguments: browsers)
  func notePage(_ browser: TestBrowser) throws { try NoteLife(browser).meansOnePage() }

  @Test(
    "a note comes to pages that are not loaded: by pushState, and from memory",
    arguments: browsers
  )
  func noteHistory(_ browser: TestBrowser) throws {
    try NoteLife(browser).comesToPagesThatAreNotLoaded()
  }

  @Test("a note that becomes due is announced, and covers the page as it is", arguments: browsers)
  func noteCover(_ browser: TestBrowser) throws { try NoteLife(browser).comesBackOverThePage() }

  @Test("a note that came by pushState is left to the page before", arguments: browsers)
  func noteCoverLeave(_ browser: TestBrowser) throws {
    try NoteLife(browser).leavesToTheSameDocument()
  }

  @Test(
    "a note stays above a hostile page",
    arguments: everydayBrowsers,
    NoteLife.Overlay.allCases
  )
  func noteCoverAttack(_ browser: TestBrowser, _ overlay: NoteLife.Overlay) throws {
    try NoteLife(browser).staysAbove(overlay)
  }

  @Test("a note stands before a page that is loaded ahead", arguments: prerenderingBrowsers)
  func prerenderedNote(_ browser: TestBrowser) throws {
    try NoteLife(browser).standsBeforePagesLoadedAhead()
  }

  @Test("a note stands for answers of all sorts, but not for a form's", arguments: browsers)
  func noteAnswers(_ browser: TestBrowser) throws {
    try NoteLife(browser).standsForAnswersOfAllSorts()
  }

  @Test(
    "a note that changes elsewhere changes in tabs; a killed host is not missed",
    arguments: browsers
  )
  func noteChanges(_ browser: TestBrowser) throws { try NoteLife(browser).followsTheNotes() }

  @Test("a note stands for what a service worker answers", arguments: browsers)
  func noteWorker(_ browser: TestBrowser) throws { try NoteLife(browser).standsForWorkersAnswers() }

  @Test("addresses are read as the host reads them", arguments: browsers)
  func noteAddresses(_ browser: TestBrowser) throws {
    try NoteLife(browser).readsAddressesAsTheHost()
  }

  @Test("a hostile page cannot read, press or keep away a note", arguments: everydayBrowsers)
  func noteAttacks(_ browser: TestBrowser) throws { try NoteLife(browser).withstandsAHostilePage() }

  @Test("a hostile page cannot paint itself over a note in its place", arguments: everydayBrowsers)
  func noteShadow(_ browser: TestBrowser) throws { try NoteLife(browser).withstandsAShadow() }

  @Test("another window of the site cannot read a note", arguments: everyBrowser)
  func noteWindows(_ browser: TestBrowser) throws { try NoteLife(browser).isReadByNoOtherWindow() }

  @Test(
    "scenario 4.1, 4.3: notes are added, changed and deleted in the pop-up",
    arguments: browsers
  )
  func notePopUp(_ browser: TestBrowser) throws { try NoteLife(browser).isKeptInThePopUp() }

  @Test("“View Website” waits where the note wants it", arguments: browsers)
  func noteWait(_ browser: TestBrowser) throws { try NoteLife(browser).letsViewingWait() }

  @Test("each view of a day makes the next wait longer, up to ten minutes", arguments: everyBrowser)
  func noteGrowth(_ browser: TestBrowser) throws { try NoteLife(browser).letsEachViewWaitLonger() }

  @Test("a note comes over the open page when its free minutes end", arguments: everyBrowser)
  func noteMinutes(_ browser: TestBrowser) throws {
    try NoteLife(browser).returnsWhenTheFreeMinutesEnd()
  }

  @Test("a note comes when what is free of a day is used up, and at its times", arguments: browsers)
  func noteLimit(_ browser: TestBrowser) throws { try NoteLife(browser).leavesVisitsFree() }

  @Test("a focus session lets nobody past a note", arguments: browsers)
  func noteFocus(_ browser: TestBrowser) throws { try NoteLife(browser).focuses() }

  @Test("when a note is shown is chosen in the pop-up", arguments: browsers)
  func notePlanPopUp(_ browser: TestBrowser) throws { try NoteLife(browser).isPlannedInThePopUp() }

  @Test("notes and their form are pictured", .withPictures, arguments: browsers)
  func notePictures(_ browser: TestBrowser) throws {
    try NoteLife(browser).isPictured(in: #require(pictures))
  }
}
