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
    let (number, size) = try open(path)
    defer { close(number) }
    guard size <= limit else { throw FileFailure(path, "read", EFBIG) }
    let bytes = try read(number, path, size: size, atMost: min(limit, .max - 1) + 1)
    guard bytes.count <= limit else { throw FileFailure(path, "read", EFBIG) }
    return bytes
  }

  /// Reads the beginning of a regular file, following links.
  ///
  /// - Parameters:
  ///   - path: The file; a folder or a pipe is an error.
  ///   - count: The most bytes to read.
  /// - Returns: So many bytes, or all if the file has fewer.
  /// - Throws: ``FileFailure``.
  public static func beginning(of path: String, _ count: Int) throws(FileFailure) -> [UInt8] {
    let (number, size) = try open(path)
    defer { close(number) }
    return try read(number, path, size: min(size, count), atMost: count)
  }

  /// Opens a regular file for reading.
  private static func open(_ path: String) throws(FileFailure) -> (number: Int32, size: Int) {
    // Non-blocking, since opening a pipe would wait for a writer.
    let number = unsafe CLibrary.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw FileFailure(opening: path, errno) }
    var status = stat()
    var failure: Int32 = 0
    if unsafe fstat(number, &status) != 0 {
      failure = errno
    } else if status.st_mode & S_IFMT != S_IFREG {
      failure = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : FileFailure.notAFile
    }
    guard failure == 0 else {
      close(number)
      throw FileFailure(path, "read", failure)
    }
    return (number, Int(status.st_size))
  }

  /// Reads up to a number of bytes; the size is what is expected.
  private static func read(
    _ number: Int32,
    _ path: String,
    size: Int,
    atMost limit: Int
  ) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 1)
    while bytes.count < limit {
      var failure: Int32 = 0
      let most = min(1 << 18, limit - bytes.count)
      let part = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
        var got = unsafe CLibrary.read(number, buffer.baseAddress, most)
        while got < 0, errno == EINTR {
          got = unsafe CLibrary.read(number, buffer.baseAddress, most)
        }
        if got < 0 { failure = errno }
        count = max(0, got)
      }
      guard failure == 0 else { throw FileFailure(path, "read", failure) }
      if part.isEmpty { return bytes }
      bytes += part
    }
    return bytes
  }
}
