internal import CLibrary

extension DurableFile {
  /// Reads a regular file, following links.
  ///
  /// - Parameters:
  ///   - path: The file; a folder or a pipe is an error.
  ///   - limit: The most bytes that it may have.
  /// - Returns: All bytes.
  /// - Throws: ``FileFailure``, with the number `EFBIG` for a larger file.
  public static func contents(of path: String, atMost limit: Int) throws(FileFailure) -> [UInt8] {
    // Non-blocking, since opening a pipe would wait for a writer.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw FileFailure(path, "opened", errno) }
    defer { close(number) }
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw FileFailure(path, "read", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileFailure(path, "read", status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    guard status.st_size <= limit else { throw FileFailure(path, "read", EFBIG) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size) + 1)
    while true {
      var failure: Int32 = 0
      let part = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
        var got = unsafe read(number, buffer.baseAddress, buffer.count)
        while got < 0, errno == EINTR {
          got = unsafe read(number, buffer.baseAddress, buffer.count)
        }
        if got < 0 { failure = errno }
        count = max(0, got)
      }
      guard failure == 0 else { throw FileFailure(path, "read", failure) }
      if part.isEmpty { return bytes }
      bytes += part
      guard bytes.count <= limit else { throw FileFailure(path, "read", EFBIG) }
    }
  }
}
