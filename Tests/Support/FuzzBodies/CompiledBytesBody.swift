import ActionCoding
import CaseGenerators
import ContentBlocking
import ContentRules
import EngineTestSupport
import FuzzTargets
import RuleCompiler
import RuleMatching

/// Opens damaged compiled lists; each must be refused, or decide loads within its bounds.
///
/// An input that begins with the format's first four letters is a file, whose header is repaired to
/// reach the checks behind it. Any other input is a recipe: a byte selects a sample, then three
/// bytes each are an offset and its new byte.
enum CompiledBytesBody: FuzzBody {
  static let name = "compiled-bytes"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    if input.starts(with: "TICK".utf8) {
      _ = FileLayout.source(ofAnyVersion: input)
      try checkFile(input)
      try checkFile(repaired(input))
    } else {
      var reader = InputReader(input)
      var file = samples[Int(reader.byte()) % samples.count]
      while !reader.isEmpty {
        let offset = reader.number() % file.count
        file[offset] = reader.byte()
      }
      try checkFile(repaired(file))
    }
  }

  /// Returns the file with a header that matches the rest.
  private static func repaired(_ input: [UInt8]) -> [UInt8] {
    var file = input
    while file.count < FileLayout.headerSize { file.append(0) }
    func put(_ value: UInt64, at offset: Int, bytes: Int) {
      for index in 0..<bytes { file[offset + index] = UInt8(value >> UInt64(8 * index) & 0xFF) }
    }
    put(FileLayout.magic, at: 0, bytes: 8)
    put(UInt64(FileLayout.version), at: 8, bytes: 4)
    put(UInt64(Section.allCases.count), at: 12, bytes: 4)
    put(UInt64(file.count), at: 16, bytes: 8)
    put(FileLayout.checksum(of: file), at: 24, bytes: 8)
    return file
  }

  private static func checkFile(_ file: [UInt8]) throws(FuzzFinding) {
    let list: CompiledRuleList
    do throws(ByteCodeError) {
      list = try CompiledRuleList(validating: file)
    } catch {
      // The offset may be where a number would lead to, outside of the file.
      try require(
        error.offset >= 0 && !error.message.isEmpty,
        "the fault \(error) has no place or no message"
      )
      return
    }
    try require(list.size.file == file.count, "the list is not as long as its file")
    _ = list.source
    _ = list.globalSheet
    for number in 0..<list.slotCount {
      let slot = list.slot(UInt32(number))
      let text = list.text(at: slot.text)
      _ = ActionText.decode(slot.kind, text)
      _ = ActionText.decodeRegexFilter(slot.kind, text)
      _ = ActionText.decodeIdentifier(text)
    }
    var runner = ListRunner(list)
    for load in LoadSample.all {
      let answer = runner.answer(load)
      try require(
        runner.answer(load) == answer,
        "asked twice about \(load.url.text), the list gives two answers"
      )
      try require(
        answer.actions.allSatisfy { Int($0.slot) < list.slotCount && !$0.rules.isEmpty },
        "an action without a slot or a rule"
      )
    }
    try decideSamples(list)
    var text = ""
    list.disassemble(to: &text)
    try require(!text.isEmpty, "the listing is empty")
    list.disassemble(DisassemblyOptions(rule: 0), to: &text)
  }

  // MARK: Samples

  private static let samples: [[UInt8]] = {
    let texts =
      [
        #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}}]"#,
        #"""
        [{"trigger":{"url-filter":"^https?://([^/]*\\.)?ads\\.b\\.test[:/]"},
          "action":{"type":"block"}},
         {"trigger":{"url-filter":"(aa|bb)"},"action":{"type":"block"}}]
        """#,
        #"""
        [{"trigger":{"url-filter":"^[^:]+:(//)?([^/]+\\.)?b\\.test/(ad)+/.*\\.js$"},
          "action":{"type":"notify","notification":"n"}},
         {"trigger":{"url-filter":"banner_[0-9]","if-domain":["*a.test"]},
          "action":{"type":"css-display-none","selector":".a"}},
         {"trigger":{"url-filter":".*"},"action":{"type":"css-display-none","selector":".b"}},
         {"trigger":{"url-filter":".*","unless-top-url":["b.*c"],"load-type":["third-party"]},
          "action":{"type":"ignore-previous-rules"}},
         {"trigger":{"url-filter":"(a|b)"},"action":{"type":"block"}}]
        """#,
      ]
      + (0..<13).map {
        CaseGenerator(options: $0 % 2 == 0 ? .init() : .hostile).makeCase(seed: UInt64($0))
          .jsonText
      }
    return texts.compactMap { text in
      guard let list = RuleListReader.read(text).ruleList else { return nil }
      // With the usual limits, no sample would use threads.
      var limits = CompilerLimits()
      limits.statesPerFilter = 24
      return try? compile(list.rules, source: Array("[]".utf8), limits: limits)
    }
  }()

  static var seeds: [[UInt8]] {
    samples + samples.indices.map { [UInt8($0)] } + [[0, 120, 0, 0, 1], [3, 10, 2, 0, 255]]
  }
}
