internal import CZlib

/// Compresses bytes with gzip, without a time or a name, so that equal bytes give equal files.
package enum Gzip {
  /// Returns the compressed bytes; `nil` if zlib is out of memory.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = unsafe z_stream()
    // Window bits + 16 write gzip.
    let result = unsafe deflateInit2_(
      &stream,
      6,
      Z_DEFLATED,
      15 + 16,
      8,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard result == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    var output: [UInt8] = []
    var start = 0
    while true {
      let size = min(bytes.count - start, 1 << 24)
      let isLast = start + size == bytes.count
      var piece = [UInt8](repeating: 0, count: 1 << 18)
      var status = Z_OK
      var left = 0
      var room = 0
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe piece.withUnsafeMutableBufferPointer { target in
          // zlib only reads it; its declaration predates const.
          unsafe stream.next_in = UnsafeMutablePointer(
            mutating: source.baseAddress?.advanced(by: start)
          )
          unsafe stream.avail_in = UInt32(size)
          unsafe stream.next_out = target.baseAddress
          unsafe stream.avail_out = UInt32(target.count)
          status = unsafe deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
          left = Int(unsafe stream.avail_in)
          room = Int(unsafe stream.avail_out)
        }
      }
      start += size - left
      output += piece[..<(piece.count - room)]
      switch status {
      case Z_STREAM_END: return output
      case Z_OK, Z_BUF_ERROR: continue
      default: return nil
      }
    }
  }
}
