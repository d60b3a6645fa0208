internal import CLibrary

/// A file or standard input, read piece by piece, and decompressed if it is gzip.
///
///     let input = try ByteInput(path: "ads.json.gz")
///     while let piece = try input.next() { … }
package final class ByteInput {
  /// The name for messages: the path, or "standard input".
  package let name: String
  /// Whether the input is compressed by gzip.
  package private(set) var isCompressed = false
  private let descriptor: Int32
  private var inflater: Inflater?
  private var isSniffed = false
  private static let pieceSize = 1 << 16
  /// The most bytes of a compressed input to hold at once.
  package static let unfoldedLimit = 256 << 20

  /// Returns the limit for holding an input as a whole, given the limit for uncompressed ones.
  package func wholeLimit(_ limit: Int) -> Int {
    isCompressed ? min(limit, Self.unfoldedLimit) : limit
  }

  /// Opens a file, or standard input for `-`.
  package init(path: String) throws(InputError) {
    guard path != "-" else {
      name = "standard input"
      descriptor = dup(STDIN_FILENO)
      guard descriptor >= 0 else {
        throw InputError("standard input is closed; give a file, or send the input through a pipe")
      }
      return
    }
    name = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.openError(path, errno) }
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw InputError("\(path) is a folder; give a file in it")
    }
  }

  deinit { close(descriptor) }

  /// Returns the next bytes, at least one; `nil` at the end.
  package func next() throws(InputError) -> [UInt8]? {
    while true {
      if let inflated = try inflater?.next() { return inflated }
      let piece = try isSniffed ? read() : firstPiece()
      guard let inflater else { return piece.isEmpty ? nil : piece }
      try inflater.append(piece)
      if piece.isEmpty { return nil }
    }
  }

  /// Whether the next call does not wait: there is more, or the end.
  package var isReady: Bool {
    if let inflater, inflater.holdsOutput { return true }
    var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&question, 1, 0) != 0
  }

  /// Reports early that a file cannot be read; ignores what is not a plain file.
  package static func check(path: String) throws(InputError) {
    var status = stat()
    if path != "-", unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFIFO {
      _ = try ByteInput(path: path)
    }
  }

  /// Returns the identity of a plain file, whatever its path; `nil` for anything else.
  package static func identity(path: String) -> String? {
    var status = stat()
    guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return "\(status.st_dev) \(status.st_ino)"
  }

  /// Returns the first bytes, at least two if possible, to recognise gzip.
  private func firstPiece() throws(InputError) -> [UInt8] {
    isSniffed = true
    var piece = try read()
    while piece.count < 2 {
      let more = try read()
      if more.isEmpty { break }
      piece += more
    }
    if piece.starts(with: [0x1F, 0x8B]) {
      inflater = try Inflater(name: name)
      isCompressed = true
    }
    return piece
  }

  /// Reads everything to the end.
  ///
  /// - Throws: ``InputError`` also if there is more than the limit; a compressed input may expand
  ///   to ``unfoldedLimit`` at most.
  package func readAll(limit: Int = 1 << 31) throws(InputError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readAll(into: &bytes, limit: limit)
    return bytes
  }

  /// Appends everything to the end to bytes that were read before.
  package func readAll(into bytes: inout [UInt8], limit: Int) throws(InputError) {
    // Reserves room for a whole file, so that it is not copied as it grows.
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      bytes.reserveInLargePages(min(Int(status.st_size), limit))
    }
    while let piece = try next() {
      let limit = wholeLimit(limit)
      guard piece.count <= limit - bytes.count else {
        throw InputError(
          isCompressed
            ? "\(name) unfolds to more than \(limit >> 20) MiB; decompress it yourself if you "
              + "trust it, and give smaller parts"
            : "\(name) has more than \(limit >> 20) MiB; give smaller parts"
        )
      }
      bytes += piece
    }
  }

  private func read() throws(InputError) -> [UInt8] {
    var number: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
      var result: Int
      repeat {
        result = unsafe CLibrary.read(descriptor, buffer.baseAddress, Self.pieceSize)
      } while result < 0 && errno == EINTR
      if result < 0 { number = errno }
      count = max(0, result)
    }
    guard number == 0 else {
      throw InputError("\(name) cannot be read: \(systemWords(for: number)); give another file")
    }
    return bytes
  }

  private static func openError(_ path: String, _ number: Int32) -> InputError {
    switch number {
    case ENOENT where path.isEmpty:
      InputError("a file has no name; a variable that stands for one may not be set")
    case ENOENT where path.unicodeScalars.contains("\u{FFFD}"):
      InputError(
        "\(path) cannot be opened: its name is not UTF-8, or contains U+FFFD and there is no such "
          + "file; rename it, or check the path"
      )
    case ENOENT, ENOTDIR:
      InputError(
        "there is no file \(path); check the path, which is relative to the current folder"
      )
    case EACCES:
      InputError("\(path) may not be read; change its permissions, or give another file")
    default: InputError("\(path) cannot be opened: \(systemWords(for: number)); give another file")
    }
  }
}
