import Foundation
import HostTestSupport
import Testing

@testable import NativeMessaging

/// Scenario 1.5: a script of a browser extension sets the list at run time.
@Suite("The host, given a list by a script")
struct BrowserScriptsTests {
  private let identifier = "com.example.web"

  /// A web extension that is installed and on.
  private func install(in home: URL) throws {
    let bundle = home.appending(path: "Web.appex", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let information: [String: Any] = [
      "CFBundleIdentifier": identifier, "CFBundleVersion": "1",
      "CFBundleShortVersionString": "1.0", "CFBundleName": "Web", "CFBundleExecutable": "Web",
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.web-extension"],
    ]
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: bundle.appending(path: "Info.plist"))
    // Setting a list starts nothing of the extension.
    let program = bundle.appending(path: "Web")
    try FileManager.default.copyItem(at: URL(filePath: "/bin/true"), to: program)
    for arguments in [["install", bundle.path], ["on", identifier]] {
      #expect(try HostProgram(home: home).run(["extensions"] + arguments).status == 0)
    }
  }

  @Test("JSON text and objects are lists; what is none leaves the list; null removes it")
  func set() throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-scripts-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try install(in: home)
    let port = try HostPort(HostProgram(home: home))
    var number = 0
    func set(_ rules: Any?) throws -> [String: Any] {
      number += 1
      var message: [String: Any] = [
        "type": "setContentBlocker", "identifier": identifier, "question": number,
      ]
      message["rules"] = rules ?? NSNull()
      return try answer(message)
    }
    /// The host may tell of a change before it answers.
    func answer(_ message: [String: Any]) throws -> [String: Any] {
      var answer = try port.ask(message)
      while answer["question"] as? Int != number {
        #expect(answer["type"] as? String == "changed")
        answer = try port.receive()
      }
      return answer
    }
    func digests() throws -> [String] {
      number += 1
      let lists = try answer(["type": "lists", "question": number])["lists"] as? [[String: Any]]
      return (lists ?? []).compactMap { $0["digest"] as? String }
    }
    func rule(_ word: String) -> [String: Any] {
      ["trigger": ["url-filter": word], "action": ["type": "block"]]
    }
    #expect(try digests().isEmpty)
    let text = #"[{"trigger": {"url-filter": "first"}, "action": {"type": "block"}}]"#
    #expect(try set(text)["type"] as? String == "setContentBlocker")
    let first = try digests()
    #expect(first.count == 1)
    #expect(try set([rule("second")])["type"] as? String == "setContentBlocker")
    let second = try digests()
    #expect(second.count == 1 && second != first)
    for bad: Any in ["[{]", 1, [rule("(")]] {
      let refusal = try set(bad)
      #expect(refusal["type"] as? String == "error")
      #expect((refusal["message"] as? String)?.isEmpty == false)
    }
    #expect(try digests() == second)
    #expect(try set(nil)["type"] as? String == "setContentBlocker")
    #expect(try digests().isEmpty)
    number += 1
    let unknown = try answer([
      "type": "setContentBlocker", "identifier": "com.example.none", "rules": text,
      "question": number,
    ])
    #expect(unknown["type"] as? String == "error")
    #expect(try port.close() == 0)
  }
}
