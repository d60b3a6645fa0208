import BrowserDriving
import ContentBlocking
import Foundation
import ResourceLoads
import RuleMatching
import WebURL

/// Real lists and a real log of requests, from the folder of data that may stand beside the package.
enum Logs {
  /// The folder; `nil` when there is none.
  static let folder: URL? = {
    let named = ProcessInfo.processInfo.environment["TICKBIRD_SHARED"].map { URL(filePath: $0) }
    let beside = Session.packageRoot.appending(path: "../shared").standardizedFileURL
    return [named, beside].compactMap(\.self).map { $0.appending(path: "data") }.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "requests").path)
    }
  }()

  /// The large list of 2026.
  static let list = "conv-easylist-easyprivacy-2026"

  /// The bytes of a file of the folder, which is kept as gzip.
  static func bytes(_ path: String) throws -> [UInt8] {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return Array(try Tool.run(["/bin/gzip", "-dc", folder.appending(path: path).path]).utf8)
  }

  static func lines(_ path: String) throws -> [String] {
    String(decoding: try bytes(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A row of the log.
  struct Row {
    var url: String
    var top: String
    var type: String

    /// The load as the engine is asked about it, and as a decision in the browser is.
    func load() -> ResourceLoad? {
      guard let url = WebURL(url), let top = WebURL(top) else { return nil }
      let word = ResourceType.words.first { "\($0.word)" == type }
      return word.map { ResourceLoad(url: url, topURL: top, resourceType: $0.type) }
    }

    var forBrowser: [String: Any] {
      [
        "url": url, "topURL": top, "frameURL": top, "type": type, "isTopFrame": true,
        "method": "GET",
      ]
    }
  }

  /// The log in its order.
  static func rows() throws -> [Row] {
    try lines("requests/top500-2019.tsv.gz").dropFirst().map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Row(
        url: columns[0],
        top: columns[1].isEmpty ? "about:blank" : columns[1],
        type: columns[3] == "document" ? "top-document" : columns[3]
      )
    }
  }
}
