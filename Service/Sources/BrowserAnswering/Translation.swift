internal import CLibrary
internal import DurableFiles
internal import Foundation
internal import TextOutput

/// The active lists as a browser's rules, as text that is fetched in parts.
///
/// It is in a file, several megabytes that are of no use in memory, and the next host has it without
/// making it again.
struct Translation: Sendable {
  /// What it was made of: a text for each list, and which program made it.
  let key: [String]
  let digest: String
  let size: Int
  private let body: Body

  private enum Body {
    case memory(Data)
    /// The text begins at the offset.
    case file(OpenedFile, start: Int)
  }

  /// What is in the file's first line.
  private struct Header: Codable {
    let key: [String]
    let digest: String
  }

  /// The longest first line that is read: lists have two hundred bytes of it at most.
  private static let longestHeader = 1 << 20

  /// Keeps a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - key: What it was made of.
  ///   - location: Where to keep it; nil for in memory alone, where it is, too, if the file cannot be
  ///     written.
  init(_ text: Data, key: [String], in location: URL?) {
    let digest = text.digest
    if let location, Self.write(text, Header(key: key, digest: digest), to: location),
      let kept = Self(key: key, in: location), kept.digest == digest
    {
      self = kept
      return
    }
    self.key = key
    self.digest = digest
    size = text.count
    body = .memory(text)
  }

  /// Opens the file; nil if its text was made of something else, or is damaged.
  init?(key: [String], in location: URL) {
    guard let file = OpenedFile(location),
      let beginning = file.bytes(at: 0, count: min(Self.longestHeader, file.stamp.size)),
      let end = beginning.firstIndex(of: UInt8(ascii: "\n")),
      let header = try? JSONDecoder().decode(Header.self, from: beginning[..<end]),
      header.key == key, file.digest(from: end + 1) == header.digest
    else { return nil }
    self.key = key
    digest = header.digest
    size = file.stamp.size - (end + 1)
    body = .file(file, start: end + 1)
  }

  /// Reads the part at an offset; nil if the offset is out of range, or the file was truncated.
  func part(at offset: Int) -> Part? {
    switch body {
    case .memory(let text): Part(of: text, at: offset)
    case .file(let file, let start): Part(of: file, at: offset, from: start)
    }
  }

  private static func write(_ text: Data, _ header: Header, to location: URL) -> Bool {
    do {
      let line = try JSONEncoder().encode(header)
      // One that is too long would not be found again.
      guard line.count < longestHeader else { return false }
      try DurableFile.makeFolder(location.deletingLastPathComponent().path)
      try DurableFile.replace(location.path, with: line + [UInt8(ascii: "\n")] + text)
      return true
    } catch {
      return false
    }
  }

  /// What tells this program from its other versions and builds, which may translate otherwise.
  static let program: String = {
    let file = ownProgram().flatMap { OpenedFile(URL(filePath: $0)) }
    return "\(ProductVersion.text) \(file.map { "\($0.stamp)" } ?? "")"
  }()
}
