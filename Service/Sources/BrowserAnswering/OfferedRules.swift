internal import CLibrary
internal import DurableFiles
internal import Foundation
internal import TextOutput

/// The active lists as a browser's rules, as text that is fetched in parts.
///
/// It is in a file, several megabytes that are of no use in memory, and the next host has it without
/// making it again. Blocks on file I/O.
struct OfferedRules: Sendable {
  /// What it was made of: the program, and a text for each list.
  let key: [String]
  /// Whether all lists could be read; if not, it is to be made again when there is a question.
  let isWhole: Bool
  /// The lists that it was made of and has no rules of.
  let missing: [Missing]
  let digest: String
  let size: Int
  private let body: Body

  /// A list that is on, of which there are no rules, and why.
  struct Missing: Codable, Equatable {
    let identifier: String
    let name: String
    let fault: String
  }

  private enum Body {
    case memory(Data)
    /// The text begins at the offset.
    case file(OpenedFile, start: Int)
  }

  /// What is in the file's first line.
  private struct Header: Codable {
    let key: [String]
    let digest: String
    let size: Int
    /// Absent if there are none.
    var missing: [Missing]?
  }

  /// The longest first line; lists have three hundred bytes of it at most.
  private static let longestHeader = 1 << 20
  /// The longest text that the extension fetches.
  private static let longestText = 256 << 20

  /// Keeps a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - key: What it was made of.
  ///   - missing: The lists that it was made of and has no rules of.
  ///   - isWhole: Whether all lists could be read; otherwise the next host makes it anew.
  ///   - location: Where to keep it. If that cannot be written, it is in memory.
  init(
    _ text: Data,
    key: [String],
    missing: [Missing] = [],
    isWhole: Bool = true,
    in location: URL
  ) {
    let digest = text.digest
    var header = Header(key: key, digest: digest, size: text.count)
    if !missing.isEmpty { header.missing = missing }
    if isWhole, Self.write(text, header, to: location),
      let kept = Self(key: key, in: location), kept.digest == digest
    {
      self = kept
      return
    }
    self.key = key
    self.isWhole = isWhole
    self.missing = missing
    self.digest = digest
    size = text.count
    body = .memory(text)
  }

  /// Opens the file; nil if its text was made of something else, if it is damaged, or if it is not a
  /// file of this user's.
  init?(key: [String], in location: URL) {
    guard let file = OpenedFile(location, followsLink: false), file.isOwn,
      let beginning = file.bytes(at: 0, count: min(Self.longestHeader, file.stamp.size)),
      let end = beginning.firstIndex(of: UInt8(ascii: "\n")),
      let header = try? JSONDecoder().decode(Header.self, from: beginning[..<end]),
      header.key == key, 1...Self.longestText ~= header.size,
      header.size == file.stamp.size - (end + 1),
      file.digest(from: end + 1) == header.digest, file.isUnchanged
    else { return nil }
    self.key = key
    isWhole = true
    missing = header.missing ?? []
    digest = header.digest
    size = header.size
    body = .file(file, start: end + 1)
  }

  /// Reads the part at an offset; nil if the offset is out of range, or the file has been written to since
  /// its digest was found.
  func part(at offset: Int) -> Part? {
    switch body {
    case .memory(let text): return Part(of: text, at: offset)
    case .file(let file, let start):
      let part = Part(of: file, at: offset, from: start)
      return file.isUnchanged ? part : nil
    }
  }

  /// Whether it can still be served.
  var isThere: Bool {
    switch body {
    case .memory: true
    case .file(let file, _): file.isUnchanged
    }
  }

  private static func write(_ text: Data, _ header: Header, to location: URL) -> Bool {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let line = try encoder.encode(header)
      // One that is too long would not be found again.
      guard line.count < longestHeader, text.count <= longestText else { return false }
      let folder = location.deletingLastPathComponent()
      try DurableFile.makeFolder(folder.path)
      removeDrafts(in: folder)
      try DurableFile.replace(location.path, with: line + [UInt8(ascii: "\n")] + text)
      return true
    } catch {
      return false
    }
  }

  /// Removes what hosts have left that were killed while they wrote; one that still writes takes seconds.
  private static func removeDrafts(in folder: URL) {
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
    where name.hasPrefix(DurableFile.draftPrefix) {
      let draft = folder.appending(path: name)
      let values = try? files.attributesOfItem(atPath: draft.path)
      guard let date = values?[.modificationDate] as? Date, date.timeIntervalSinceNow < -3_600
      else { continue }
      try? files.removeItem(at: draft)
    }
  }

  /// What tells this program from its other versions and builds, which may translate otherwise; where the
  /// system does not say it, this process from all others.
  static let program: String = {
    #if os(Linux)
    // The program that runs, even if another is in its place by now.
    let file = OpenedFile(URL(filePath: "/proc/self/exe"))
    #else
    let file = ownProgram().flatMap { OpenedFile(URL(filePath: $0)) }
    #endif
    return "\(ProductVersion.text) \(file.map { "\($0.stamp)" } ?? UUID().uuidString)"
  }()
}
