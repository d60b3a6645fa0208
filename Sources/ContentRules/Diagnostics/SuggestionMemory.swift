/// Remembers what unknown keys were probably meant to be.
///
/// A list that has a key of its own has it in every rule, and looking for the nearest word costs more
/// than all else that is said of it.
final class SuggestionMemory {
  private struct Question: Hashable {
    var word: String
    var table: String
  }

  /// What is said of an unknown key.
  struct Answer {
    var hint: String?
    /// The key that it may stand for.
    var word: String?
  }

  private var answers: [Question: Answer] = [:]
  private static let limit = 256

  /// What is said of a key that a table does not have.
  func key(_ word: String, _ table: WordTable) -> Answer {
    let question = Question(word: word, table: table.words.first ?? "")
    if let answer = answers[question] { return answer }
    if answers.count >= Self.limit { answers.removeAll(keepingCapacity: true) }
    let answer = Answer(
      hint: Suggestion.key(for: word, among: table.words),
      word: Suggestion.keyWord(for: word, among: table.words)
    )
    answers[question] = answer
    return answer
  }
}
