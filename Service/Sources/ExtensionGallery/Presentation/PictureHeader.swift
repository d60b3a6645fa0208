/// The format and size of a picture, read from its bytes.
///
/// Nothing is decompressed. A file is accepted only if its parts fill it exactly, so that nothing hides
/// behind the picture, and if it does not move.
package struct PictureHeader: Equatable {
  /// A format that all browsers show, and that contains no scripts.
  package enum Format: String, CaseIterable {
    case png, jpeg, webp
  }

  /// Why bytes are no picture that is accepted.
  package struct Fault: Error, Equatable {
    package let message: String
  }

  package let format: Format
  package let width: Int
  package let height: Int

  /// The most parts of a file.
  private static let mostParts = 4096

  /// Reads a file.
  ///
  /// - Complexity: O(*n*) in the file's bytes.
  package init(_ bytes: [UInt8]) throws(Fault) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = try Self.png(bytes)
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = try Self.jpeg(bytes)
    } else if bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)),
      bytes[8..<12].elementsEqual("WEBP".utf8)
    {
      self = try Self.webp(bytes)
    } else {
      throw Fault(message: "it is no PNG, JPEG or WebP")
    }
    guard width > 0, height > 0 else { throw Fault(message: "it has no pixels") }
  }

  private init(format: Format, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }

  // MARK: PNG

  private static func png(_ bytes: [UInt8]) throws(Fault) -> Self {
    var reader = ByteReader(bytes, at: 8)
    var size: (Int, Int)?
    var hasData = false
    for _ in 0..<mostParts {
      let length = try reader.bigEndian(4)
      let type = try reader.text(4)
      guard size != nil || type == "IHDR" else {
        throw Fault(message: "it does not begin with its size")
      }
      switch type {
      case "IHDR":
        guard size == nil, length == 13 else { throw Fault(message: "its size is malformed") }
        var header = reader
        size = (try header.bigEndian(4), try header.bigEndian(4))
      case "IDAT": hasData = true
      case "acTL", "fcTL", "fdAT": throw Fault(message: "it moves; only still pictures are taken")
      case "IEND":
        try reader.skip(length + 4)
        guard let size, hasData, length == 0, reader.isAtEnd else {
          throw Fault(message: "it does not end where it says")
        }
        return Self(format: .png, width: size.0, height: size.1)
      default: break
      }
      // The part and its checksum.
      try reader.skip(length + 4)
    }
    throw Fault(message: "it has more than \(mostParts) parts")
  }

  // MARK: JPEG

  private static func jpeg(_ bytes: [UInt8]) throws(Fault) -> Self {
    var reader = ByteReader(bytes, at: 2)
    var size: (Int, Int)?
    for _ in 0..<mostParts {
      guard try reader.bigEndian(1) == 0xFF else { throw Fault(message: "a part is malformed") }
      let marker = try reader.bigEndian(1)
      switch marker {
      case 0xD8, 0xD9, 0x01, 0xD0...0xD7, 0x00, 0xFF:
        throw Fault(message: "a part is malformed")
      case 0xC0, 0xC1, 0xC2:
        guard size == nil else { throw Fault(message: "it has two sizes") }
        var header = reader
        try header.skip(3)
        let height = try header.bigEndian(2)
        size = (try header.bigEndian(2), height)
      case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        throw Fault(message: "it is a JPEG that browsers do not show")
      case 0xDA:
        guard let size else { throw Fault(message: "it does not say its size") }
        // The compressed data, in which every end but the last is escaped.
        guard try reader.onlyEnd([0xFF, 0xD9]) else {
          throw Fault(message: "it does not end where it says")
        }
        return Self(format: .jpeg, width: size.0, height: size.1)
      default: break
      }
      let length = try reader.bigEndian(2)
      guard length >= 2 else { throw Fault(message: "a part is malformed") }
      try reader.skip(length - 2)
    }
    throw Fault(message: "it has more than \(mostParts) parts")
  }

  // MARK: WebP

  private static func webp(_ bytes: [UInt8]) throws(Fault) -> Self {
    var reader = ByteReader(bytes, at: 4)
    guard try reader.littleEndian(4) == bytes.count - 8 else {
      throw Fault(message: "it does not end where it says")
    }
    try reader.skip(4)
    var canvas: (Int, Int)?
    var picture: (Int, Int)?
    for index in 0..<mostParts {
      if reader.isAtEnd { break }
      let type = try reader.text(4)
      let length = try reader.littleEndian(4)
      var part = reader
      switch type {
      case "VP8X":
        guard index == 0, length >= 10 else { throw Fault(message: "its size is malformed") }
        guard try part.littleEndian(1) & 0x02 == 0 else {
          throw Fault(message: "it moves; only still pictures are taken")
        }
        try part.skip(3)
        canvas = (try part.littleEndian(3) + 1, try part.littleEndian(3) + 1)
      case "VP8 ":
        guard picture == nil, length >= 10 else { throw Fault(message: "its size is malformed") }
        try part.skip(3)
        guard try part.bigEndian(3) == 0x9D012A else {
          throw Fault(message: "its size is malformed")
        }
        picture = (try part.littleEndian(2) & 0x3FFF, try part.littleEndian(2) & 0x3FFF)
      case "VP8L":
        guard picture == nil, length >= 5, try part.littleEndian(1) == 0x2F else {
          throw Fault(message: "its size is malformed")
        }
        let packed = try part.littleEndian(4)
        picture = ((packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1)
      case "ANIM", "ANMF": throw Fault(message: "it moves; only still pictures are taken")
      default: break
      }
      try reader.skip(length + length % 2)
    }
    guard reader.isAtEnd, let picture else {
      throw Fault(message: "it has no picture, or more than \(mostParts) parts")
    }
    if let canvas, canvas != picture { throw Fault(message: "it says two sizes") }
    return Self(format: .webp, width: picture.0, height: picture.1)
  }
}

/// Reads numbers from bytes, and fails at their end.
private struct ByteReader {
  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8], at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ count: Int) throws(PictureHeader.Fault) -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else {
      throw PictureHeader.Fault(message: "it is cut short")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func skip(_ count: Int) throws(PictureHeader.Fault) { _ = try take(count) }

  mutating func bigEndian(_ count: Int) throws(PictureHeader.Fault) -> Int {
    try take(count).reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func littleEndian(_ count: Int) throws(PictureHeader.Fault) -> Int {
    try take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func text(_ count: Int) throws(PictureHeader.Fault) -> String {
    String(decoding: try take(count), as: UTF8.self)
  }

  /// Returns whether an end is where the bytes end, and nowhere before.
  mutating func onlyEnd(_ end: [UInt8]) throws(PictureHeader.Fault) -> Bool {
    var index = position
    while index + 1 < bytes.count {
      if bytes[index] == end[0], bytes[index + 1] == end[1] { return index + 2 == bytes.count }
      index += 1
    }
    return false
  }
}
