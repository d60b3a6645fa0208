import CommandInput
import CommandOutput
import ContentBlocking
import Foundation
import TestSupport
import Testing

/// A small file that unfolds to far more than any list or log does.
private struct Bomb {
  /// A mebibyte of one byte, compressed; repeated, members of one file.
  let member: [UInt8]

  init(_ byte: UInt8 = 0x20) throws {
    member = try #require(Gzip.compressed([UInt8](repeating: byte, count: 1 << 20)))
  }

  func file(mebibytes: Int) -> Data {
    Data((0..<mebibytes).flatMap { _ in member })
  }
}

private let oneBlock = #"[{"trigger":{"url-filter":"ad"},"action":{"type":"block"}}]"#

@Suite struct UnfoldingTests {
  @Test func aBombIsRefusedWhileItUnfolds() throws {
    let bomb = try Bomb()
    // What goes in after the limit was passed is not unfolded, however much it is.
    let bytes = [UInt8](bomb.file(mebibytes: 80))
    let inflater = try Inflater(name: "bomb")
    var most = 0
    #expect(throws: InputError.self) {
      for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
        try inflater.append(Array(bytes[start..<min(bytes.count, start + 1 << 16)]))
        while let piece = try inflater.next() { most += piece.count }
      }
    }
    let limits = Inflater.Limits()
    #expect(limits.freeBytes - 1 << 18...limits.freeBytes ~= most)
  }

  @Test func ratiosOfRealTextsAreTaken() throws {
    // About a hundred to one, and more of it than is free.
    var limits = Inflater.Limits()
    limits.freeBytes = 1 << 16
    let line = (0..<200).map { "\($0 * 7919 % 1000),word\($0)" }.joined(separator: ";") + "\n"
    let text = Array(String(repeating: line, count: 400).utf8)
    let packed = try #require(Gzip.compressed(text))
    #expect(text.count / packed.count > 50)
    let inflater = try Inflater(name: "log", limits: limits)
    try inflater.append(packed)
    var count = 0
    while let piece = try inflater.next() { count += piece.count }
    #expect(count == text.count)
  }

  @Test(arguments: [
    ["check", "bomb.gz"], ["compile", "bomb.gz", "-o", "x.tb"], ["dump", "bomb.gz"],
    ["match", "--list", "a.json", "bomb.gz"], ["match", "--list", "bomb.gz", "a.json"],
    ["explain", "--list", "a.json", "--har", "bomb.gz"],
    ["explain", "--list", "a.json", "bomb.gz"], ["audit", "--list", "a.json", "bomb.gz"],
    ["audit", "merge", "bomb.gz"],
  ])
  func everyCommandRefusesABomb(_ arguments: [String]) throws {
    let scratch = try Scratch()
    try scratch.file("a.json", oneBlock)
    let isLog = arguments.contains("--har") || arguments.first == "audit"
    // An archive and a log begin as such; what follows is white space.
    let head = isLog ? #"{"log":{"entries":["# : ""
    let start = try #require(Gzip.compressed(Array(head.utf8)))
    _ = try scratch.file("bomb.gz", Data(start) + Bomb().file(mebibytes: 80))
    let result = try Command.run(arguments, in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains("unfolds to more than 200 times its size"), "\(result.error)")
  }

  @Test(arguments: [["dump", "bomb.gz"], ["match", "--list", "bomb.gz", "a.json"]])
  func compiledListsAreHeldToTheSameLimits(_ arguments: [String]) throws {
    let scratch = try Scratch()
    try scratch.file("a.json", oneBlock)
    let start = try #require(Gzip.compressed(Array("TICKBIRD".utf8)))
    _ = try scratch.file("bomb.gz", Data(start) + Bomb(0).file(mebibytes: 80))
    let result = try Command.run(arguments, in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains("unfolds to more than 200 times its size"), "\(result.error)")
  }

  @Test func whatUnfoldsToGzipIsNotUnfoldedAgain() throws {
    let scratch = try Scratch()
    let inner = try #require(Gzip.compressed(Array(oneBlock.utf8)))
    _ = try scratch.file("nested.gz", Data(try #require(Gzip.compressed(inner))))
    let input = try ByteInput(path: scratch.folder.appendingPathComponent("nested.gz").path)
    #expect(try input.readAll() == inner)
  }

  @Test func compressedInputsAreHeldWithinTheirLimit() throws {
    let scratch = try Scratch()
    let path = try scratch.file("x.gz", Bomb().file(mebibytes: 3)).path
    let input = try ByteInput(path: path)
    #expect(input.wholeLimit(1 << 31) == 1 << 31)
    _ = try input.next()
    #expect(input.wholeLimit(1 << 31) == ByteInput.unfoldedLimit)
    #expect(input.wholeLimit(5) == 5)
    #expect(throws: InputError.self) { try ByteInput(path: path).readAll(limit: 1 << 20) }
  }

  // MARK: What comes out of match

  private func match(_ bytes: [UInt8]) throws -> Command.Result {
    let scratch = try Scratch()
    try scratch.file("a.json", oneBlock)
    _ = try scratch.file("requests", Data(try #require(Gzip.compressed(bytes))))
    return try Command.run(["match", "--list", "a.json", "requests"], in: scratch.folder)
  }

  private static let request =
    #"{"url":"http://x.test/ad","top_url":"http://x.test/","resource_type":"image"}"# + "\n"

  @Test(arguments: ["\n", "\r\n", " \t\r\n", "\r\r\n"])
  func blankLinesGiveNothingOut(_ line: String) throws {
    let blank = [[UInt8]](repeating: Array(line.utf8), count: 1 << 20).flatMap { $0 }
    let result = try match(blank + Array(Self.request.utf8) + Array("x\n".utf8))
    let answers = result.output.split(separator: "\n")
    #expect(answers.count == 2)
    #expect(answers.first?.hasPrefix(#"{"blocked":true"#) == true)
    #expect(answers.last?.contains("line 1048578: the line is not JSON") == true)
  }

  @Test(arguments: ["x\n", "{}\r\n", "[]\n"])
  func badLinesAloneAreGivenUp(_ line: String) throws {
    let bad = [[UInt8]](repeating: Array(line.utf8), count: 1 << 20).flatMap { $0 }
    let result = try match(bad)
    #expect(result.status == 2)
    #expect(result.error.contains("is not a file of requests"))
    #expect(result.output.utf8.count < 8 << 20)
  }

  @Test func badLinesAmongGoodOnesAreAnswered() throws {
    let lines = (0..<15_000).map { _ in "x\n" + Self.request }.joined()
    let result = try match(Array(lines.utf8))
    #expect(result.status == 1)
    #expect(result.output.utf8.count { $0 == 0x0A } == 30_000)
  }
}
