import Automata
import Testing

@Suite("Probing tables")
struct ProbingTableTests {
  /// Numbers words as compilers do.
  private struct Words {
    var table = ProbingTable()
    var words: [Int] = []

    mutating func number(of word: Int, hash: UInt32) -> Int {
      var probe = table.probe(hash)
      while let number = table.next(&probe) {
        if words[number] == word { return number }
      }
      table.addNext(at: probe)
      words.append(word)
      return words.count - 1
    }
  }

  @Test(
    "each word has the number of its first appearance, however hashes collide",
    arguments: [1, 7, 64, 1 << 16] as [UInt32]
  )
  func numbers(distinctHashes: UInt32) {
    var words = Words()
    var model: [Int: Int] = [:]
    // 1,500 words, each several times, in an order without a pattern.
    var word = 1
    for _ in 0..<5000 {
      word = (word &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
      let key = (word >> 8) % 1500
      let hash = UInt32(truncatingIfNeeded: key) &* 2_654_435_761 % distinctHashes
      let expected = model[key] ?? model.count
      model[key] = expected
      #expect(words.number(of: key, hash: hash) == expected)
    }
    #expect(words.words.count == model.count)
  }

  @Test("hashes that share a slot, or all that a slot holds of them, are told apart")
  func sameSlots() {
    var table = ProbingTable()
    // The slots' count never exceeds 2^12 here, so these share slots, and the first ones the bits above too.
    let hashes = (0..<900 as Range<UInt32>).map { $0 % 30 << 27 | $0 / 30 << 12 }
    for (number, hash) in hashes.enumerated() {
      var probe = table.probe(hash)
      #expect(table.next(&probe) == nil)
      table.addNext(at: probe)
      var again = table.probe(hash)
      #expect(table.next(&again) == number)
      #expect(table.next(&again) == nil)
    }
    for (number, hash) in hashes.enumerated() {
      var probe = table.probe(hash)
      #expect(table.next(&probe) == number)
    }
  }

  @Test("of the same hash the lower number is offered first, also in a table that has grown")
  func order() {
    var table = ProbingTable()
    for number in 0..<500 {
      let hash = UInt32(truncatingIfNeeded: number % 5)
      var probe = table.probe(hash)
      while table.next(&probe) != nil {}
      table.addNext(at: probe)
    }
    for hash in 0..<5 as Range<UInt32> {
      var probe = table.probe(hash)
      var found: [Int] = []
      while let number = table.next(&probe) { found.append(number) }
      #expect(found == (0..<100).map { $0 * 5 + Int(hash) })
    }
  }

  @Test("hashes at the end of the table go on at its beginning")
  func wrapping() {
    var words = Words()
    for word in 0..<40 { #expect(words.number(of: word, hash: .max) == word) }
    for word in 0..<40 { #expect(words.number(of: word, hash: .max) == word) }
    #expect(words.number(of: 40, hash: 0) == 40)
  }
}
