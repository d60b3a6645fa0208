extension ManifestTranslator {
  /// Notes what scripts use of Safari's interfaces that the browser lacks.
  mutating func reportMembers() {
    let missing = SupportTable.missingUses(in: browser)
    for path in uses.keys.sorted() {
      guard let use = uses[path] else { continue }
      for member in use.members {
        guard let (code, message) = lack(of: Self.inTable(member.name)) else { continue }
        noteUse(code, path, member.offset, message)
      }
      var found: [String: Int] = [:]
      for (detail, offset) in use.details {
        for use in detail.uses {
          guard let entry = missing[use] else { continue }
          found[entry] = min(found[entry] ?? offset, offset)
        }
      }
      for (read, offset) in use.reads {
        for word in [nil, "port", "result"] where word.map(read.owner.contains) ?? true {
          guard let entry = missing[.anyRead(owner: word, name: read.name)] else { continue }
          found[entry] = min(found[entry] ?? offset, offset)
        }
      }
      for (entry, offset) in found.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
        noteUse("interface", path, offset, "\(browser.title) has no \(entry)")
      }
    }
  }

  private mutating func noteUse(_ code: String, _ path: String, _ offset: Int, _ message: String) {
    note(.missing, code, in: path, line: lines[path]?.line(of: offset), message)
  }

  /// Returns a chain as the table names it: `contextMenus` is there as `menus`.
  static func inTable(_ chain: String) -> String {
    let parts = chain.split(separator: ".", maxSplits: 1)
    guard parts.first == "contextMenus" else { return chain }
    return (["menus"] + parts.dropFirst()).joined(separator: ".")
  }

  /// Returns what is missing of a chain of members, as a code and a message; `nil` for nothing.
  private func lack(of chain: String) -> (code: String, message: String)? {
    var parts = chain.split(separator: ".")
    // The longest part that the table has decides.
    while !parts.isEmpty {
      let name = parts.joined(separator: ".")
      if let limit = limits[name] { return ("interface-limit", "\(name): \(limit)") }
      if SupportTable.bridged[browser]?.contains(name) ?? false { return nil }
      if let isThere = SupportTable.has(browser, "api.\(name)") {
        return isThere ? nil : ("interface", "\(browser.title) has no \(name)")
      }
      parts.removeLast()
    }
    return nil
  }

  /// What the browser has under a name, but cannot do as Safari does.
  private var limits: [String: String] {
    guard browser == .chromium else { return [:] }
    let noPage = "Chromium's background has no page, so the answer is null"
    return [
      "extension.getBackgroundPage": noPage, "runtime.getBackgroundPage": noPage,
    ]
  }
}

extension ScriptUses.Detail {
  /// The uses of entries that it may be.
  fileprivate var uses: [InterfaceUse] {
    let call = ManifestTranslator.inTable(call)
    let listener = ".addListener"
    let event = call.hasSuffix(listener) ? String(call.dropLast(listener.count)) : call
    return switch kind {
    case .key: [.key(call: call, name: name)]
    case .null: [.key(call: call, name: name), .null(call: call)]
    case .read: [.read(call: event, name: name)]
    case .secondParameter: [.secondParameter(event: event)]
    case .object: Int(name).map { [.object(call: call, place: $0)] } ?? []
    }
  }
}
