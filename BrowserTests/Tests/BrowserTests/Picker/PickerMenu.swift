import BrowserDriving
import Foundation
import Testing

/// "Hide this element…" in the menu over a page.
extension PickerLife {
  /// The element over which the menu was opened is chosen, and no other; scripts open no menu.
  func picksFromTheMenu() throws {
    try session.visit(Self.page) { tab throws in
      let number = try #require(try session.number(ofTabAt: Self.page))
      // A script's menu is none: what it is over counts for nothing.
      let fake =
        "void document.querySelector('h1').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true }))"
      try browser.click(x: 100, y: 120, in: tab, isSecondary: true)
      _ = try browser.evaluate(fake, in: tab)
      try chooseHide()
      var picker = try pickerWindow(number)
      #expect(
        try subjects(picker).contains { $0.contains("main > p") || $0 == "p" || $0.hasSuffix("p") }
      )
      try close(picker)
      _ = try eventually("choosing has ended") {
        try browser.element(".shield", in: tab) == nil ? true : nil
      }
      try browser.click(x: 100, y: 70, in: tab, isSecondary: true)
      try chooseHide()
      picker = try pickerWindow(number)
      #expect(try subjects(picker).first == "#promo")
      try expect(outlined: ["#promo"], tab)
      try close(picker)
    }
  }

  private func chooseHide() throws {
    let identifier =
      browser.kind == .firefox
      ? "tickbird@tickbird.example" : "ikbgldcboihikpajmomppahfieejmdcj"
    _ = try eventually("the menu's item is chosen") {
      try browser.chooseMenuItem("Hide this element…", id: "pick-element", of: identifier)
        ? true : nil
    }
  }
}
