import BrowserDriving

extension Browser {
  /// Whether a page shows a text.
  func says(_ text: String, in page: BrowserTab) throws -> Bool {
    (try evaluate("document.body?.innerText", in: page) as? String)?.contains(text) == true
  }

  /// Waits until a page shows a text.
  ///
  /// - Throws: ``DrivingError``, with what the page shows instead.
  func expectText(_ text: String, in page: BrowserTab) throws {
    try tellingText(of: page) {
      _ = try eventually("the page says “\(text)”") { try says(text, in: page) ? true : nil }
    }
  }

  /// Lets errors of the driver say what a page shows.
  func tellingText(of page: BrowserTab, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DrivingError {
      // The first error stays, also if the page is gone.
      throw DrivingError("\(error): \((try? evaluate("document.body?.innerText", in: page)) ?? "")")
    }
  }
}
