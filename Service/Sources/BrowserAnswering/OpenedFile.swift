internal import CLibrary
internal import Crypto
internal import ExtensionHost
internal import Foundation
internal import RuleMatching

/// A regular file that other programs replace, such as an active list's, opened for reading.
///
/// It is read, not mapped: the system ends a process that reads a mapping of a file that another
/// program has truncated.
struct OpenedFile: Sendable {
  /// What changes when a file is replaced or written, whatever date it is given afterwards.
  struct Stamp: Equatable, Sendable {
    let file: UInt64
    let size: Int
    let seconds: Int
    let nanoseconds: Int
    let changeSeconds: Int
    let changeNanoseconds: Int

    fileprivate init(_ status: stat) {
      file = UInt64(status.st_ino)
      size = Int(status.st_size)
      #if canImport(Darwin)
      let (written, changed) = (status.st_mtimespec, status.st_ctimespec)
      #else
      let (written, changed) = (status.st_mtim, status.st_ctim)
      #endif
      seconds = Int(written.tv_sec)
      nanoseconds = Int(written.tv_nsec)
      changeSeconds = Int(changed.tv_sec)
      changeNanoseconds = Int(changed.tv_nsec)
    }
  }

  /// The stamp of the opened file.
  let stamp: Stamp
  /// Whether the file is this user's own.
  let isOwn: Bool
  private let descriptor: Descriptor

  /// Opens a file; nil if it is not a regular one that can be read.
  ///
  /// - Parameters:
  ///   - location: The file.
  ///   - followsLink: Whether it may be a symbolic link.
  init?(_ location: URL, followsLink: Bool = true) {
    // Non-blocking, since opening a pipe would wait for a writer.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
    let number = unsafe open(location.path, flags)
    guard number >= 0 else { return nil }
    descriptor = Descriptor(number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    stamp = Stamp(status)
    isOwn = status.st_uid == geteuid()
  }

  /// Whether the file's bytes are as they were when it was opened, even if another file is in its place
  /// now.
  var isUnchanged: Bool {
    var status = stat()
    guard unsafe fstat(descriptor.number, &status) == 0 else { return false }
    let now = Stamp(status)
    if now == stamp { return true }
    // Losing its name is a change of the file, too, and then nobody finds it any more.
    return status.st_nlink == 0 && now.size == stamp.size && now.seconds == stamp.seconds
      && now.nanoseconds == stamp.nanoseconds
  }

  /// Returns this many bytes from an offset on; nil if the file does not have them any more.
  func bytes(at offset: Int, count: Int) -> Data? {
    guard offset >= 0, count >= 0, offset <= Int.max - count else { return nil }
    var bytes = Data(count: count)
    let isRead = unsafe bytes.withUnsafeMutableBytes { buffer in
      var done = 0
      while done < count {
        let read = unsafe pread(
          descriptor.number,
          buffer.baseAddress.map { unsafe $0 + done },
          count - done,
          off_t(offset + done)
        )
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { return false }
        done += read
      }
      return true
    }
    return isRead ? bytes : nil
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
