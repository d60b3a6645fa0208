import Testing

@testable import WebExtensions

struct ScriptTests {
  private func members(_ text: String) -> [String] {
    ScriptUses(Array(text.utf8)).members.map(\.name)
  }

  @Test("members behind browser and chrome are found, whichever way they are written")
  func chains() {
    #expect(members("browser.tabs.create({})") == ["tabs.create"])
    #expect(members("await browser?.runtime\n  .sendMessage(x)") == ["runtime.sendMessage"])
    #expect(members("globalThis.chrome.menus; self.browser.dom") == ["menus", "dom"])
    #expect(members("browser.a; browser.a; chrome.b.c") == ["a", "b.c"])
  }

  @Test("comments, texts, patterns and other objects' members are none")
  func others() {
    #expect(members("// browser.tabs\n/* browser.tabs */ 'browser.tabs' \"chrome.tabs\"") == [])
    #expect(members("my.browser.tabs; browserTabs.create; _browser.x") == [])
    #expect(members(#"x = /["']/; browser.tabs.get(1)"#) == ["tabs.get"])
    #expect(members("a / b; browser.tabs / 2") == ["tabs"])
    #expect(members("browser") == [])
  }

  @Test("the scripts that a worker imports are found")
  func imports() {
    let uses = ScriptUses(Array("importScripts('a.js', \"lib/b.js\"); importScripts(x)".utf8))
    #expect(uses.imports == ["a.js", "lib/b.js"])
    #expect(uses.computedImport != nil)
  }

  @Test("text that never ends is read to its end")
  func unfinished() {
    for text in ["\"", "'\\", "/*", "/", "/[", "browser.", "browser?.", "importScripts(", "`${"] {
      _ = ScriptUses(Array(text.utf8))
    }
  }

  @Test("the scripts of a page, and where another is put")
  func pages() {
    let page = ExtensionPage(
      Array(
        """
        <!doctype html><!-- <script src="no.js"></script> --><html lang=">"><HEAD data-a='>'>
        <script>"<script src='no.js'>"</script><script type=module src = "a.js"></script>
        <body><SCRIPT SRC=b.js defer></SCRIPT>
        """.utf8
      )
    )
    #expect(
      page.scripts == [
        ExtensionPage.Script(source: "a.js", isModule: true),
        ExtensionPage.Script(source: "b.js", isModule: false),
      ]
    )
    let text = String(decoding: page.inserting(script: "/p.js"), as: UTF8.self)
    #expect(text.contains("<HEAD data-a='>'><script src=\"/p.js\"></script>\n"))
  }

  @Test(
    "a page without a head has the script before its first element",
    arguments: [
      ("<p>a", "S<p>a"), ("<!doctype html><title>a</title>", "<!doctype html>S<title>a</title>"),
      ("", "S"), ("words", "wordsS"),
      ("<html><script src=a></script>", "<html>S<script src=a></script>"),
      ("<", "<S"), ("<a '", "<a 'S"),
    ]
  )
  func insertion(_ page: String, _ expected: String) {
    let text = String(
      decoding: ExtensionPage(Array(page.utf8)).inserting(script: "/p.js"),
      as: UTF8.self
    )
    #expect(text == expected.replacing("S", with: "<script src=\"/p.js\"></script>"))
  }

  @Test(
    "paths stay in the extension",
    arguments: [
      ("a.js", "x", "x/a.js"), ("/a.js", "x", "a.js"), ("./b/../a.js?v=1#c", "", "a.js"),
      ("a%20b.js", "", "a b.js"), ("../a.js", "", nil), ("x/../../a.js", "", nil),
      ("https://a.example/b.js", "", nil), ("//a.example/b.js", "", nil), ("", "", nil),
      ("%2e%2e/a.js", "", nil), ("a%2fb.js", "", nil), ("..\\a.js", "", nil), ("a\0.js", "", nil),
    ] as [(String, String, String?)]
  )
  func paths(_ reference: String, _ folder: String, _ expected: String?) {
    #expect(ExtensionPath.resolved(reference, in: folder) == expected)
  }

  @Test("the table has what Safari has")
  func table() {
    #expect(SupportTable.names.count == 825)
    #expect(SupportTable.has(.firefox, "api.dom.openOrClosedShadowRoot") == false)
    #expect(SupportTable.has(.chromium, "api.dom.openOrClosedShadowRoot") == true)
    #expect(SupportTable.has(.chromium, "api.sidebarAction") == nil)
    let missing = SupportTable.names.filter { name in
      TargetBrowser.allCases.contains { SupportTable.has($0, name) == false }
    }
    #expect(missing.count == 113)
  }
}

/// Other names that scripts give to the interfaces.
struct ScriptAliasTests {
  private func members(_ text: String) -> [String] {
    ScriptUses(Array(text.utf8)).members.map(\.name)
  }

  @Test(
    "what is reached by another name is found",
    arguments: [
      ("const { tabs } = browser; tabs.onReplaced", ["tabs", "tabs.onReplaced"]),
      (
        "let { tabs: t, runtime: { getVersion: v } } = chrome; t.get(); v()",
        [
          "tabs", "runtime.getVersion", "tabs.get",
        ]
      ),
      ("const { dom = {}, ...rest } = browser\ndom.x()", ["dom", "rest", "dom.x"]),
      ("const api = globalThis.browser ?? chrome; api.menus.create()", ["menus.create"]),
      ("var api = typeof browser !== 'undefined' ? browser : chrome\napi.dom", ["dom"]),
      ("const api = (window.browser || window.chrome); api?.dom?.x", ["dom.x"]),
      ("const t = browser.tabs; t.get(1)", ["tabs", "tabs.get"]),
      ("function f() { return api.dom } const api = browser", ["dom"]),
      ("const a = browser; const { tabs } = a; tabs.get(1)", ["tabs", "tabs.get"]),
    ] as [(String, [String])]
  )
  func found(_ text: String, _ expected: [String]) {
    #expect(Set(members(text)) == Set(expected))
  }

  @Test(
    "names that mean something else are not taken for it",
    arguments: [
      ("function f() { const api = browser; } api.dom", []),
      ("const tab = await browser.tabs.get(1); tab.dom", ["tabs.get"]),
      ("const isThere = browser && true; isThere.dom", []),
      ("const x = y\nbrowser.dom; x.tabs", ["dom"]),
      ("const t = browser.tabs; { const t = 1; } other.t.get", ["tabs"]),
      ("const is = typeof browser === 'undefined'; is.dom", []),
      ("const list = [browser]; list.dom", []),
    ] as [(String, [String])]
  )
  func others(_ text: String, _ expected: [String]) {
    #expect(members(text) == expected)
  }

  @Test("what calls are given and listeners get is found, where it is written")
  func details() {
    func details(_ text: String) -> Set<String> {
      Set(
        ScriptUses(Array(text.utf8)).details.keys.map { "\($0.call) \($0.kind) \($0.name)" }
      )
    }
    #expect(
      details("browser.action.setTitle({ title: null, windowId, 'x': [1, { y: 2 }] })") == [
        "action.setTitle object 1", "action.setTitle null title", "action.setTitle key windowId",
        "action.setTitle key x", "action.setTitle key y",
      ]
    )
    #expect(
      details("chrome.tabs.onUpdated.addListener((id, change) => { change.openerTabId })") == [
        "tabs.onUpdated.addListener secondParameter ",
        "tabs.onUpdated.addListener read openerTabId",
      ]
    )
    // What another function is given, and what is only logged, is not the call's.
    #expect(details("browser.tabs.get(f({ windowId: 1 }))") == [])
    #expect(details("browser.a.b(() => { console.error('x') })") == [])
    #expect(details("x ? { a: 1 } : browser.a; ({ b: 1 })") == [])
  }

  @Test("declarations that never end are read to their end")
  func unfinished() {
    for text in [
      "const", "const {", "const { a", "const { a: {", "const a =", "const { a = {", "let { a } =",
      String(repeating: "const {", count: 20_000), String(repeating: "const a = b.", count: 20_000),
      String(repeating: "browser.a({", count: 20_000), String(repeating: "}", count: 1_000),
    ] {
      _ = ScriptUses(Array(text.utf8))
    }
  }
}
