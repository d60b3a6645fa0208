internal import CZlib

/// Decompresses gzip, piece by piece, concatenating members.
///
/// Refuses a decompression bomb as soon as it exceeds the limits.
///
/// Safe because zlib gets its pointers anew for each call and keeps none of them.
@safe package final class Inflater {
  /// Limits on the output.
  package struct Limits: Sendable {
    /// Bytes of output per byte of input; lists and logs reach 5 to 50, gzip can do a thousand.
    package var ratio = 200
    /// Bytes of output that are always allowed, since short texts may be very regular.
    package var freeBytes = 64 << 20

    /// The limits for inputs.
    package init() {}
  }

  private let name: String
  private let limits: Limits
  private var bytesIn = 0
  private var bytesOut = 0
  private var stream = unsafe z_stream()
  private var pending: [UInt8] = []
  private var position = 0
  private var isBetweenMembers = false
  /// Whether the last piece had the full size, so that zlib may have more.
  private var mayHoldOutput = false

  /// Starts at the first member's first byte.
  package init(name: String, limits: Limits = Limits()) throws(InputError) {
    self.name = name
    self.limits = limits
    // Window bits + 16 accept gzip only.
    let result = unsafe inflateInit2_(
      &stream,
      15 + 16,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard result == Z_OK else {
      throw InputError(
        "\(name) cannot be decompressed: zlib does not start; decompress it yourself"
      )
    }
  }

  deinit { unsafe inflateEnd(&stream) }

  /// Adds the next compressed bytes, once ``next()`` has returned `nil`; none mean the end of the
  /// input.
  package func append(_ input: [UInt8]) throws(InputError) {
    if input.isEmpty, !isBetweenMembers {
      throw InputError("\(name) is cut off: its gzip data has no end; get the file again")
    }
    pending = input
    position = 0
  }

  /// Whether there may be output without more input.
  package var holdsOutput: Bool { position < pending.count || mayHoldOutput }

  /// Returns the next decompressed bytes, at most 128 KiB; `nil` if more input is needed.
  package func next() throws(InputError) -> [UInt8]? {
    while holdsOutput {
      if isBetweenMembers {
        // Zero padding is common on tapes and in archives.
        while position < pending.count, pending[position] == 0 { position += 1 }
        guard position < pending.count else { return nil }
        guard pending[position] == 0x1F, unsafe inflateReset(&stream) == Z_OK else {
          throw InputError(
            "\(name) has something after its gzip data; cut that off, or get the file again"
          )
        }
        isBetweenMembers = false
      }
      let piece = try step()
      if !piece.isEmpty { return piece }
    }
    return nil
  }

  private func step() throws(InputError) -> [UInt8] {
    let size = 1 << 17
    var result = Z_OK
    var left = 0
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      unsafe pending.withUnsafeBufferPointer { source in
        // zlib only reads it; its declaration predates const.
        unsafe stream.next_in = UnsafeMutablePointer(
          mutating: source.baseAddress?.advanced(by: position)
        )
        unsafe stream.avail_in = UInt32(source.count - position)
        unsafe stream.next_out = buffer.baseAddress
        unsafe stream.avail_out = UInt32(size)
        result = unsafe inflate(&stream, Z_NO_FLUSH)
        left = Int(unsafe stream.avail_in)
        count = size - Int(unsafe stream.avail_out)
      }
    }
    bytesIn += pending.count - left - position
    bytesOut += piece.count
    position = pending.count - left
    mayHoldOutput = piece.count == size
    switch result {
    case Z_OK: break
    case Z_STREAM_END:
      isBetweenMembers = true
      mayHoldOutput = false
    case Z_BUF_ERROR where piece.isEmpty && left == 0: break
    default:
      throw InputError("\(name) is not a sound gzip file; get it again, or decompress it yourself")
    }
    guard bytesOut <= limits.freeBytes || bytesOut / limits.ratio <= bytesIn else {
      throw InputError(
        "\(name) unfolds to more than \(limits.ratio) times its size, as nothing useful does; "
          + "decompress it yourself if you trust it"
      )
    }
    return piece
  }
}
