internal import DurableFiles
public import Foundation
public import ListIngestion

/// The files of one generation of a list.
public enum PreparedFiles {
  /// What is to be prepared, as somebody has written or named it, or as a server has sent it.
  static func body(from origin: ListOrigin) -> String {
    switch origin {
    case .person: "body"
    case .server: "fetched"
    }
  }
  /// What the process that prepared it says, until it is read.
  static let answer = "answer.json"
  /// The compiled list.
  static let compiled = "compiled"
  /// The account of the lines of a filter list.
  static let map = "map.json"

  /// The text that a list was made of.
  static func source(_ format: ListSummary.Format) -> String {
    format == .webkit ? "source.json" : "source.txt"
  }

  /// The names of all of them.
  static let all: Set = [
    body(from: .person), body(from: .server), answer, compiled, map, source(.webkit), source(.abp),
  ]

  /// Converts and compiles the body in a folder, and writes the result there.
  ///
  /// - Parameters:
  ///   - folder: The folder, which has the body and gets the other files.
  ///   - limits: What the list may cost.
  /// - Returns: What is known of the list; its files are on the disk.
  /// - Throws: `IngestionError`, or the file system's error.
  public static func prepare(
    _ folder: URL,
    limits: IngestionLimits = IngestionLimits()
  ) throws -> ListSummary {
    func path(_ name: String) -> String { folder.appending(path: name).path }
    let origin: ListOrigin =
      DurableFile.isThere(path(body(from: .server))) ? .server : .person
    let bytes = try DurableFile.contents(of: path(body(from: origin)), atMost: limits.bytes)
    let list = try ListIngestion.ingest(
      bytes,
      name: source(.abp),
      from: origin,
      limits: limits
    )
    try DurableFile.replace(path(source(list.summary.format)), with: list.text)
    if let map = list.map { try DurableFile.replace(path(PreparedFiles.map), with: map) }
    try DurableFile.replace(path(compiled), with: list.compiled)
    try DurableFile.remove(path(body(from: origin)))
    return list.summary
  }
}
