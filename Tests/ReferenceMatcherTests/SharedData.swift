import Foundation
import ReferenceMatcher

/// The folder of facts and real data that may stand beside the package.
///
/// It is found by the environment variable `TICKBIRD_SHARED`, else as `shared` beside the package.
enum SharedData {
  static let folder: URL? = {
    let beside = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../shared").standardizedFileURL
    let candidates = [
      ProcessInfo.processInfo.environment["TICKBIRD_SHARED"].map { URL(filePath: $0) }, beside,
    ]
    return candidates.compactMap(\.self).first {
      FileManager.default.fileExists(atPath: $0.appending(path: "spec/vectors").path)
    }
  }()

  static var isAbsent: Bool { folder == nil }

  /// The bytes of a file, decompressed if only its gzip form is there.
  static func bytes(_ path: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    let plain = folder.appending(path: path)
    if FileManager.default.fileExists(atPath: plain.path) { return try Data(contentsOf: plain) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", plain.path + ".gz"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
    return data
  }

  static func lines(_ path: String) throws -> [Substring] {
    String(decoding: try bytes(path), as: UTF8.self).split(separator: "\n")
  }

  static func json(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: bytes(path))
  }
}

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
