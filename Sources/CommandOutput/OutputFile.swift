internal import DurableFiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Why output could not be written: what failed and what to do, in one sentence.
package struct OutputError: Error, Hashable {
  /// The sentence; empty when the reader of a pipe has gone, which is no fault.
  package var message: String

  /// Creates an error from its sentence.
  package init(message: String) { self.message = message }
}

/// Standard output or standard error, gathered into large pieces.
package struct OutputStream: ~Copyable {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let pieceSize = 1 << 16

  /// Standard output.
  package static func standardOutput() -> OutputStream { OutputStream(descriptor: 1) }

  /// Standard error.
  package static func standardError() -> OutputStream { OutputStream(descriptor: 2) }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Adds text.
  package mutating func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }

  /// Adds bytes.
  package mutating func write(_ bytes: [UInt8]) throws(OutputError) {
    buffer += bytes
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Hands out what was gathered.
  package mutating func flush() throws(OutputError) {
    let bytes = buffer
    buffer.removeAll(keepingCapacity: true)
    try Descriptor.write(bytes, to: descriptor, name: "the output")
  }
}

/// Files that a user asked for.
package enum OutputFile {
  /// Writes a file, which is on the disk when the call returns; nobody ever reads half of it.
  ///
  /// A link is followed, and what is no file, such as a pipe or a device, is written to.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(OutputError) {
    do throws(FileFailure) {
      try DurableFile.export(path, bytes)
    } catch {
      throw OutputError(message: error.number == EPIPE ? "" : error.description)
    }
  }

  /// Finds out before long work that a file could not be written.
  package static func check(_ path: String) throws(OutputError) {
    var folder = "/"
    if let slash = path.lastIndex(of: "/") {
      if slash != path.startIndex { folder = String(path[..<slash]) }
    } else {
      folder = "."
    }
    guard unsafe access(folder, W_OK) == 0 else { throw Descriptor.error(path, errno) }
    if isFolder(path) { throw Descriptor.error(path, EISDIR) }
  }

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

private enum Descriptor {
  static func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(OutputError) {
    var number: Int32 = 0
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        let result = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
        if result < 0, errno == EINTR { continue }
        guard result > 0 else {
          number = errno
          return
        }
        written += result
      }
    }
    if number != 0 { throw error(name, number) }
  }

  static func error(_ name: String, _ number: Int32) -> OutputError {
    if number == EPIPE { return OutputError(message: "") }
    return OutputError(message: FileFailure(name, "written", number).description)
  }

  private static func systemWrite(
    _ descriptor: Int32,
    _ start: UnsafeRawPointer?,
    _ count: Int
  ) -> Int {
    #if canImport(Glibc)
    unsafe Glibc.write(descriptor, start, count)
    #elseif canImport(Musl)
    unsafe Musl.write(descriptor, start, count)
    #else
    unsafe Darwin.write(descriptor, start, count)
    #endif
  }
}
