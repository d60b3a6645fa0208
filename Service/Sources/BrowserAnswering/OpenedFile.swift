internal import CLibrary
internal import Crypto
internal import Foundation
internal import RuleMatching

/// A file that other programs replace, such as an active list's, opened for reading.
///
/// It is read, not mapped: the system ends a process that reads a mapping of a file that another
/// program has truncated.
struct OpenedFile: Sendable {
  /// What changes when a file is replaced or written.
  struct Stamp: Equatable, Sendable {
    let file: UInt64
    let size: Int
    let seconds: Int
    let nanoseconds: Int
  }

  /// The stamp of the opened file.
  let stamp: Stamp
  private let handle: FileHandle

  /// Opens a file; nil if it cannot be read.
  init?(_ location: URL) {
    guard let handle = try? FileHandle(forReadingFrom: location) else { return nil }
    var status = stat()
    guard unsafe fstat(handle.fileDescriptor, &status) == 0 else { return nil }
    self.handle = handle
    stamp = Stamp(
      file: UInt64(status.st_ino),
      size: Int(status.st_size),
      seconds: Int(status.st_mtim.tv_sec),
      nanoseconds: Int(status.st_mtim.tv_nsec)
    )
  }

  /// Returns this many bytes from an offset on; nil if the file does not have them any more.
  func bytes(at offset: Int, count: Int) -> Data? {
    guard offset >= 0, count >= 0, (try? handle.seek(toOffset: UInt64(offset))) != nil,
      let bytes = count == 0 ? Data() : try? handle.read(upToCount: count), bytes.count == count
    else { return nil }
    return bytes
  }

  /// The digests of a file.
  struct Digests: Equatable {
    /// That of all bytes.
    let whole: String
    /// That of the bytes that decide, which are the first ones; nil if nothing comes after them.
    let deciding: String?
  }

  /// Returns the digests of a list's file; nil if the file does not have its bytes any more.
  ///
  /// - Complexity: O(*n*) in the file's size; a megabyte is in memory at a time.
  func digests() -> Digests? {
    var hash = SHA256()
    guard let end = decidingSize else {
      return add(0..<stamp.size, to: &hash)
        ? Digests(whole: hash.finalize().hexadecimal, deciding: nil) : nil
    }
    guard add(0..<end, to: &hash) else { return nil }
    let deciding = hash.finalize().hexadecimal
    guard add(end..<stamp.size, to: &hash) else { return nil }
    return Digests(whole: hash.finalize().hexadecimal, deciding: deciding)
  }

  /// Returns the digest of the bytes from an offset on; nil if the file does not have them any more.
  ///
  /// - Complexity: O(*n*) in the file's size; a megabyte is in memory at a time.
  func digest(from offset: Int) -> String? {
    var hash = SHA256()
    guard offset <= stamp.size, add(offset..<stamp.size, to: &hash) else { return nil }
    return hash.finalize().hexadecimal
  }

  private func add(_ range: Range<Int>, to hash: inout SHA256) -> Bool {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = min(1 << 20, range.upperBound - offset)
      guard let bytes = bytes(at: offset, count: count) else { return false }
      hash.update(data: bytes)
      offset += count
    }
    return true
  }

  /// How many of the first bytes decide; nil if the file does not say so.
  ///
  /// Behind them is the text that the list was compiled from.
  var decidingSize: Int? {
    guard let header = bytes(at: 0, count: min(FileLayout.headerSize, stamp.size)),
      header.count == FileLayout.headerSize, header.number(at: 0, size: 8) == FileLayout.magic
    else { return nil }
    let count = Int(clamping: header.number(at: 12, size: 4))
    guard count > 0, count <= (stamp.size - FileLayout.headerSize) / 8,
      let entry = bytes(at: FileLayout.headerSize + 8 * (count - 1), count: 8)
    else { return nil }
    let start = Int(clamping: entry.number(at: 0, size: 4))
    let isInFile = start >= FileLayout.headerSize + 8 * count && start < stamp.size
    return isInFile ? start : nil
  }
}

extension Data {
  /// A number of the compiled format, which is little-endian.
  fileprivate func number(at offset: Int, size: Int) -> UInt64 {
    dropFirst(offset).prefix(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
