internal import CGzip

/// The error for an unusable input of a measurement, in one sentence.
public struct InputFault: Error, CustomStringConvertible {
  /// The sentence.
  public var message: String

  /// Creates a fault from its sentence.
  public init(_ message: String) { self.message = message }

  /// The sentence.
  public var description: String { message }
}

/// Files that may be compressed by gzip.
public enum InputFile {
  /// Reads a whole file, decompressed.
  ///
  /// - Throws: ``InputFault`` when it cannot be read or is damaged.
  public static func read(path: String) throws(InputFault) -> [UInt8] {
    // zlib returns uncompressed files unchanged.
    guard let file = unsafe gzopen(path, "rb") else {
      throw InputFault("\(path) cannot be opened")
    }
    defer { unsafe gzclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = unsafe gzread(file, &piece, UInt32(piece.count))
      guard count >= 0 else { throw InputFault("\(path) cannot be read, or is damaged") }
      if count == 0 { return bytes }
      bytes += piece[..<Int(count)]
    }
  }
}
