/// Standard output or standard error, buffered; every write is checked.
public struct OutputStream: ~Copyable {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private static let pieceSize = 1 << 16

  /// Standard output.
  public static func standardOutput() -> OutputStream { OutputStream(descriptor: 1) }

  /// Standard error.
  public static func standardError() -> OutputStream { OutputStream(descriptor: 2) }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Adds text.
  public mutating func write(_ text: OutputText) throws(OutputError) {
    try write(Array(text.text.utf8))
  }

  /// Writes bytes, which are data and not for display.
  public mutating func write(_ bytes: [UInt8]) throws(OutputError) {
    buffer += bytes
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Flushes the buffer.
  public mutating func flush() throws(OutputError) {
    let bytes = buffer
    buffer.removeAll(keepingCapacity: true)
    try OutputDescriptor.write(
      bytes,
      to: descriptor,
      name: descriptor == 1 ? "the output" : "standard error"
    )
  }

  /// Whether it is a terminal, where somebody waits for each line.
  var isTerminal: Bool { OutputDescriptor.isTerminal(descriptor) }
}
