internal import CLibrary
internal import Crypto
internal import Foundation

/// The file of an active list, opened for reading.
///
/// It is read, not mapped: the system ends a process that reads a mapping of a file that another
/// program has truncated.
struct ActiveListFile {
  /// What changes when a file is replaced or written.
  struct Stamp: Equatable {
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

  /// Returns the digest of all bytes; nil if the file does not have them any more.
  ///
  /// - Complexity: O(*n*) in the file's size; a megabyte is in memory at a time.
  func digest() -> String? {
    var hash = SHA256()
    for offset in stride(from: 0, to: stamp.size, by: 1 << 20) {
      guard let bytes = bytes(at: offset, count: min(1 << 20, stamp.size - offset)) else {
        return nil
      }
      hash.update(data: bytes)
    }
    return hash.finalize().hexadecimal
  }
}
