import Foundation
import Testing

@testable import LocalApp

/// Values in templates, which strangers may have written.
struct TemplateTests {
  @Test(
    "what is shown neither turns text around nor controls; what a form sends back stays",
    arguments: [
      "a\u{202E}b", "\u{2066}a\u{2069}", "a\u{200B}b", "\u{1B}[2Ja", "\u{85}", "a\u{E0041}",
    ]
  )
  func falsifyingText(_ text: String) {
    let template = Template(
      """
      <p>{{a}}</p><i title="{{a}}" aria-label="Name of {{a}}"></i>
      {{#list}}<option value="{{a}}"{{#is}} selected{{/is}}>{{a}}</option>{{/list}}
      <textarea class="x">
      {{a}}</textarea><b>{{a}}</b>
      """
    )
    let values: [String: Any] = ["a": text, "list": [["a": text, "is": true]]]
    let parts = template(values).components(separatedBy: text)
    // In value and in the text area, alone.
    #expect(parts.count == 3)
    #expect(parts[0].hasSuffix(#"<option value=""#))
    #expect(parts[1].hasPrefix(#"" selected>"#) && parts[1].hasSuffix("<textarea class=\"x\">\n"))
    #expect(parts[2].hasPrefix("</textarea><b>"))
    #expect(parts.joined().unicodeScalars.count { $0 == "\u{FFFD}" } >= 5)
  }

  @Test(arguments: ["👩‍👩‍👧‍👦 é", "می‌خواهم שלום", "a\n\tb  c", "Zürich — 日本語"])
  func legitimateText(_ text: String) {
    #expect(Template("<p>{{a}}</p>")(["a": text]) == "<p>\(text)</p>")
  }

  @Test func markupIsTextEverywhere() {
    let template = Template("{{a}}<input value=\"{{a}}\"><textarea>{{a}}</textarea>")
    let escaped = "&lt;b&gt;&quot;&#39;&amp;"
    #expect(
      template(["a": "<b>\"'&"])
        == "\(escaped)<input value=\"\(escaped)\"><textarea>\(escaped)</textarea>"
    )
  }

  @Test("every part that a template takes in is there")
  func parts() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/LocalApp/Resources/Pages")
    var named: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      named.formUnion(text.matches(of: /\{\{>\s*([^}\s]+)/).map { String($0.1) })
    }
    // Mustache leaves out what it does not find.
    #expect(named == Set(Template.parts.keys))
  }
}
