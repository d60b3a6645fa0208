import Foundation
import PageTexts
import PageTextsTestSupport
import Testing

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

  @Test("a text is in its place, escaped, with parts of the template as values")
  func texts() {
    let texts = TextCatalogue([
      .english: Array(#"{"a": {"message": "<b> $1 {{x}} \"$2\""}, "b": {"message": "End"}}"#.utf8),
      .german: Array(#"{"a": {"message": "$2 & $1"}, "b": {"message": "Ende"}}"#.utf8),
    ])
    let parts = TemplateParts(["end": Array("[[b]]".utf8)], texts: texts)
    let template = Template(
      #"<p lang="{{lang}}" dir="{{dir}}">[[a|<i>{{x}}</i>|{{y}}]]</p>{{> end}}"#,
      texts: texts,
      parts: parts
    )
    let values: [String: Any] = ["x": "<x>", "y": "y"]
    #expect(
      template(values)
        == #"<p lang="en" dir="ltr">&lt;b&gt; <i>&lt;x&gt;</i> &#123;&#123;x}} &quot;y&quot;</p>End"#
    )
    #expect(
      template(values, in: .german) == #"<p lang="de" dir="ltr">y &amp; <i>&lt;x&gt;</i></p>Ende"#
    )
    #expect(template(values, in: .arabic).hasPrefix(#"<p lang="ar" dir="rtl">"#))
    #expect(TemplateTexts.uses(in: "[[a|x|y]] [0][[b]]").map(\.key) == ["a", "b"])
    let nested = Template("[[a|<i>[[b]]</i>]]", texts: texts)
    #expect(nested([:], in: .german) == " &amp; <i>Ende</i>")
    #expect(TemplateTexts.uses(in: "[[a|<i>[[b]]</i>]]").map(\.key) == ["b", "a"])
  }

  @Test("a phrase is plain in attributes, and isolates its values where it is read")
  func phrases() {
    let texts = TextCatalogue([.english: Array(#"{"on": {"message": "$1 is on"}}"#.utf8)])
    let phrase = Texts(texts, in: .english)("on", "<{{x}}\"\u{202E}")
    let template = Template(#"<p title="{{plain}}">{{shown}}</p>"#)
    let escaped = "&lt;{{x}}&quot;\u{FFFD}"
    let isolated = "<bdi>\(escaped.replacing("{", with: "&#123;"))</bdi>"
    #expect(
      template(["plain": phrase, "shown": phrase.shown])
        == "<p title=\"\(escaped) is on\">\(isolated) is on</p>"
    )
  }

  @Test func literalWords() {
    let template = """
      <p title="Own words" class="not these">[[key|<b>{{x}}</b>]] · <code>x y</code></p>More
      """
    #expect(TextFaults.literalWords(in: template) == ["Own words", "More"])
    #expect(TextFaults.literalWords(in: #"<p title="[[key]]">{{word}} → 1</p>"#) == [])
  }
}
