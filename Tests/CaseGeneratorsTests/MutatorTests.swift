import CaseGenerators
import ReferenceMatcher
import TestSupport
import Testing

struct MutatorTests {
  private func value(seed: UInt64) -> JSONValue {
    .array(CaseGenerator().makeCase(seed: seed).rules)
  }

  @Test func spellingsMeanTheSame() throws {
    var random = RandomSource(seed: 1)
    var texts: Set<String> = []
    for seed in 0..<100 {
      let value = value(seed: UInt64(seed))
      let text = RuleListSpeller().text(for: value, using: &random)
      #expect(try JSONValue(parsing: text.utf8) == value, "\(text)")
      #expect(try JSONValue(parsing: value.text.utf8) == value)
      texts.insert(text)
    }
    #expect(texts.count == 100)
    #expect(texts.contains { $0.contains("\\x") } && texts.contains { $0.contains("\\u") })
  }

  /// A useful mutator causes many different errors, and often none.
  @Test func damagedValuesAreRefusedForManyReasons() {
    var random = RandomSource(seed: 2)
    var names: [String: Int] = [:]
    for seed in 0..<1_500 {
      let damaged = RuleListMutator().mutated(value(seed: UInt64(seed)), using: &random)
      names[refusal(of: damaged.text.utf8), default: 0] += 1
    }
    #expect(names["accepted", default: 0] > 200)
    #expect(names.count > 15, "\(names)")
  }

  @Test func damagedTextsAreOftenRefusedAndSometimesNot() {
    var random = RandomSource(seed: 3)
    var names: [String: Int] = [:]
    for seed in 0..<500 {
      let text = Array(value(seed: UInt64(seed)).text.utf8)
      let damaged = RuleListMutator().mutated(text, using: &random)
      names[refusal(of: damaged), default: 0] += 1
    }
    #expect(names["JSONInvalid", default: 0] > 50)
    #expect(names["accepted", default: 0] > 50)
  }

  @Test func oneSeedDamagesInOneWay() {
    let text = Array(value(seed: 9).text.utf8)
    var first = RandomSource(seed: 4)
    var second = RandomSource(seed: 4)
    for _ in 0..<50 {
      #expect(
        RuleListMutator().mutated(text, using: &first)
          == RuleListMutator().mutated(text, using: &second)
      )
    }
    #expect(
      RuleListMutator().mutated(value(seed: 9), using: &first)
        == RuleListMutator().mutated(value(seed: 9), using: &second)
    )
  }

  private func refusal(of text: some Sequence<UInt8>) -> String {
    do {
      _ = try ReferenceRuleList(
        jsonText: text,
        isSelectorValid: GeneratedCase.isSelectorValid
      )
      return "accepted"
    } catch let refusal as ReferenceRefusal {
      return refusal.name
    } catch { return "\(error)" }
  }
}
