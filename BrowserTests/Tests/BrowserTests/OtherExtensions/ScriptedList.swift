import BrowserDriving
import Foundation
import Testing

/// Scenario 1.5: a script of a browser extension sets the list of an installed web extension.
struct ScriptedList {
  private static let identifier = "com.example.web"
  let kind: BrowserKind

  init(_ kind: BrowserKind) { self.kind = kind }

  func isSet() throws {
    let other = try ArticleExtension(kind)
    defer { other.close() }
    try install(other.service)
    try other.waitForBackground()
    func set(_ rules: String) throws -> [String: Any] {
      try other.ask(
        "{ type: 'setContentBlocker', identifier: '\(Self.identifier)', rules: \(rules) }"
      )
    }
    func list() throws -> String {
      let state = try other.service.run("extensions", "state", Self.identifier)
      return state.split(separator: "\n").first { $0.hasPrefix("list:") }.map(String.init) ?? ""
    }
    #expect(try list().hasSuffix("none"))
    // Not before the user has said so.
    #expect(try set("[]")["code"] as? String == "refused")
    #expect(try list().hasSuffix("none"))
    try other.grant(Self.identifier)
    let rule = "{ trigger: { 'url-filter': 'ads' }, action: { type: 'block' } }"
    #expect(try set("[\(rule)]")["type"] as? String == "setContentBlocker")
    let first = try list()
    #expect(first.contains("active") && first.contains("set by its script"))
    let refusal = try set("[{ trigger: { 'url-filter': '(' }, action: { type: 'block' } }]")
    #expect(refusal["type"] as? String == "error")
    #expect((refusal["message"] as? String)?.isEmpty == false)
    #expect(try list() == first)
    #expect(try set("null")["type"] as? String == "setContentBlocker")
    #expect(try list().hasSuffix("none"))
  }

  /// A web extension that is installed and on.
  ///
  /// Setting a list starts nothing of it.
  private func install(_ service: Service) throws {
    let bundle = service.home.appending(path: "Web.appex", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let information: [String: Any] = [
      "CFBundleIdentifier": Self.identifier, "CFBundleVersion": "1",
      "CFBundleShortVersionString": "1.0", "CFBundleName": "Web", "CFBundleExecutable": "Web",
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.web-extension"],
    ]
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: bundle.appending(path: "Info.plist"))
    try FileManager.default.copyItem(
      at: URL(filePath: "/bin/true"),
      to: bundle.appending(path: "Web")
    )
    try service.run("extensions", "install", bundle.path)
    try service.run("extensions", "on", Self.identifier)
  }
}
