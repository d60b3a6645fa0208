import Foundation

/// As much of a URL parser as the vectors need: it lower-cases scheme and host, adds the empty path
/// and drops the default port.
func canonicalURL(_ text: String) -> String {
  guard let colon = text.range(of: "://") else { return text }
  let scheme = text[..<colon.lowerBound].lowercased()
  let rest = text[colon.upperBound...]
  let hostEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
  var host = String(rest[..<hostEnd])
  var path = String(rest[hostEnd...])
  let defaultPorts = ["http": ":80", "https": ":443", "ws": ":80", "wss": ":443", "ftp": ":21"]
  if let port = defaultPorts[scheme] {
    let user = host.lastIndex(of: "@").map { host[...$0] } ?? ""
    host = user + host.dropFirst(user.count).lowercased()
    if host.hasSuffix(port) { host.removeLast(port.count) }
    if !path.hasPrefix("/") { path = "/" + path }
  }
  return scheme + "://" + host + path
}

/// The host of a serialised URL.
func host(of url: String) -> String {
  guard let colon = url.range(of: "://") else { return "" }
  let authority = url[colon.upperBound...].prefix { !"/?#".contains($0) }
  let host = authority[
    (authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...
  ]
  if host.hasPrefix("[") { return String(host.prefix { $0 != "]" }) + "]" }
  return String(host.prefix { $0 != ":" })
}

/// Whether a load is first-party, where a registrable domain is taken to be two labels long.
func isFirstParty(_ url: String, top: String) -> Bool {
  let topHost = host(of: top)
  let labels = topHost.split(separator: ".", omittingEmptySubsequences: false)
  let isAddress = labels.allSatisfy { Int($0) != nil } || topHost.hasPrefix("[")
  let domain =
    isAddress || topHost == "github.io" ? topHost : labels.suffix(2).joined(separator: ".")
  let loadHost = host(of: url)
  return loadHost == domain || (!domain.isEmpty && loadHost.hasSuffix("." + domain))
}
