import BrowserDriving
import Testing

extension BrowserTests.InChromium {
  @Test("scenario 4.2: a note takes the place of the page until “View Website”", .withService)
  func noteInPlace() throws { try NoteLife(Self.kind).takesThePlaceOfThePage() }
}

extension BrowserTests.InFirefox {
  @Test("scenario 4.2: a note takes the place of the page until “View Website”", .withService)
  func noteInPlace() throws { try NoteLife(Self.kind).takesThePlaceOfThePage() }
}
