import BrowserDriving
import Foundation
import Testing

/// Scenario 4 by an extension that was written for Safari, both halves of it.
struct WholeNotes {
  let kind: BrowserKind

  init(_ kind: BrowserKind) { self.kind = kind }

  /// A note is added in the pop-up, covers the page, is edited, snoozed and deleted.
  func live() throws {
    let whole = try WholeExtension(kind, .notes)
    defer { whole.close() }
    let browser = whole.browser
    let url = "http://article.example/reading"
    let tab = try browser.openTab()
    func words() throws -> String? {
      try browser.evaluate("document.body?.innerText.trim()", in: tab) as? String
    }
    func showing(_ text: String) throws {
      do {
        _ = try eventually("the note says “\(text)”") { () -> Bool? in
          try whole.note(in: tab) == text ? true : nil
        }
      } catch let error as DrivingError {
        throw DrivingError("\(error); the handler has logged: \(try whole.log())")
      }
    }
    try whole.visit(url, in: tab)
    #expect(try words() == "Words")
    #expect(try whole.note(in: tab) == nil)

    try whole.inPopUp(
      about: url,
      "(form.text.value = 'Read it?\\n<i>Now?</i>', form.save.click())"
    )
    try showing("Read it?\n<i>Now?</i>")
    let frame = try #require(try browser.element("page-note", in: tab)?.frame)
    #expect(frame.width >= 500 && frame.height >= 300, "\(frame) does not cover the page")

    let kept = try whole.inPopUp(about: url, "form.text.value")
    #expect(kept as? String == "Read it?\n<i>Now?</i>")
    try whole.inPopUp(about: url, "(form.text.value = 'Then not.', form.save.click())")
    try showing("Then not.")

    try whole.clickInNote(in: tab)
    _ = try eventually("the page comes") { () -> Bool? in
      try whole.note(in: tab) == nil && words() == "Words" ? true : nil
    }
    // Snoozed, and still there.
    #expect(try whole.inPopUp(about: url, "form.text.value") as? String == "Then not.")
    try whole.inPopUp(about: url, "form.delete.click()")
    _ = try eventually("the note is gone") { () -> Bool? in
      try whole.inPopUp(about: url, "form.delete.hidden") as? Bool
    }

    let log = try whole.log()
    for request in [
      "check for \(url)", "add for \(url)", "update for ", "snooze for ", "delete for ",
    ] {
      #expect(log.contains("request \(request)"), "\(log)")
    }
    // Nothing of it came to Tickbird's own notes.
    #expect(try !whole.service.run("notes", "list", "--format", "json").contains("Then not."))
  }
}
