import Foundation
import Testing

@testable import ListSubscriptions

@Suite("Lists that come suspiciously short")
struct ShortListTests {
  private let home: ListHome
  private let server: ListServer

  init() async throws {
    home = try ListHome()
    server = try ListServer { _ in .text(filters(100)) }
    _ = try await home.updater.add(.init(.address(server.address + "/ads.txt")))
  }

  /// Returns whether what the server answers is taken.
  private func isTaken(_ text: String, after seconds: Double = 86_400) async throws -> Bool {
    home.wait(seconds)
    server.answer { _ in .text(text) }
    let outcome = try await home.update("ads")?.outcome
    if case .failed(let error) = outcome {
      #expect([.suspiciouslyShort, .listRefused].contains(error.code), "\(error)")
      return false
    }
    return outcome == .changed(rulesBefore: 101)
  }

  @Test("Only the same that comes three times in a row is taken")
  func same() async throws {
    for number in 0..<4 { #expect(try await !isTaken(filters(40, start: "a\(number)x"))) }
    #expect(try await !isTaken(filters(40)))
    #expect(try await !isTaken(filters(40)))
    #expect(try await isTaken(filters(40)))
  }

  @Test("Another failure, or the whole list, ends the row")
  func interrupted() async throws {
    for other in ["<html>", filters(100)] {
      #expect(try await !isTaken(filters(40)))
      #expect(try await !isTaken(filters(40)))
      _ = try await isTaken(other)
    }
    #expect(try await !isTaken(filters(40)))
    #expect(try await !isTaken(filters(40)))
    #expect(try await isTaken(filters(40)))
  }

  @Test("However often it is asked for within a quarter of an hour, it counts once")
  func pressed() async throws {
    for _ in 0..<6 { #expect(try await !isTaken(filters(40), after: 2)) }
    #expect(try await !isTaken(filters(40), after: 890))
    #expect(try await !isTaken(filters(40), after: 2))
    #expect(try await isTaken(filters(40), after: 900))
  }

  @Test("A mirror that has it is counted as the source is")
  func mirror() async throws {
    let home = try ListHome()
    let mirror = try ListServer { _ in .text(filters(40)) }
    let request = ListUpdater.Request(
      .address(server.address + "/ads.txt"),
      mirrors: [mirror.address + "/m.txt"]
    )
    _ = try await home.updater.add(request)
    server.answer { _ in .status(500) }
    for _ in 0..<2 {
      #expect(try await home.update("ads")?.isFailure == true)
      home.wait(86_400)
    }
    #expect(try await home.update("ads")?.outcome == .changed(rulesBefore: 101))
  }
}
