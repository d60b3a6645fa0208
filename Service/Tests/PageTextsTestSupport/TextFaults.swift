public import Foundation
public import PageTexts

/// What has to hold for the texts of any pages.
public enum TextFaults {
  /// Returns what is wrong with a catalogue: keys, forms and placeholders that one language has and
  /// another has not.
  public static func all(of catalogue: TextCatalogue) -> [String] {
    var faults: [String] = []
    let english = catalogue.keys(.english)
    for language in PageLanguage.allCases {
      let expected = expectedKeys(english, in: language)
      let keys = catalogue.keys(language)
      faults += expected.subtracting(keys).sorted().map { "\(language.tag) lacks \($0)" }
      faults += keys.subtracting(expected).sorted().map { "\(language.tag) has no use for \($0)" }
      for key in keys.sorted() {
        guard let text = catalogue.source(key, in: language) else { continue }
        if text.trimmingCharacters(in: .whitespaces).isEmpty {
          faults.append("\(language.tag): \(key) is empty")
        }
        let form = stem(key).flatMap { stem in
          catalogue.source("\(stem)_other", in: .english).map { (stem, $0) }
        }
        let wanted = placeholders(form?.1 ?? catalogue.source(key, in: .english) ?? "")
        var found = placeholders(text)
        // A form of a single number may have it as a word.
        if form != nil, !key.hasSuffix("_other") { found.insert("$1") }
        let missing = form != nil && !key.hasSuffix("_other") ? wanted.union(["$1"]) : wanted
        if found != missing {
          faults.append(
            "\(language.tag): \(key) has \(found.sorted()), and should have \(missing.sorted())"
          )
        }
      }
    }
    return faults
  }

  /// Returns the keys that a file of texts has twice: the reader takes one, and nobody knows which.
  public static func duplicates(under folder: URL) throws -> [String] {
    try files(under: folder).filter { $0.pathExtension == "json" }.flatMap { file in
      let text = try String(contentsOf: file, encoding: .utf8)
      let keys = text.matches(of: /(?m)^  "([a-z0-9_]+)": \{/).map { String($0.1) }
      return Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
        .map { "\(file.lastPathComponent) has \($0) twice" }
    }
  }

  /// The keys that sources name, without the forms of a number.
  public struct Uses: Sendable {
    /// Those that have to be there: in templates, and in Swift as the first argument of a call.
    public var named: Set<String> = []
    /// Every text in quotation marks that could be a key.
    public var mentioned: Set<String> = []
  }

  /// Returns the keys that sources name.
  public static func uses(under folder: URL) throws -> Uses {
    var uses = Uses()
    for file in try files(under: folder) {
      switch file.pathExtension {
      case "mustache":
        let text = try String(contentsOf: file, encoding: .utf8)
        uses.named.formUnion(TemplateTexts.uses(in: text).map(\.key))
      case "swift":
        let text = try String(contentsOf: file, encoding: .utf8)
        let calls = text.matches(of: /(?:texts|counted)\(\s*"([a-z0-9_]+)"/)
        uses.named.formUnion(calls.map { String($0.1) })
        uses.mentioned.formUnion(text.matches(of: /"([a-z0-9_]+)"/).map { String($0.1) })
      default: break
      }
    }
    uses.mentioned.formUnion(uses.named)
    return uses
  }

  /// Returns the keys of a catalogue, those that depend on a number without its forms.
  public static func stems(of catalogue: TextCatalogue) -> Set<String> {
    let keys = catalogue.keys(.english)
    return Set(
      keys.map { key in
        stem(key).flatMap { keys.contains("\($0)_other") ? $0 : nil } ?? key
      }
    )
  }

  /// Returns a key without its plural's form; `nil` if it has none.
  public static func stem(_ key: String) -> String? {
    for form in PluralCategory.allCases where key.hasSuffix("_\(form.rawValue)") {
      return String(key.dropLast(form.rawValue.count + 1))
    }
    return nil
  }

  /// Returns what a template says by itself: its words outside of tags, and in attributes that are
  /// read.
  public static func literalWords(in template: String) -> [String] {
    var text = template
    for pattern in [/<(?:code|pre)[^>]*>[\s\S]*?<\/(?:code|pre)>/, /<style[\s\S]*?<\/style>/] {
      text = text.replacing(pattern, with: "")
    }
    // The values of a text are parts of the template, and looked at themselves.
    text = text.replacing(/\[\[[a-z0-9_]+/, with: " ").replacing("]]", with: " ")
      .replacing("|", with: " ")
    text = text.replacing(/\{\{\{?[^}]*\}?\}\}/, with: "")
    var words: [String] = []
    let read = /\b(?:title|placeholder|aria-label|alt)="([^"]*)"/
    words += text.matches(of: read).map { String($0.1) }
    words.append(contentsOf: text.split(separator: /<[^>]*>/).map(String.init))
    return words.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { $0.contains(/[A-Za-z]{2,}/) }
  }

  /// Returns the files in a folder and in those below it.
  public static func files(under folder: URL) throws -> [URL] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.sorted().map { folder.appending(path: $0) }
  }

  private static func expectedKeys(_ english: Set<String>, in language: PageLanguage) -> Set<String>
  {
    var keys: Set<String> = []
    for key in english {
      guard let stem = stem(key), english.contains("\(stem)_other") else {
        keys.insert(key)
        continue
      }
      keys.formUnion(PluralCategory.all(in: language.tag).map { "\(stem)_\($0.rawValue)" })
    }
    return keys
  }

  private static func placeholders(_ text: String) -> Set<String> {
    Set(text.replacing("$$", with: "").matches(of: /\$[1-9]/).map { String($0.output) })
  }
}
