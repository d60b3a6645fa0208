extension ManifestTranslator {
  /// Leaves out what no browser may get, or takes.
  mutating func chooseFiles() throws(WebExtensionError) {
    for path in source.paths {
      let parts = path.split(separator: "/")
      if try source.isProgram(path) {
        leaveOut(path, "program", "it is a program, which browsers get none of; it is left out")
      } else if parts.contains(where: { $0.hasPrefix(".") }) {
        leaveOut(path, "hidden-file", "hidden files are left out")
      } else if parts.contains(where: { $0.hasSuffix(".lproj") }) {
        // What Apple's systems translate Info.plist and the handler's words by.
        leaveOut(path, nil, "")
      } else if browser == .chromium, let first = parts.first, first.hasPrefix("_"),
        first != "_locales"
      {
        leaveOut(
          path,
          "reserved-name",
          "Chromium reserves names that begin with a low line; it is left out"
        )
      }
    }
  }

  private mutating func leaveOut(_ path: String, _ code: String?, _ message: String) {
    leftOut.insert(path)
    if let code { note(.missing, code, in: path, message) }
  }

  /// Puts the prelude before the scripts of each page.
  mutating func translatePages() throws(WebExtensionError) {
    let tag = ExtensionPath.address(preludePath)
    for path in source.paths where !leftOut.contains(path) {
      guard ["html", "htm", "xhtml"].contains(ExtensionPath.kind(path)) else { continue }
      guard let bytes = try source.contents(path, limit: ExtensionPage.sizeLimit) else {
        note(
          .missing,
          "page-size",
          in: path,
          "it has more than \(ExtensionPage.sizeLimit) bytes, so its scripts do not reach the handler"
        )
        continue
      }
      let page = ExtensionPage(bytes)
      guard page.isReadable else {
        note(
          .missing,
          "page-encoding",
          in: path,
          "it is not UTF-8, so its scripts do not reach the handler; save it as UTF-8"
        )
        continue
      }
      made[path] = page.inserting(script: tag)
    }
  }

  /// Reads what the scripts use.
  mutating func readScripts() throws(WebExtensionError) {
    var total = 0
    for path in source.paths where !leftOut.contains(path) {
      guard ["js", "mjs"].contains(ExtensionPath.kind(path)) else { continue }
      total += source.sizes[path] ?? 0
      guard total <= Self.scannedLimit,
        let bytes = try source.contents(path, limit: ScriptUses.sizeLimit)
      else {
        note(
          .missing,
          "script-size",
          in: path,
          "scripts are read up to \(ScriptUses.sizeLimit) bytes each and \(Self.scannedLimit) "
            + "together, so it is not known what this one uses"
        )
        continue
      }
      uses[path] = ScriptUses(bytes)
      lines[path] = LineTable(bytes)
    }
  }

  /// The most bytes of scripts that are read.
  private static let scannedLimit = 64 << 20

  /// Whether any script uses one of these members.
  func anyScriptUses(_ names: Set<String>) -> Bool {
    uses.values.contains { $0.members.contains { names.contains($0.name) } }
  }
}

/// The lines of a text.
struct LineTable {
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    var starts = [0]
    for (index, byte) in bytes.enumerated() where byte == 0x0A { starts.append(index + 1) }
    self.starts = starts
  }

  /// Returns the line of an offset, counted from 1.
  func line(of offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }
}
