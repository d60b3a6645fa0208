internal import ContentBlocking
internal import DurableFiles
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import Hummingbird
internal import PageTexts

/// The page about rules: findings about a list, and what the list does to URLs.
struct RulesPage: Sendable {
  let site: Site
  let extensions: any HostCalling
  let lists: ListsInForce
  private let bench = RulesBench()
  private let opened = OpenedLists()

  /// The largest list accepted, in bytes: several times WebKit's limit.
  static let listLimit = 48 << 20
  /// Longer files are not put into the text field, in bytes.
  static let fieldLimit = 256 * 1024

  init(site: Site, extensions: any HostCalling, lists: ListsInForce) {
    self.site = site
    self.extensions = extensions
    self.lists = lists
  }

  func add(to routes: Routes) {
    routes.get("/rules", in: .rules, show)
    routes.post("/rules", in: .rules, limit: Self.listLimit, check)
    routes.post("/rules/open", in: .rules, limit: Self.listLimit, open)
  }

  // MARK: Requests

  private func show(_ visit: Visit) async throws -> Response {
    var form = RulesForm()
    if visit.query["example"] == "yes" {
      form = .example
    } else if !visit.query["list"].isEmpty {
      form.list = visit.query["list"]
    }
    let isAsked = visit.query["example"] == "yes" || !form.list.isEmpty
    return try await page(visit, form, isAsked: isAsked)
  }

  private func check(_ visit: Visit) async throws -> Response {
    let form = RulesForm(visit.form)
    if visit.form["part"] == "answer" {
      let answer = try await answer(form, visit.texts)
      return site.markup(Template.rulesAnswer(site.values(answer), in: visit.texts.language))
    }
    return try await page(visit, form, isAsked: true)
  }

  private func open(_ visit: Visit) async throws -> Response {
    guard let file = visit.form.files["file"], !file.bytes.isEmpty else {
      throw PageError(.unprocessableContent, visit.texts("rules_no_file"))
    }
    let bytes = try Self.source(of: file.bytes, name: file.name, visit.texts)
    var form = RulesForm(visit.form)
    if bytes.count <= Self.fieldLimit, let text = String(bytes: bytes, encoding: .utf8) {
      form.list = ""
      form.rules = text
    } else {
      form.list = opened.add(name: file.name, text: bytes).key
    }
    return try await page(visit, form, isAsked: true)
  }

  /// Returns a file's JSON: its bytes, or the source in a compiled list.
  private static func source(
    of bytes: [UInt8],
    name: String,
    _ texts: Texts
  ) throws -> [UInt8] {
    if bytes.starts(with: [0x1F, 0x8B]) {
      throw PageError(
        .unprocessableContent,
        texts("rules_gzip", name, Phrase.code("tickbird check"))
      )
    }
    guard let list = try? ContentRuleList(identifier: name, compiledFile: bytes) else {
      return bytes
    }
    guard list.isSourceIntact else {
      throw PageError(.unprocessableContent, texts("rules_damaged", name))
    }
    return list.source
  }

  private func page(_ visit: Visit, _ form: RulesForm, isAsked: Bool) async throws -> Response {
    let texts = visit.texts
    var values = form.values
    values["sources"] = try await sources(chosen: form.list, texts)
    values["types"] = LoadQuestion.typeWords.map { word in
      ["word": word, "isChosen": word == form.type] as [String: Any]
    }
    values["contexts"] = [
      ("", "context_default"), ("top-frame", "context_top"), ("child-frame", "context_child"),
    ].map { value, key in
      ["value": value, "label": texts(key), "isChosen": value == form.context] as [String: Any]
    }
    values["isAsked"] = isAsked
    if isAsked {
      values["answer"] = Template.rulesAnswer(
        site.values(try await answer(form, texts)),
        in: texts.language
      )
    }
    return site.page(
      in: .rules,
      for: visit,
      script: "rules.js",
      content: Template.rules(site.values(values), in: texts.language)
    )
  }

  // MARK: Answers

  private func answer(_ form: RulesForm, _ texts: Texts) async throws -> [String: Any] {
    let text: (bytes: [UInt8], name: String)
    if form.list.isEmpty {
      text = (Array(form.rules.utf8), texts("rules_own").description)
    } else {
      text = try await self.text(of: form.list, texts)
    }
    let question = LoadQuestion(
      urls: form.urls,
      page: form.page.trimmingCharacters(in: .whitespaces),
      type: form.type,
      context: form.context
    )
    guard !text.bytes.allSatisfy({ $0 <= 0x20 }) else { return ["isEmpty": true] }
    let asked = Int(form.rule.trimmingCharacters(in: .whitespaces))
    let list = await bench.check(text.bytes, name: text.name)
    let answer = RulesAnswer(
      list: list,
      question: question,
      asked: asked,
      page: form.diagnosticPage,
      texts: texts
    )
    return await bench.run { answer.values() }
  }

  /// Returns the text of an installed list, or of an opened file.
  private func text(
    of key: String,
    _ texts: Texts
  ) async throws -> (bytes: [UInt8], name: String) {
    if let file = opened[key] { return (file.text, file.name) }
    if let file = (try? lists.files())?.first(where: { $0.identifier == key }) {
      if let fault = file.fault {
        throw PageError(.unprocessableContent, .english("\(file.name): \(fault)."))
      }
      do {
        let bytes = try DurableFile.contents(of: file.location.path, atMost: .max)
        let list = try ContentRuleList(identifier: key, compiledFile: bytes)
        if list.isSourceIntact { return (list.source, file.name) }
      } catch {
        throw PageError(.unprocessableContent, texts("rules_unreadable", file.name))
      }
    }
    // The list was never compiled, or is off: the bundle contains it, unless a program generates
    // it.
    let found = try await extensions.call(DescribeExtension(identifier: key))
    let file = URL(filePath: found.path ?? "").appending(path: "blockerList.json")
    guard let text = try? DurableFile.contents(of: file.path, atMost: Self.listLimit) else {
      throw PageError(.unprocessableContent, texts("rules_no_list", found.name))
    }
    return (text, found.name)
  }

  /// Returns the lists to choose from.
  private func sources(chosen: String, _ texts: Texts) async throws -> [[String: Any]] {
    var sources: [[String: Any]] = [
      ["key": "", "name": texts("rules_source_text"), "isChosen": chosen.isEmpty]
    ]
    for file in opened.all {
      sources.append([
        "key": file.key, "isChosen": file.key == chosen,
        "name": texts("rules_source_opened", file.name, texts.size(file.text.count)),
      ])
    }
    // Where it is not known which there are, a list can still be pasted.
    for file in (try? lists.files()) ?? [] where file.isSubscription {
      sources.append([
        "key": file.identifier, "isChosen": file.identifier == chosen,
        "name": texts("rules_source_subscription", file.name),
      ])
    }
    // Without the host a list can still be pasted.
    let installed = try? await extensions.call(ListExtensions())
    for found in installed ?? [] {
      guard found.kind != "shared-links", found.listDate != nil || found.identifier == chosen
      else { continue }
      sources.append([
        "key": found.identifier, "isChosen": found.identifier == chosen,
        "name": texts(found.isOn ? "rules_source_installed" : "rules_source_off", found.name),
      ])
    }
    return sources
  }
}

/// The contents of the rules form, valid or not.
struct RulesForm: Sendable {
  var list = ""
  var rules = ""
  var urls = ""
  var page = ""
  var type = "script"
  var context = ""
  var rule = ""
  var diagnosticPage: Int?

  init() {}

  init(_ form: FormFields) {
    list = form["list"]
    rules = form["rules"]
    urls = form["urls"]
    page = form["page"]
    type = LoadQuestion.typeWords.contains(form["type"]) ? form["type"] : "script"
    context = form["context"]
    rule = form["rule"]
    diagnosticPage = form.number("diagnostics")
  }

  var values: [String: Any] {
    ["rules": rules, "urls": urls, "page": page, "rule": rule]
  }

  /// The initial contents.
  static let example: RulesForm = {
    var form = RulesForm()
    form.rules = """
      [
        {
          "trigger": {"url-filter": "/ads/", "load-type": ["third-party"]},
          "action": {"type": "block"}
        },
        {
          "trigger": {"url-filter": "tracker\\\\.example", "resource-type": ["image", "script"]},
          "action": {"type": "block"}
        },
        {
          "trigger": {"url-filter": "/ads/player\\\\.js$"},
          "action": {"type": "ignore-previous-rules"}
        },
        {
          "trigger": {"url-filter": ".*", "if-domain": ["*news.example"]},
          "action": {"type": "css-display-none", "selector": ".banner"}
        }
      ]
      """
    form.urls = """
      https://cdn.example/ads/banner.js
      https://cdn.example/ads/player.js
      https://tracker.example/pixel.gif image
      https://news.example/site.css style-sheet
      """
    form.page = "https://news.example/today"
    return form
  }()
}
