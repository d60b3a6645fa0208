internal import CLibrary
internal import Foundation

/// Uses standard input and output as the wire to a browser.
public enum StandardStreams {
  /// Reserves standard input and output for the wire.
  ///
  /// Output of any other code would corrupt the stream, so descriptor 1 is redirected to standard
  /// error, and descriptor 0 to `/dev/null`; child processes inherit neither end of the wire. Call
  /// it before anything else runs.
  ///
  /// - Returns: The descriptors of the wire.
  /// - Throws: ``MessageError`` with code `system`.
  public static func takeWire() throws(MessageError) -> (input: Int32, output: Int32) {
    let input = try keep(0)
    let output = try keep(1)
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0, dup2(null, 0) >= 0 else { throw fault("/dev/null") }
    // Without a standard error, output is discarded.
    if dup2(2, 1) < 0, dup2(null, 1) < 0 { throw fault("standard output") }
    if null > 2 { close(null) }
    return (input, output)
  }

  private static func keep(_ descriptor: Int32) throws(MessageError) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw fault("descriptor \(descriptor)") }
    return copy
  }

  private static func fault(_ thing: String) -> MessageError {
    MessageError(.system, "\(thing) cannot be used: \(systemWords(for: errno))")
  }
}
