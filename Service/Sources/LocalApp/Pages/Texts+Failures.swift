internal import PageTexts

extension Texts {
  /// Returns the first of several failures, and how many more there are.
  func failures(_ all: [(name: String, reason: Phrase)]) -> Phrase {
    guard let first = all.first else { return Phrase.value("") }
    return all.count > 1
      ? self("item_detail_more", first.name, first.reason, all.count - 1)
      : self("item_detail", first.name, first.reason)
  }
}
