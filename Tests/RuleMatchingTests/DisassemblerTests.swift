import ContentRules
import EngineTestSupport
import Foundation
import ResourceLoads
import RuleCompiler
import RuleMatching
import Testing

/// Takes text and counts its lines.
struct LineCounter: TextOutputStream {
  var lines = 0

  mutating func write(_ text: String) {
    lines += text.utf8.count { $0 == UInt8(ascii: "\n") }
  }
}

@Suite("Disassembler")
struct DisassemblerTests {
  private func text(
    _ bytes: [UInt8],
    _ options: DisassemblyOptions = DisassemblyOptions()
  ) throws -> String {
    var text = ""
    try CompiledRuleList(validating: bytes).disassemble(options, to: &text)
    return text
  }

  @Test(
    "every rule with an entry is shown with what finds it and its slot",
    arguments: [false, true]
  )
  func everyRule(_ withoutTables: Bool) throws {
    let rules = SampleLists.large(150)
    let limits = withoutTables ? SampleLists.noTables : CompilerLimits()
    let bytes = try compile(rules, limits: limits)
    for rule in rules {
      let shown = try text(bytes, DisassemblyOptions(rule: UInt32(rule.index)))
      #expect(shown.contains("rule \(rule.index) (class "), "\(shown)")
      #expect(shown.contains("\nslots\n"))
      #expect(shown.contains("\ncondition ") == (rule.trigger.condition != nil))
    }
    #expect(try text(bytes, DisassemblyOptions(rule: 150)).contains("the list has 150 rules"))
  }

  @Test("the whole text is its sections, one after the other", arguments: Section.allCases)
  func sections(_ section: Section) throws {
    let bytes = try compile(SampleLists.small, source: Array("[{}]".utf8))
    let part = try text(bytes, DisassemblyOptions(section: section))
    #expect(!part.isEmpty)
    #expect(try text(bytes).contains("\n\n" + part))
  }

  @Test("programs name every instruction and set")
  func programs() throws {
    let programs = DisassemblyOptions(section: .programs)
    let threads = try text(
      compile([Rule(0, "x(ab)+[^/:-]$")], limits: SampleLists.noTables),
      programs
    )
    #expect(
      threads == """
        programs: 1
          1: threads of 10 instructions
               0  split 3
               1  .
               2  jump 0
               3  [Xx]
               4  [Aa]
               5  [Bb]
               6  split 4
               7  [^\\-/:]
               8  $
               9  accept

        """
    )
    let table = try text(compile([Rule(0, "^a(b)?c")]), programs)
    #expect(
      table == """
        programs: 1
          129: dfa of 5 states, 4 classes (map at 1), 1 bytes a state
               1  [Aa] → 2
               2  [Bb] → 3, [Cc] → 4
               3  [Cc] → 4
               4  accept

        """
    )
  }

  @Test("texts are cut off and escaped")
  func texts() throws {
    let rule = Rule(0, "a", action: .notify("\"é\u{1}\\" + String(repeating: "x", count: 90)))
    let slots = try text(
      compile([rule]),
      DisassemblyOptions(section: .slots, textLimit: 8)
    )
    #expect(
      slots == #"""
        slots: 1
             0  notify                 first rule 0  "\"é\x01\\xxxx"… (95 bytes)

        """#
    )
  }
}
