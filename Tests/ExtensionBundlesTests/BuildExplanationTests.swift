import Foundation
import Testing

@testable import ExtensionBundles

@Suite("What a compiler's errors mean")
struct BuildExplanationTests {
  @Test(
    "what is Apple's is named with its framework, and what is not is left alone",
    arguments: [
      ("no such module 'CloudKit'", "CloudKit does not exist here; remove what needs it"),
      ("cannot find type 'WKWebView' in scope", "WKWebView is of Apple's WebKit"),
      ("cannot find 'SecItemAdd' in scope", "SecItemAdd is of Apple's Security"),
      ("cannot find 'kSecClass' in scope", "kSecClass is of Apple's Security"),
      (
        "value of type 'UIImage' has no member 'draw'",
        "UIImage is of Apple's UIKit; it does not have draw here"
      ),
      ("cannot find 'Utilities' in scope", nil),
      ("cannot find 'CAbc' in scope", nil),
      ("value of type 'String' has no member 'draw'", nil),
      ("cannot find type ", nil), ("no such module 'x", nil),
    ] as [(String, String?)]
  )
  func errors(error: String, expected: String?) {
    let sentences = BuildExplanation(["/x/A.swift:1:2: error: \(error)"]).sentences
    #expect(sentences.count == (expected == nil ? 0 : 1))
    #expect(sentences.first?.hasPrefix(expected ?? "") ?? true)
  }

  @Test("a name of a source that the import left out leads to it")
  func leftOut() {
    let record = BuildExplanation.LeftOut(
      file: "App/Store.swift",
      reason: "it imports CloudKit, which does not exist here",
      names: ["Store"]
    )
    let errors = [
      "A.swift:1:2: error: cannot find 'Store' in scope",
      "A.swift:3:4: error: cannot find type 'Store' in scope",
      "A.swift:5:3: error: unknown attribute 'Store'",
    ]
    #expect(
      BuildExplanation(errors, leftOut: [record]).sentences == [
        "Store is declared in App/Store.swift, which the import left out: it imports CloudKit, which "
          + "does not exist here"
      ]
    )
  }

  @Test("a name that only Apple's systems have is told, with what to do")
  func conditional() {
    let record = BuildExplanation.LeftOut(
      file: "App/Names.swift",
      reason: "between #if and #endif",
      names: ["group"],
      isPart: true
    )
    let error = "A.swift:1:2: error: type 'Names' has no member 'group'"
    #expect(
      BuildExplanation([error], leftOut: [record]).sentences == [
        "group is declared in App/Names.swift for Apple's systems alone, between #if and #endif; let "
          + "it be declared here as well, as by #if os(macOS) || os(Linux)"
      ]
    )
  }

  @Test("a long output ends in a few sentences")
  func long() {
    let errors = (0..<1_000).map { "A.swift:1:2: error: no such module 'M\($0)'" }
    #expect(BuildExplanation(errors).sentences.count == 8)
  }

  @Test("a damaged record explains nothing, and stops nothing")
  func damaged() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("explanation-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try ExtensionTemplate(
      point: .contentBlocker,
      names: ExtensionNames(product: "Blocker"),
      bundleIdentifier: "com.example.blocker",
      hasSources: true,
      modulesPath: "/nowhere"
    ).write(to: folder)
    try Data("[1".utf8).write(to: folder.appendingPathComponent(BuildExplanation.recordName))
    #expect(try ExtensionProject(folder: folder).leftOut == [])
  }
}
