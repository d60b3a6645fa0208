import Testing

@testable import XcodeProjects

@Suite("Looking through sources")
struct SourceCheckTests {
  private func check(_ text: String, defines: Set<String> = []) -> [String] {
    let check = SourceCheck(
      projectModules: ["Kit": "the target Kit of this project"],
      ownModule: "Own",
      defines: defines
    )
    return check.check(Array(text.utf8), shown: "A.swift").findings.map {
      "\($0.subject) \($0.reason)"
    }
  }

  private static let webKit = "imports WebKit, which does not exist here"

  @Test(
    "imports that no module satisfies are found at their lines",
    arguments: [
      ("import Foundation\nimport WebKit", ["A.swift:2 \(webKit)"]),
      ("import UIKit; import WebKit", ["A.swift:1 \(webKit)"]),
      ("@testable import WebKit // why", ["A.swift:1 \(webKit)"]),
      ("@preconcurrency public import class WebKit.WKWebView", ["A.swift:1 \(webKit)"]),
      ("import `WebKit`", ["A.swift:1 \(webKit)"]),
      ("import Kit", ["A.swift:1 imports Kit, which is the target Kit of this project"]),
      ("import os.log\nimport struct os.Logger\nimport SafariServices.SFError", []),
      (
        "import UIKit.UIColor",
        ["A.swift:1 imports UIKit.UIColor, a submodule which does not exist here"]
      ),
      ("// import WebKit\n/* import WebKit /* import WebKit */ import WebKit */", []),
      ("let a = \"\"\"\nimport WebKit\n\"\"\"\nlet b = #\"\"import WebKit\"#", []),
      ("let a = \"\\(\"import WebKit\")\"\nimport WebKit", ["A.swift:2 \(webKit)"]),
      ("let a = \"never closed\nimport WebKit", ["A.swift:2 \(webKit)"]),
      ("importWebKit()\nlet x = imports", []), ("import Own\nimport", []),
    ]
  )
  func imports(text: String, expected: [String]) {
    #expect(check(text) == expected)
  }

  @Test(
    "branches that are not compiled here are ignored",
    arguments: [
      ("os(macOS)", false), ("os(Linux)", true), ("!os(macOS)", true), ("canImport(WebKit)", false),
      ("canImport(UIKit)", true), ("os(iOS) || os(Linux)", true), ("os(iOS) && os(Linux)", false),
      ("(os(iOS) || DEBUG) && true", true), ("RELEASE", false), ("DEBUG", true),
      ("swift(>=5.5)", true), ("swift(>=7)", false), ("compiler(<6.3)", false),
      ("compiler(<6.4)", true), ("targetEnvironment(simulator)", false), ("!(DEBUG)", false),
      ("((((", true), ("!!DEBUG", true),
    ]
  )
  func conditions(condition: String, holds: Bool) {
    let found = check(
      "#if \(condition)\nimport WebKit\n#else\nimport Kit\n#endif",
      defines: ["DEBUG"]
    )
    #expect(found.first?.hasPrefix("A.swift:2") == holds)
    #expect(found.count == 1)
  }

  @Test("one branch of several is taken")
  func branches() {
    let text = """
      #if os(macOS)
      import A
      #elseif os(Linux)
      import B
      #elseif true
      import C
      #else
      import D
      #endif
      import E
      """
    #expect(check(text).map { $0.split(separator: " ")[0] } == ["A.swift:4", "A.swift:10"])
  }

  @Test(
    "what has no counterpart is found, and words like it are not",
    arguments: [
      ("@objc func a() {}", 1), ("@objc(Name) class A {}", 1), ("@objcMembers class A {}", 1),
      ("let a = #selector(b)", 1), ("#imageLiteral(resourceName: \"a\")", 0),
      ("@main struct A {}", 1),
      ("@NSApplicationMain class A {}", 1), ("// @objc", 0), ("let a = \"@objc\"", 0),
      ("@mainActor func a() {}", 0), ("@MainActor func a() {}", 0),
      ("func beginRequestWithExtensionContext(context: NSExtensionContext) {}", 1),
      ("#if canImport(ObjectiveC)\n@objc func a() {}\n#endif", 0),
    ]
  )
  func words(text: String, count: Int) {
    #expect(check(text).count == count)
  }

  @Test("rubbish and endless openings come to an end")
  func rubbish() {
    for text in [
      String(repeating: "#if a\n", count: 10_000), String(repeating: "/*", count: 50_000),
      String(repeating: "\"\\(", count: 50_000), String(repeating: "#", count: 20_000) + "\"",
      "#if " + String(repeating: "(", count: 10_000), "\"\"\"", "#\"", "/*/", "\\", "#if",
      "#elseif",
    ] {
      _ = check(text)
    }
    var numbers = Numbers(state: 7)
    for _ in 0..<300 {
      let bytes = (0..<200).map { _ in
        Array("#\"\\()/*\nimport @if{};".utf8).randomElement(using: &numbers) ?? 0
      }
      _ = check(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test("names that only other systems' parts declare are found")
  func otherNames() {
    let text = """
      struct A {
        #if os(iOS)
        static let group = "i", both = 1
        #elseif os(macOS)
        static let group = "m"
        func onMac() {}
        #else
        static let here = 1
        #endif
        #if os(iOS)
        func twice() {}
        #else
        func twice() {}
        #endif
      }
      """
    let check = SourceCheck(projectModules: [:], ownModule: "Own", defines: [])
    #expect(check.check(Array(text.utf8), shown: "A.swift").otherNames == ["group", "onMac"])
  }

  @Test(
    "modules that are there in part are taken where their views are not used",
    arguments: [
      ("import SwiftUI\nlet name = Bundle.main.bundleIdentifier", nil),
      ("import SwiftUI\nstruct A: View {}", "for View"),
      ("import SwiftUI\n// A View", nil),
      ("import SwiftUI\nclass A { @State var b = 1 }", "for State"),
      ("import AppKit\nlet a = NSWorkspace.shared", nil),
      ("import Cocoa\nclass A: NSViewController {}", "for NSViewController"),
      ("#if canImport(SwiftUI)\nimport SwiftUI\nstruct A: View {}\n#endif", nil),
    ] as [(String, String?)]
  )
  func optionalModules(text: String, missing: String?) {
    let check = SourceCheck(projectModules: [:], ownModule: "Own", defines: [])
    let findings = check.check(Array(text.utf8), shown: "A.swift").findings
    #expect(findings.map(\.code) == (missing == nil ? [] : ["import"]))
    #expect(findings.first.map { $0.reason.hasSuffix(missing ?? "") } ?? true)
  }
}
