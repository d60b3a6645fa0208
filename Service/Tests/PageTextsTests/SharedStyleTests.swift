import Foundation
import Testing

@testable import PageTexts

/// The style sheet that pages share, beside those of their own.
@Suite("The shared style sheet")
struct SharedStyleTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
  }

  /// The sheets that are shared, in their order.
  private func shared() throws -> [String] {
    try ["colours", "shared"].map { try text("PageTexts/Resources/\($0).css") }
  }

  @Test(
    "a sheet of its own says no colour and no rule again, and uses no colour that is not there",
    arguments: ["LocalApp/Resources/style.css", "GallerySite/Resources/site.css"]
  )
  func noDuplicates(path: String) throws {
    let shared = try shared().joined()
    let own = try text(path)
    let rules = shared.split(separator: "\n").map(String.init)
    // Rules on one line and declarations of variables; what is in a rule of its own may be alike.
    for line in rules where line.contains("{") && line.contains("}") {
      #expect(!own.contains("\n\(line)\n"), "\(path) says \(line) again")
    }
    let declared = Set(shared.matches(of: /(--[a-z-]+):/).map { String($0.1) })
    #expect(own.matches(of: /(--[a-z-]+):/).allSatisfy { !declared.contains(String($0.1)) })
    for use in own.matches(of: /var\((--[a-z-]+)\)/) {
      #expect(declared.contains(String(use.1)) || own.contains("\(use.1):"), "\(use.1)")
    }
  }

  @Test("the own sheet comes after the shared one")
  func order() throws {
    let sheet = String(decoding: SharedStyle.sheet(with: Array("own".utf8)), as: UTF8.self)
    #expect(sheet == (try shared() + ["own"]).joined(separator: "\n"))
  }
}
