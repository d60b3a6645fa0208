import BrowserDriving
import Foundation
import Testing

/// Pictures of notes, for the documents and the critical eye.
extension NoteLife {
  private static let words = """
    You came for the recipe.
    The rest can wait until you have eaten.
    """

  private static let longWords = """
    Before you read on, here is what you wrote to yourself in spring:

    \((1...14).map { number in
      "\(number). The news of this hour is the old news of the next one. Read it once a day, after "
        + "lunch, and then the paper, not the comments below it."
    }.joined(separator: "\n"))

    Go for a walk instead. 🌳
    """

  /// Writes pictures of the note and of the pop-up's form.
  func isPictured(in folder: URL) throws {
    serve("Words")
    for isDark in [false, true] {
      try browser.setDark(isDark)
      try removeAll()
      let id = try add("kitchen.example", Self.words, "--emoji", "🍲")
      let pictures = Pictures(browser: browser, folder: folder, isDark: isDark)
      try session.visit("http://kitchen.example/") { tab throws in
        try expectNote(tab)
        try pictures.take("note", 1000, 700, of: tab)
        try pictures.take("note-phone", 390, 760, of: tab)
        try pictures.take("note-low", 900, 340, of: tab)
        try service.run("notes", "edit", id, "--text", Self.longWords)
        _ = try eventually("the long text is there") { () -> Bool? in
          try browser.element(".long", in: tab) == nil ? nil : true
        }
        try pictures.take("note-long", 1000, 700, of: tab)
        try pictures.take("note-long-phone", 390, 760, of: tab)
      }
      try service.run("notes", "edit", id, "--text", Self.words)
      try service.run("notes", "snooze", id)
      try waitForIndex()
      try session.visit("http://kitchen.example/") { tab throws in
        try expectPage(tab, "Words")
        try browser.setSize(width: 1000, height: 700, of: tab)
        try endSnoozing()
        _ = try eventually("the note is announced") {
          try browser.element(".announcement", in: tab)
        }
        try pictures.take("note-announced", 1000, 700, of: tab)
        try expectNote(tab)
        try pictures.take("note-cover", 1000, 700, of: tab)
        try service.run("notes", "snooze", id)
        try expectPage(tab, "Words")
        try withPopUp(of: "http://kitchen.example/") { popUp throws in
          try pictures.take("popup-notes", 380, 560, of: popUp)
          try press("Edit", popUp)
          try pictures.take("popup-note-editor", 380, 640, of: popUp)
        }
      }
    }
    try browser.setDark(false)
  }
}
