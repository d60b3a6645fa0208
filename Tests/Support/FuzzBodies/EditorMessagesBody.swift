import ContentRules
import FuzzTargets
import LanguageServer

/// Sends bytes to the language server as an editor's stream; whatever they are, it answers with
/// frames that can be read.
enum EditorMessagesBody: FuzzBody {
  static let name = "editor-messages"

  /// Finds something in every list.
  private struct Checker: ListChecking {
    func check(_ text: [UInt8], path: String?) -> DocumentFindings {
      DocumentFindings(diagnostics: RuleListReader.read(text).diagnostics)
    }

    func corrected(_ text: [UInt8], path: String?) -> [UInt8]? { text.reversed() }
  }

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var frames = FrameReader()
    var session = LanguageSession(checker: Checker())
    let now = ContinuousClock.now
    _ = session.receive(Array(beginning.utf8), now: now)
    frames.append(input)
    while let event = frames.next() {
      var answers: [[UInt8]] = []
      switch event {
      case .message(let body): answers = session.receive(body, now: now)
      case .fault(let text), .lost(let text): answers = [session.refuse(text)]
      }
      while let check = session.nextCheck(now: now + .seconds(10)) {
        let findings = Checker().check(check.text, path: check.path)
        answers += session.finish(check, findings, duration: .zero)
      }
      for answer in answers {
        var reader = FrameReader()
        reader.append(answer)
        guard case .message = reader.next() else {
          throw FuzzFinding("an answer is not a frame")
        }
        try require(reader.isBetweenMessages, "an answer is longer than its header says")
      }
    }
  }

  private static let beginning =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#

  private static func frame(_ body: String) -> String {
    "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  static var seeds: [[UInt8]] {
    let document = #""textDocument":{"uri":"file:///a""#
    let open =
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{\#(document),"version":1,"text":"[{\"trigger\":{\"url-filter\":\"a.b\"},\"action\":{\"type\":\"block\"}},]"}}}"#
    let range = #""range":{"start":{"line":0,"character":3},"end":{"line":0,"character":9}}"#
    let change =
      #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{\#(document),"version":2},"contentChanges":[{\#(range),"text":"é😀\r\n"}]}}"#
    let hover =
      #"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{\#(document)},"position":{"line":0,"character":30}}}"#
    let actions =
      #"{"jsonrpc":"2.0","id":2,"method":"textDocument/codeAction","params":{\#(document)},\#(range),"context":{"only":["source"]}}}"#
    let symbols =
      #"{"jsonrpc":"2.0","id":3,"method":"textDocument/documentSymbol","params":{\#(document)}}}"#
    return [
      frame(open) + frame(hover) + frame(actions) + frame(symbols), frame(open) + frame(change),
      frame(open) + frame(change) + frame(hover) + frame(actions) + frame(symbols),
      "X: y\r\n\r\n" + frame(hover), "Content-Length: 9999999999\r\n\r\n", frame("[") + frame("{}"),
      frame(open) + frame(open) + frame(symbols), frame(hover) + frame(actions),
      frame(open)
        + frame(#"{"jsonrpc":"2.0","method":"textDocument/didClose","params":{\#(document)}}}"#),
      frame(#"{"jsonrpc":"2.0","id":"x","method":"shutdown"}"#) + frame(hover) + frame(open), "",
    ].map { Array($0.utf8) }
  }
}
