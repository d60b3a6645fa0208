internal import CLibrary

#if os(Linux)
internal import CPrivateDescriptors
#endif

/// A pipe that no process has which another thread starts at the same time: it would keep it open.
final class DescriptorPipe {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() throws(CurlFailure) {
    var ends: [Int32] = [-1, -1]
    #if os(Linux)
    let made = unsafe pipe2(&ends, O_CLOEXEC)
    #else
    let made = unsafe pipe(&ends)
    if made == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
    #endif
    guard made == 0 else {
      throw CurlFailure(.noCurl, "curl cannot be started: no pipe can be made (\(errno))")
    }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Creates a pipe that holds bytes, and whose write end is closed.
  ///
  /// - Throws: ``CurlFailure`` if the bytes exceed a pipe's capacity.
  convenience init(holding bytes: [UInt8]) throws(CurlFailure) {
    try self.init()
    // Nobody reads yet, so bytes that do not fit would block forever.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    guard unsafe write(writing, bytes, bytes.count) == bytes.count else {
      throw CurlFailure(.badRequest, "the request is too long")
    }
    closeWriting()
  }

  deinit { close() }

  /// Reads what is available, or waits for it.
  ///
  /// - Returns: The filled part of the buffer; empty at the end.
  func read(_ buffer: inout [UInt8]) throws(CurlFailure) -> ArraySlice<UInt8> {
    while true {
      let count = unsafe CLibrary.read(reading, &buffer, buffer.count)
      if count >= 0 { return buffer[..<count] }
      guard errno == EINTR else {
        throw CurlFailure(.noAnswer, "what curl says cannot be read (\(errno))")
      }
    }
  }

  func closeWriting() { Self.close(&writing) }

  func close() {
    Self.close(&reading)
    Self.close(&writing)
  }

  private static func close(_ descriptor: inout Int32) {
    guard descriptor >= 0 else { return }
    _ = CLibrary.close(descriptor)
    descriptor = -1
  }
}
