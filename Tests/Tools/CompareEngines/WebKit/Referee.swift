import Foundation
import ReferenceMatcher

/// WebKit itself, asked through `Scripts/webkit-referee`.
///
/// Requests are written by a thread of their own, so that neither side waits for the other with
/// full pipes.
final class Referee {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()

  /// Starts the referee.
  init(packageRoot: URL) throws {
    process.executableURL = packageRoot.appending(path: "Scripts/webkit-referee/run")
    process.arguments = ["--limit", "30"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Asks for the answers to requests, in their order; fewer when the referee has ended.
  func answers(to requests: [JSONValue]) -> [JSONValue] {
    let text = Data(requests.map { $0.text + "\n" }.joined().utf8)
    let handle = input.fileHandleForWriting
    let writer = Thread { try? handle.write(contentsOf: text) }
    writer.start()
    var answers: [JSONValue] = []
    while answers.count < requests.count, let line = readLine() {
      answers.append((try? JSONValue(parsing: line)) ?? .null)
    }
    return answers
  }

  /// A page that is loaded before others: the first page of a view has its own URL as frame URL.
  static let firstPage = JSONValue.object([
    "op": .string("load"), "page": .string("http://first.test/"),
  ])

  private func readLine() -> Data? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = Data(rest[(end + 1)...]) }
        return rest[..<end]
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }

  /// Ends the referee and returns its exit status; 77 when something that it needs is missing.
  func end() -> Int32 {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
