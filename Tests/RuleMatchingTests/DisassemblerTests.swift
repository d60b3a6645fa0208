import ContentRules
import Foundation
import ResourceLoads
import RuleMatching
import Testing

/// Takes text and counts it.
private struct LineCounter: TextOutputStream {
  var lines = 0
  mutating func write(_ text: String) { lines += text.utf8.count { $0 == 10 } }
}

@Suite("Disassembler")
struct DisassemblerTests {
  @Test("the whole of a small list is listed")
  func whole() throws {
    let list = try CompiledRuleList(validating: compile(SampleLists.small, source: "[{}]"))
    var text = ""
    list.disassemble(to: &text)
    print(text)
    for rule in 0..<14 {
      list.disassemble(.init(rule: UInt32(rule)), to: &text); print("====\(rule)"); text = "";
      list.disassemble(.init(rule: UInt32(rule)), to: &text); print(text)
    }
  }
}
