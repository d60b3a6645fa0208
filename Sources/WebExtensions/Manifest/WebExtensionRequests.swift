/// What a web extension may do in a browser, by its manifest.
///
/// Optional permissions are not among them, since browsers ask for those when they are wanted; but for
/// those that a browser cannot ask for later, and which the translation makes it have at once.
public struct WebExtensionRequests: Equatable, Sendable, Codable {
  /// Names of permissions, sorted.
  public let permissions: [String]
  /// Patterns of the pages that it may read and change, sorted.
  public let hosts: [String]
  /// Pages of the browser that it puts its own in the place of, sorted.
  public let overrides: [String]
  /// Patterns of the pages that may send it messages, sorted.
  public let callers: [String]
  /// What of the browser it changes or takes over, sorted.
  public let changes: [BrowserChange]

  /// Reads what a manifest requests.
  init(_ value: ManifestValue) {
    let names = value["permissions"]?.texts ?? []
    let optional = (value["optional_permissions"]?.texts ?? []).filter { name in
      TargetBrowser.allCases.contains { browser in
        SupportTable.has(browser, "manifest.optional_permissions.\(name)") == false
          && SupportTable.has(browser, "manifest.permissions.\(name)") == true
      }
    }
    permissions = Self.sorted(names.filter { !Self.isHostPattern($0) } + optional)
    var hosts = names.filter { Self.isHostPattern($0) } + (value["host_permissions"]?.texts ?? [])
    for script in value["content_scripts"]?.elements ?? [] {
      hosts += script["matches"]?.texts ?? []
    }
    self.hosts = Self.sorted(hosts)
    overrides = Self.sorted(value["chrome_url_overrides"]?.members?.map(\.key) ?? [])
    callers = Self.sorted(value["externally_connectable"]?["matches"]?.texts ?? [])
    changes = Set(BrowserChange.all(value)).sorted()
  }

  /// No requests.
  public static let nothing = WebExtensionRequests(
    permissions: [],
    hosts: [],
    overrides: [],
    callers: [],
    changes: []
  )

  /// Reads requests that were kept; kinds of them that an older version did not know are none.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func texts(_ key: CodingKeys) throws -> [String] {
      Self.sorted(try values.decodeIfPresent([String].self, forKey: key) ?? [])
    }
    permissions = try texts(.permissions)
    hosts = try texts(.hosts)
    overrides = try texts(.overrides)
    callers = try texts(.callers)
    changes = try values.decodeIfPresent([BrowserChange].self, forKey: .changes) ?? []
  }

  /// Reads what an extension's manifest requests.
  ///
  /// - Parameter text: The bytes of `manifest.json`.
  /// - Throws: ``WebExtensionError`` as ``CheckedManifest`` does.
  public init(manifest text: [UInt8]) throws(WebExtensionError) {
    self.init(try CheckedManifest(text).value)
  }

  private static func sorted(_ texts: [String]) -> [String] { Set(texts).sorted() }

  /// Whether a permission of version 2 is a pattern of pages.
  static func isHostPattern(_ text: String) -> Bool {
    text == "<all_urls>" || text.contains("://")
  }

  /// The patterns that cover all pages of the web.
  private static let everywhere: Set<String> = [
    "<all_urls>", "*://*/*", "http://*/*", "https://*/*",
  ]

  /// The requests, one line each; empty if there are none.
  public var sentences: [String] {
    var result: [String] = []
    if !hosts.isEmpty {
      let isEverywhere = !Self.everywhere.isDisjoint(with: hosts)
      result.append(
        "in browsers, to read and change "
          + (isEverywhere ? "all pages (\(Self.list(hosts)))" : "the pages \(Self.list(hosts))")
      )
    }
    if !permissions.isEmpty { result.append("in browsers, \(Self.list(permissions))") }
    if !overrides.isEmpty { result.append("to replace the browser's \(Self.list(overrides))") }
    if !callers.isEmpty { result.append("messages from the pages \(Self.list(callers))") }
    result += changes.prefix(Self.listLimit).map(\.sentence)
    let others = changes.count - Self.listLimit
    if others > 0 { result.append("\(others) other changes to the browser") }
    return result
  }

  private static let listLimit = 12

  /// Names a few, and the number of the others: an extension may list thousands of hosts.
  private static func list(_ texts: [String]) -> String {
    let others = texts.count - listLimit
    let shown = texts.prefix(listLimit).map { $0.count > 100 ? $0.prefix(99) + "…" : $0 }
    return shown.joined(separator: ", ")
      + (others > 0 ? " and \(others) more" : "")
  }

  /// Returns what another version does not request; `nil` stands for none.
  public func beyond(_ before: WebExtensionRequests?) -> WebExtensionRequests {
    guard let before else { return self }
    return WebExtensionRequests(
      permissions: Self.added(permissions, before.permissions),
      hosts: Self.partition(hosts, by: before.hosts).others,
      overrides: Self.added(overrides, before.overrides),
      callers: Self.added(callers, before.callers),
      changes: Self.added(changes, before.changes)
    )
  }

  /// Returns what this or another one requests.
  public func union(_ other: WebExtensionRequests) -> WebExtensionRequests {
    WebExtensionRequests(
      permissions: Self.sorted(permissions + other.permissions),
      hosts: Self.sorted(hosts + other.hosts),
      overrides: Self.sorted(overrides + other.overrides),
      callers: Self.sorted(callers + other.callers),
      changes: Set(changes + other.changes).sorted()
    )
  }

  /// What questions of versions said that did not know of ``changes``.
  public var withoutChanges: WebExtensionRequests {
    WebExtensionRequests(
      permissions: permissions,
      hosts: hosts,
      overrides: overrides,
      callers: callers,
      changes: []
    )
  }

  /// Returns what both this and another one request.
  public func intersection(_ other: WebExtensionRequests) -> WebExtensionRequests {
    WebExtensionRequests(
      permissions: Self.common(permissions, other.permissions),
      hosts: Self.sorted(
        Self.partition(hosts, by: other.hosts).covered
          + Self.partition(other.hosts, by: hosts).covered
      ),
      overrides: Self.common(overrides, other.overrides),
      callers: Self.common(callers, other.callers),
      changes: Self.common(changes, other.changes)
    )
  }

  /// Divides patterns into those whose pages others have, and those of which that is not certain.
  private static func partition(
    _ patterns: [String],
    by others: [String]
  ) -> (covered: [String], others: [String]) {
    let known = Set(others)
    var schemes = Set(
      ["http://", "https://"].filter { known.contains("\($0)*/*") || known.contains("*://*/*") }
    )
    if schemes.count == 2 { schemes.insert("*://") }
    func isCovered(_ pattern: String) -> Bool {
      known.contains("<all_urls>") || known.contains(pattern)
        || schemes.contains { pattern.hasPrefix($0) }
    }
    return (patterns.filter(isCovered), patterns.filter { !isCovered($0) })
  }

  private static func common<Item: Hashable>(_ items: [Item], _ others: [Item]) -> [Item] {
    let others = Set(others)
    return items.filter { others.contains($0) }
  }

  private static func added<Item: Hashable>(_ items: [Item], _ before: [Item]) -> [Item] {
    let before = Set(before)
    return items.filter { !before.contains($0) }
  }

  private init(
    permissions: [String],
    hosts: [String],
    overrides: [String],
    callers: [String],
    changes: [BrowserChange]
  ) {
    self.permissions = permissions
    self.hosts = hosts
    self.overrides = overrides
    self.callers = callers
    self.changes = changes
  }
}
