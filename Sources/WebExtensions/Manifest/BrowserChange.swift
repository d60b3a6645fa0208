/// Something of the browser that a web extension changes or takes over by its manifest alone.
///
/// Rule sets of `declarative_net_request` are none: the permission that they need is told, and lets the
/// extension make rules at any time.
public struct BrowserChange: Hashable, Sendable, Codable {
  /// The key of the manifest, or of what is in it; the set may grow.
  let key: String
  /// What is put there: an address, or a name and an address.
  let value: String

  /// Finds all in a manifest.
  static func all(_ manifest: ManifestValue) -> [BrowserChange] {
    var result: [BrowserChange] = []
    let settings = manifest["chrome_settings_overrides"]
    if let page = settings?["homepage"] { result.append(BrowserChange("homepage", page)) }
    for page in settings?["startup_pages"]?.elements ?? [] {
      result.append(BrowserChange("startup_pages", page))
    }
    if let engine = settings?["search_provider"] {
      let words = [engine["name"]?.text, (engine["search_url"]?.text).map { "(\($0))" }]
      result.append(
        BrowserChange(
          key: engine["is_default"]?.content == .bool(true)
            ? "search_provider" : "search_provider.offered",
          value: words.compactMap(\.self).joined(separator: " ")
        )
      )
    }
    if manifest["devtools_page"] != nil {
      result.append(BrowserChange(key: "devtools_page", value: ""))
    }
    for handler in manifest["protocol_handlers"]?.elements ?? [] {
      let words = [handler["protocol"]?.text, handler["uriTemplate"]?.text]
      result.append(
        BrowserChange(
          key: "protocol_handlers",
          value: words.compactMap(\.self).joined(separator: " links at ")
        )
      )
    }
    return result
  }

  private init(_ key: String, _ value: ManifestValue) {
    self.init(key: key, value: value.text ?? "")
  }

  private init(key: String, value: String) {
    self.key = key
    self.value = value
  }

  /// What it does, in words.
  var sentence: String {
    let shown = value.count > 200 ? value.prefix(199) + "…" : value[...]
    return switch key {
    case "homepage": "to change the browser's home page to \(shown)"
    case "startup_pages": "to open \(shown) when the browser starts"
    case "search_provider": "to change the browser's search engine to \(shown)"
    case "search_provider.offered": "to add the search engine \(shown) to the browser"
    case "devtools_page": "to take part in the browser's developer tools, and see what is inspected"
    case "protocol_handlers": "to open \(shown)"
    // A later version kept it.
    default: "to change the browser's \(key): \(shown)"
    }
  }
}

extension BrowserChange: Comparable {
  /// By key, then by value.
  public static func < (one: BrowserChange, other: BrowserChange) -> Bool {
    (one.key, one.value) < (other.key, other.value)
  }
}
