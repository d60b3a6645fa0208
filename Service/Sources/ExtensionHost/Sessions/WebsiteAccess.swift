internal import Foundation

/// The websites that a Safari app extension may access: `SFSafariWebsiteAccess` of its `Info.plist`.
struct WebsiteAccess: Equatable, Sendable {
  private enum Level: Equatable {
    case none, all
    /// Each with whether its subdomains belong to it.
    case some([(domain: String, hasSubdomains: Bool)])

    static func == (a: Level, b: Level) -> Bool {
      switch (a, b) {
      case (.none, .none), (.all, .all): true
      case (.some(let a), .some(let b)): a.elementsEqual(b) { $0 == $1 }
      default: false
      }
    }
  }

  private static let mostDomains = 10_000
  private let level: Level

  /// Reads the key of an `Info.plist`; what cannot be understood gives no access.
  init(_ information: [String: Any]) {
    let values = (information["NSExtension"] as? [String: Any])?["SFSafariWebsiteAccess"]
    let access = values as? [String: Any] ?? [:]
    switch access["Level"] as? String {
    case "All": level = .all
    case "Some":
      let domains = access["Allowed Domains"] as? [Any] ?? []
      level = .some(
        domains.prefix(Self.mostDomains).compactMap { $0 as? String }.map { text in
          let text = text.lowercased()
          guard text.hasPrefix("*") else { return (text, false) }
          return (String(text.drop { $0 == "*" || $0 == "." }), true)
        }
      )
    default: level = .none
    }
  }

  /// Whether a web page may be accessed.
  func allows(_ url: URL) -> Bool {
    guard Self.isWebPage(url), let host = url.host(percentEncoded: false)?.lowercased() else {
      return false
    }
    switch level {
    case .none: return false
    case .all: return true
    case .some(let domains):
      return domains.contains { entry in
        host == entry.domain
          || entry.hasSubdomains && (entry.domain.isEmpty || host.hasSuffix("." + entry.domain))
      }
    }
  }

  /// Whether a URL is that of a web page.
  static func isWebPage(_ url: URL) -> Bool {
    ["http", "https"].contains(url.scheme?.lowercased()) && !(url.host() ?? "").isEmpty
  }
}
