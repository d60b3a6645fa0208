import Foundation
import ResourceLoads
import Testing
import Workloads

@Suite("Inputs")
struct InputTests {
  private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  @Test("a log's lines become requests of a main frame")
  func log() throws {
    let text = """
      url\tsource\ttype\twebkit_type\tload_type
      https://a.test/\thttps://a.test/\tdocument\tdocument\tfirst-party
      https://b.test/x.js\t\tscript\tscript\t-

      """
    try withFile(text) { path in
      let requests = try RequestLog.read(path: path)
      #expect(
        requests == [
          Request("https://a.test/", source: "https://a.test/", .topDocument, .firstParty),
          Request("https://b.test/x.js", source: "", .script, .thirdParty),
        ]
      )
    }
  }

  @Test("a log that is written is read again")
  func writtenLog() throws {
    let requests = GeneratedRequests.make(500, for: GeneratedList(ruleCount: 100))
    try withFile(RequestLog.text(of: requests)) { path in
      let read = try RequestLog.read(path: path)
      #expect(read == requests)
    }
  }

  @Test("a line that is no request is named")
  func faultyLog() throws {
    try withFile("url\nhttps://a.test/\tx\n") { path in
      let fault = #expect(throws: InputFault.self) { try RequestLog.read(path: path) }
      #expect(fault?.message.contains(":2 is no request") == true)
    }
  }

  @Test("a file that is not there is named")
  func missing() {
    let fault = #expect(throws: InputFault.self) { try InputFile.read(path: "/nowhere/x") }
    #expect(fault?.message.contains("/nowhere/x") == true)
  }
}
