internal import CLibrary
internal import DurableFiles

/// Writes to file descriptors.
package enum OutputDescriptor {
  /// Writes all bytes, continuing after partial writes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to write.
  ///   - descriptor: The file descriptor.
  ///   - name: The name for errors.
  /// - Throws: ``OutputError``.
  package static func write(
    _ bytes: some Collection<UInt8>,
    to descriptor: Int32,
    name: String
  ) throws(OutputError) {
    var number: Int32 = 0
    let bytes = ContiguousArray(bytes)
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        let result = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
        if result < 0, errno == EINTR { continue }
        if result < 0, errno == EAGAIN {
          wait(descriptor)
          continue
        }
        guard result > 0 else {
          number = result == 0 ? EIO : errno
          return
        }
        written += result
      }
    }
    if number != 0 { throw error(name, number) }
  }

  /// The error of a failed call.
  package static func error(_ name: String, _ number: Int32) -> OutputError {
    guard number != EBADF else {
      return OutputError(message: "\(name) cannot be written: it is closed; give another place")
    }
    return OutputError(
      message: FileFailure(name, "written", number).description,
      isClosedPipe: number == EPIPE
    )
  }

  /// Whether a write of at most 4,096 bytes would return at once, with or without an error.
  static func isReady(_ descriptor: Int32) -> Bool {
    var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&question, 1, 0) != 0
  }

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Waits until a non-blocking descriptor accepts more.
  private static func wait(_ descriptor: Int32) {
    var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&question, 1, -1)
  }

  private static func systemWrite(
    _ descriptor: Int32,
    _ start: UnsafeRawPointer?,
    _ count: Int
  ) -> Int {
    unsafe CLibrary.write(descriptor, start, count)
  }
}
