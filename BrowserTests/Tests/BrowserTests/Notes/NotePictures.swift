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
    let name = browser.kind.rawValue
    for isDark in [false, true] {
      let scheme = isDark ? "dark" : "light"
      try browser.setDark(isDark)
      try removeAll()
      let id = try add("kitchen.example", Self.words, "--emoji", "🍲")
      func picture(_ what: String, _ width: Int, _ height: Int, _ tab: BrowserTab) throws {
        try browser.setSize(width: width, height: height, of: tab)
        Thread.sleep(forTimeInterval: 0.7)
        try browser.screenshot(of: tab)
          .write(to: folder.appending(path: "\(what)-\(name)-\(scheme).png"))
      }
      try session.visit("http://kitchen.example/") { tab throws in
        try expectNote(tab)
        try picture("note", 1000, 700, tab)
        try picture("note-phone", 390, 760, tab)
        try picture("note-low", 900, 340, tab)
        try service.run("notes", "edit", id, "--text", Self.longWords)
        _ = try eventually("the long text is there") { () -> Bool? in
          try browser.element(".long", in: tab) == nil ? nil : true
        }
        try picture("note-long", 1000, 700, tab)
        try picture("note-long-phone", 390, 760, tab)
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
        try picture("note-announced", 1000, 700, tab)
        try expectNote(tab)
        try picture("note-cover", 1000, 700, tab)
        try service.run("notes", "snooze", id)
        try expectPage(tab, "Words")
        try withPopUp(of: "http://kitchen.example/") { popUp throws in
          try picture("popup-notes", 380, 560, popUp)
          try press("Edit", popUp)
          try picture("popup-note-editor", 380, 640, popUp)
        }
      }
    }
    try browser.setDark(false)
  }
}
