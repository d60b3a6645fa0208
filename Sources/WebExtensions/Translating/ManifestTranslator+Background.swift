extension ManifestTranslator {
  /// What the background consists of, in whichever way it is written.
  private struct Background {
    var scripts: [String] = []
    var isModule = false
    /// The folder that the scripts' own relative addresses are about.
    var folder = ""
    var page: String?
    var isWorker = false
  }

  mutating func translateBackground() throws(WebExtensionError) {
    guard let value = original["background"], value.members != nil else { return }
    guard let background = try background(value) else {
      manifest["background"] = nil
      note(
        .missing,
        "background",
        at: original.offset(of: "background"),
        "the background names no script that is there; it is left out"
      )
      return
    }
    backgroundScripts = background.scripts
    switch browser {
    case .chromium: writeWorker(background, value)
    case .firefox: writeEventPage(background, value)
    }
  }

  /// Reads the background that the browser can run best.
  private mutating func background(
    _ value: ManifestValue
  ) throws(WebExtensionError) -> Background? {
    var result = Background()
    result.isModule = value["type"]?.text == "module"
    let worker = value["service_worker"]
    let hasDocument = value["scripts"] != nil || value["page"] != nil
    if let worker, browser == .chromium || !hasDocument {
      guard let path = file(worker) else { return nil }
      result.scripts = [path]
      result.folder = ExtensionPath.folder(path)
      result.isWorker = true
      return result
    }
    if let page = value["page"] {
      guard let path = file(page) else { return nil }
      result.page = path
      result.folder = ExtensionPath.folder(path)
      try readScripts(of: path, into: &result)
      return result
    }
    guard let scripts = value["scripts"]?.elements else { return nil }
    result.scripts = scripts.compactMap { file($0) }
    return result.scripts.isEmpty ? nil : result
  }

  private mutating func readScripts(
    of path: String,
    into background: inout Background
  ) throws(WebExtensionError) {
    guard let bytes = try source.contents(path, limit: ExtensionPage.sizeLimit) else { return }
    let scripts = ExtensionPage(bytes).scripts
    background.isModule = scripts.contains(where: \.isModule)
    for script in scripts {
      let folder = background.folder
      guard let resolved = ExtensionPath.resolved(script.source, in: folder), source.has(resolved)
      else {
        note(
          .missing,
          "missing-file",
          in: path,
          "it loads \(script.source), which is not there; it is left out"
        )
        continue
      }
      background.scripts.append(resolved)
    }
  }

  // MARK: Chromium

  /// Writes a service worker that loads the prelude and the background's scripts.
  private mutating func writeWorker(_ background: Background, _ value: ManifestValue) {
    let folder = background.folder.isEmpty ? "" : background.folder + "/"
    let path = Self.freePath("\(folder)tickbird-background.js", in: source)
    let addresses = ([preludePath] + background.scripts).map {
      String(
        decoding: ManifestValue.string(ExtensionPath.address($0)).json.dropLast(),
        as: UTF8.self
      )
    }
    let text =
      background.isModule
      ? addresses.map { "import \($0);\n" }.joined()
      : addresses.map { "importScripts(\($0));\n" }.joined()
    made[path] = Array("// Made by Tickbird.\n\(text)".utf8)
    var members = [("service_worker", ManifestValue.string(path))]
    if background.isModule { members.append(("type", .string("module"))) }
    manifest["background"] = .object(members)
    guard !background.isWorker else { return }
    note(
      .changed,
      "background",
      at: original.offset(of: "background"),
      "the background becomes a service worker, which Chromium ends when it is idle"
    )
    reportDocumentUse(background.scripts)
  }

  /// Notes what scripts use of the document that a service worker lacks.
  private mutating func reportDocumentUse(_ scripts: [String]) {
    let names = [
      "localStorage", "sessionStorage", "XMLHttpRequest", "document", "alert", "confirm",
    ]
    for path in scripts {
      for name in names {
        guard let offset = uses[path]?.globals[name] else { continue }
        note(
          .missing,
          "document-only",
          in: path,
          line: lines[path]?.line(of: offset),
          "Chromium's service workers have no \(name)"
            + (name == "XMLHttpRequest" ? "; fetch does the same" : "")
        )
      }
    }
  }

  // MARK: Firefox

  /// Writes an event page, which Firefox has in place of service workers.
  private mutating func writeEventPage(_ background: Background, _ value: ManifestValue) {
    var result = value
    for key in ["service_worker", "preferred_environment"] { result[key] = nil }
    if background.page == nil {
      result["scripts"] = .strings(
        [preludePath] + importedFirst(background) + background.scripts
      )
      result["type"] = background.isModule ? .string("module") : nil
    } else {
      // The prelude comes with the page.
      result["scripts"] = nil
      result["page"] = background.page.map { .string($0) }
    }
    if targetVersion == 3 { result["persistent"] = nil }
    manifest["background"] = result
    guard background.isWorker else { return }
    note(
      .changed,
      "background",
      at: value.offset(of: "service_worker"),
      "the service worker becomes an event page, which Firefox has in its place"
    )
    for name in ["clients", "registration"] {
      guard let script = background.scripts.first, let offset = uses[script]?.globals[name] else {
        continue
      }
      note(
        .missing,
        "worker-only",
        in: script,
        line: lines[script]?.line(of: offset),
        "event pages of Firefox have no \(name)"
      )
    }
  }

  /// Returns the scripts that a worker imports, which an event page has to load before it.
  private mutating func importedFirst(_ background: Background) -> [String] {
    guard background.isWorker else { return [] }
    var result: [String] = []
    var names: [String] = []
    for script in background.scripts {
      guard let use = uses[script] else { continue }
      for name in use.imports {
        guard let path = ExtensionPath.resolved(name, in: background.folder), source.has(path),
          !leftOut.contains(path)
        else {
          note(.missing, "missing-file", in: script, "it imports \(name), which is not there")
          continue
        }
        names.append(name)
        if !result.contains(path) { result.append(path) }
      }
      if let offset = use.computedImport {
        note(
          .missing,
          "computed-import",
          in: script,
          line: lines[script]?.line(of: offset),
          "it imports a script whose name is computed, which an event page of Firefox cannot do"
        )
      }
    }
    importedScripts = names
    backgroundScripts = result + backgroundScripts
    return result
  }
}
