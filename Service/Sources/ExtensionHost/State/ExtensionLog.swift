internal import ContentRules
internal import Foundation
internal import Synchronization

/// The log of each extension, for its developer: what it printed, and what happened to its
/// requests.
///
/// One file for each extension, with a prefix on each line:
///
///     2016-09-13T20:15:00.250Z host: the request was cancelled: …
///     2016-09-13T20:15:00.250Z printed: making the list
///
/// A file that reaches its limit is rotated to `IDENTIFIER.log.1`, replacing the previous one.
final class ExtensionLog: Sendable {
  /// The origin of a line.
  enum Speaker: String { case host, printed, note, refused }

  private let folder: Folder
  private let limit: Int
  private let writing = Mutex(())

  init(directory: URL, limit: Int) throws(HostError) {
    folder = try Folder(making: directory.path)
    self.limit = limit
  }

  /// Appends a text's lines; a failed write is ignored, since nothing depends on the log.
  func add(_ text: String, by speaker: Speaker, of identifier: String, at date: Date = Date()) {
    let time = date.formatted(
      .iso8601.year().month().day().timeZone(separator: .omitted)
        .time(includingFractionalSeconds: true)
    )
    var bytes: [UInt8] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let start = "\(time) \(speaker.rawValue): "
      bytes += start.utf8
      bytes += DisplayText.lines(String(line), limit: 2_000).utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    writing.withLock { _ in try? write(bytes, identifier) }
  }

  private func write(_ bytes: [UInt8], _ identifier: String) throws(HostError) {
    let name = identifier + ".log"
    let old = try folder.contents(name, atMost: limit * 2)?.count ?? 0
    if old > 0, old + bytes.count > limit { try folder.move(name, to: folder, as: name + ".1") }
    try folder.openLog(name).write(bytes, path: folder.path(of: name))
  }

  /// Returns the whole log, oldest line first.
  func text(of identifier: String) throws(HostError) -> String {
    var text = ""
    for name in [identifier + ".log.1", identifier + ".log"] {
      let data = try folder.contents(name, atMost: limit * 2)
      text += data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return text
  }

  func remove(_ identifier: String) throws(HostError) {
    for name in [identifier + ".log.1", identifier + ".log"] { try folder.removeFile(name) }
  }
}
