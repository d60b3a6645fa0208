import BrowserDriving
import Testing

extension BrowserTests.InChromium {
  @Test("scenario 4.2: a note takes the place of the page until “View Website”", .withService)
  func noteInPlace() throws { try NoteLife(Self.kind).takesThePlaceOfThePage() }

  @Test("a note is left: back, or away", .withService)
  func noteLeave() throws { try NoteLife(Self.kind).leaves() }

  @Test("a note on one page is for that page and no frame", .withService)
  func notePage() throws { try NoteLife(Self.kind).meansOnePage() }

  @Test("a note comes to pages that are not loaded: by pushState, and from memory", .withService)
  func noteHistory() throws { try NoteLife(Self.kind).comesToPagesThatAreNotLoaded() }

  @Test("a note stands for answers of all sorts, but not for a form's", .withService)
  func noteAnswers() throws { try NoteLife(Self.kind).standsForAnswersOfAllSorts() }

  @Test("a note that changes elsewhere changes in tabs; a killed host is not missed", .withService)
  func noteChanges() throws { try NoteLife(Self.kind).followsTheNotes() }

  @Test("a note stands for what a service worker answers", .withService)
  func noteWorker() throws { try NoteLife(Self.kind).standsForWorkersAnswers() }

  @Test("addresses are read as the host reads them", .withService)
  func noteAddresses() throws { try NoteLife(Self.kind).readsAddressesAsTheHost() }

  @Test("a hostile page cannot read, press or keep away a note", .withService)
  func noteAttacks() throws { try NoteLife(Self.kind).withstandsAHostilePage() }

  @Test("another window of the site cannot read a note", .withService)
  func noteWindows() throws { try NoteLife(Self.kind).isReadByNoOtherWindow() }

  @Test("scenario 4.1, 4.3: notes are added, changed and deleted in the pop-up", .withService)
  func notePopUp() throws { try NoteLife(Self.kind).isKeptInThePopUp() }

  @Test("scenario 4.4: an extension as Safari's articles have it works unchanged", .withService)
  func noteArticle() throws { try NoteArticle(Self.kind).isServed() }

  @Test("scenario 1.5: a script of another extension sets a list", .withService)
  func scriptedList() throws { try ScriptedList(Self.kind).isSet() }

  @Test(
    "notes and their form are pictured",
    .withService,
    .enabled(if: pictures != nil, "no folder")
  )
  func notePictures() throws { try NoteLife(Self.kind).isPictured(in: #require(pictures)) }
}

extension BrowserTests.InFirefox {
  @Test("scenario 4.2: a note takes the place of the page until “View Website”", .withService)
  func noteInPlace() throws { try NoteLife(Self.kind).takesThePlaceOfThePage() }

  @Test("a note is left: back, or away", .withService)
  func noteLeave() throws { try NoteLife(Self.kind).leaves() }

  @Test("a note on one page is for that page and no frame", .withService)
  func notePage() throws { try NoteLife(Self.kind).meansOnePage() }

  @Test("a note comes to pages that are not loaded: by pushState, and from memory", .withService)
  func noteHistory() throws { try NoteLife(Self.kind).comesToPagesThatAreNotLoaded() }

  @Test("a note stands for answers of all sorts, but not for a form's", .withService)
  func noteAnswers() throws { try NoteLife(Self.kind).standsForAnswersOfAllSorts() }

  @Test("a note that changes elsewhere changes in tabs; a killed host is not missed", .withService)
  func noteChanges() throws { try NoteLife(Self.kind).followsTheNotes() }

  @Test("a note stands for what a service worker answers", .withService)
  func noteWorker() throws { try NoteLife(Self.kind).standsForWorkersAnswers() }

  @Test("addresses are read as the host reads them", .withService)
  func noteAddresses() throws { try NoteLife(Self.kind).readsAddressesAsTheHost() }

  @Test("a hostile page cannot read, press or keep away a note", .withService)
  func noteAttacks() throws { try NoteLife(Self.kind).withstandsAHostilePage() }

  @Test("another window of the site cannot read a note", .withService)
  func noteWindows() throws { try NoteLife(Self.kind).isReadByNoOtherWindow() }

  @Test("scenario 4.1, 4.3: notes are added, changed and deleted in the pop-up", .withService)
  func notePopUp() throws { try NoteLife(Self.kind).isKeptInThePopUp() }

  @Test("scenario 4.4: an extension as Safari's articles have it works unchanged", .withService)
  func noteArticle() throws { try NoteArticle(Self.kind).isServed() }

  @Test("scenario 1.5: a script of another extension sets a list", .withService)
  func scriptedList() throws { try ScriptedList(Self.kind).isSet() }

  @Test(
    "notes and their form are pictured",
    .withService,
    .enabled(if: pictures != nil, "no folder")
  )
  func notePictures() throws { try NoteLife(Self.kind).isPictured(in: #require(pictures)) }
}
