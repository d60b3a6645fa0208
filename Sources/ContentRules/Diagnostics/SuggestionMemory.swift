/// A cache of suggestions for unknown keys.
///
/// A list with a key of its own has it in every rule, and searching for the nearest word costs more
/// than the rest of the diagnostic.
final class SuggestionMemory {
  private struct Question: Hashable {
    var word: String
    var table: String
  }

  /// The suggestion for an unknown key.
  struct Answer {
    var hint: String?
    /// The key that it probably stands for.
    var word: String?
  }

  private var answers: [Question: Answer] = [:]
  private static let limit = 256

  /// Returns the suggestion for a key that a table lacks.
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
