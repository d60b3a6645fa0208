import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CommandInput

@Suite struct ChunkReaderTests {
  private func lines(_ text: [UInt8], size: Int, limit: Int) throws -> [String] {
    let scratch = try Scratch()
    let input = try ByteInput(path: scratch.file("x", Data(text)).path)
    var reader = ChunkReader(input, size: size, limit: limit)
    var found: [String] = []
    while let chunk = try reader.next() {
      chunk.forEachLine(limit: limit) { number, range in
        let line = range.map { String(decoding: chunk.bytes[$0], as: UTF8.self) }
        found.append("\(number) \(line ?? "too long")")
      }
    }
    #expect(reader.digest == ByteDigest(text))
    return found
  }

  /// Sizes around those of the pieces that inputs are read in.
  @Test(arguments: [1, 7, 65_536, 70_000, 1 << 20])
  func linesAreThoseOfTheLineReader(_ size: Int) throws {
    var random = RandomSource(seed: UInt64(size))
    for limit in [10, 100_000] {
      var text: [UInt8] = []
      for _ in 0..<200 {
        let length = Int.random(in: 0..<4, using: &random) == 0 ? 3_000 : 12
        let count = Int.random(in: 0...length, using: &random)
        text += Array(repeating: UInt8(ascii: "x"), count: count)
        text += Bool.random(using: &random) ? [0x0D, 0x0A] : [0x0A]
      }
      text += Array(repeating: UInt8(ascii: "y"), count: 150_000) + [0x0A]
      text += Array("end".utf8)
      let scratch = try Scratch()
      let input = try ByteInput(path: scratch.file("x", Data(text)).path)
      var expected: [String] = []
      try LineReader(input, limit: limit).forEach { line in
        let shown = line.map { String(decoding: $0, as: UTF8.self) } ?? "too long"
        expected.append("\(expected.count + 1) \(shown)")
      }
      #expect(try lines(text, size: size, limit: limit) == expected)
    }
  }

  @Test func nothingAndHalfLinesAreRead() throws {
    #expect(try lines([], size: 9, limit: 9) == [])
    #expect(try lines([0x0A], size: 9, limit: 9) == ["1 "])
    #expect(try lines(Array("a\n\nb".utf8), size: 9, limit: 9) == ["1 a", "2 ", "3 b"])
  }
}

@Suite struct ByteDigestTests {
  @Test func cutsDoNotMatterAndBytesDo() {
    var random = RandomSource(seed: 5)
    for count in [0, 1, 31, 32, 33, 64, 1000] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let whole = ByteDigest(bytes)
      for _ in 0..<20 {
        var digest = ByteDigest()
        var start = 0
        while start < count {
          let end = Int.random(in: start...count, using: &random)
          digest.append(Array(bytes[start..<end]))
          start = end
        }
        #expect(digest.text == whole.text)
        #expect(digest.count == count)
      }
      #expect(whole.text.count == 32)
      for place in 0..<min(count, 40) {
        var other = bytes
        other[place] ^= 1
        #expect(ByteDigest(other).text != whole.text)
      }
      #expect(ByteDigest(bytes + [0]).text != whole.text)
    }
  }
}

@Suite struct BatchTests {
  private struct Numbers: BatchSource {
    var given = 0
    let count: Int
    var fault: InputError?

    mutating func next() throws(InputError) -> Int? {
      if given == count, let fault { throw fault }
      guard given < count else { return nil }
      given += 1
      return given - 1
    }
  }

  /// Takes longer for some jobs than for others, so that results come out of order.
  private final class Slowly: BatchWorker {
    private var sum = 0

    func work(on job: Int) -> Int {
      sum += job
      if job % 7 == 0 { usleep(200) }
      return job * 2
    }

    func finish() -> Int { sum }
  }

  @Test(arguments: [1, 2, 3, 16])
  func resultsComeInOrderAndFewAreUnderWay(_ workers: Int) throws {
    var results: [Int] = []
    let ending = try Batch.run(
      workers: workers,
      source: Numbers(count: 2000),
      makeWorker: { Slowly() },
      sink: { results.append($0) }
    )
    #expect(results == (0..<2000).map { $0 * 2 })
    #expect(ending.summaries.count == workers)
    #expect(ending.summaries.reduce(0, +) == 1999 * 1000)
    #expect(ending.peak <= Batch.bound(workers: workers))
    #expect(ending.peak > 0)
  }

  @Test func noJobsGiveNoResults() throws {
    let ending = try Batch.run(
      workers: 3,
      source: Numbers(count: 0),
      makeWorker: { Slowly() },
      sink: { _ in Issue.record("a result of nothing") }
    )
    #expect(ending.summaries == [0, 0, 0])
    #expect(ending.peak == 0)
  }

  @Test func faultsComeAfterAllResults() throws {
    var results = 0
    let ending = try Batch.run(
      workers: 2,
      source: Numbers(count: 50, fault: InputError("broken")),
      makeWorker: { Slowly() },
      sink: { _ in results += 1 }
    )
    #expect(results == 50)
    #expect(ending.fault == InputError("broken"))
  }

  @Test func sinksCanEndTheRun() throws {
    #expect(throws: InputError("enough")) {
      _ = try Batch.run(
        workers: 2,
        source: Numbers(count: 1_000_000_000),
        makeWorker: { Slowly() },
        sink: { if $0 > 100 { throw InputError("enough") } }
      )
    }
  }
}
