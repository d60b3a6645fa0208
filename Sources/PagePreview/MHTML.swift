internal import Foundation

/// Pages in one file as browsers save them: `multipart/related` with a part for each resource.
///
/// > Source: RFC 2557, RFC 2045.
package enum MHTML {
  /// A part with a location.
  package struct Part {
    /// Its URL without a fragment.
    package var url: String
    package var mediaType: String
    package var bytes: [UInt8]
  }

  private static let partLimit = 10_000
  /// The most bytes of a part's header.
  private static let headerLimit = 64 << 10

  /// Returns the parts of a text, the page first; `nil` if it is not MHTML.
  package static func parts(of bytes: [UInt8]) -> [Part]? {
    let (head, body) = split(bytes[...])
    guard let type = head["content-type"],
      type.lowercased().firstRange(of: "multipart/related") != nil,
      let boundary = parameter("boundary", of: type), !boundary.isEmpty
    else { return nil }
    var parts: [Part] = []
    var cids: [String: String] = [:]
    for piece in pieces(of: body, boundary: Array("--\(boundary)".utf8)).prefix(partLimit) {
      let (head, body) = split(piece)
      let id = head["content-id"].map { trimmed($0, of: "<> ") }
      guard let location = head["content-location"] ?? id.map({ "cid:\($0)" }) else { continue }
      // Frames are named by their ids, which a browser does not ask anybody for.
      let url =
        location.hasPrefix("cid:")
        ? "https://frame.example/\(location.dropFirst(4))" : String(location.prefix { $0 != "#" })
      if let id { cids["cid:\(id)"] = url }
      let plainType = head["content-type"] ?? "application/octet-stream"
      let encoding = head["content-transfer-encoding"]?.lowercased() ?? ""
      let bytes: [UInt8] =
        switch encoding {
        case "base64":
          Data(base64Encoded: Data(body), options: .ignoreUnknownCharacters).map { Array($0) } ?? []
        case "quoted-printable": quotedPrintable(body)
        default: Array(body)
        }
      parts.append(Part(url: url, mediaType: plainType, bytes: bytes))
    }
    for index in parts.indices where parts[index].mediaType.lowercased().hasPrefix("text/html") {
      parts[index].bytes = naming(cids, in: parts[index].bytes)
    }
    if let page = head["snapshot-content-location"], !parts.isEmpty { parts[0].url = page }
    return parts
  }

  /// Returns a document with the URLs of frames in the places of their ids.
  ///
  /// One pass, so that a URL with an id in it is not replaced again; and no more than twice as long, so
  /// that a short document with many ids does not fill the memory.
  private static func naming(_ urls: [String: String], in bytes: [UInt8]) -> [UInt8] {
    let mark = Array("cid:".utf8)
    let ends = Array("\"'<>() \t\r\n".utf8)
    var result: [UInt8] = []
    var room = bytes.count + 1 << 16
    var index = 0
    while index < bytes.count {
      guard bytes[index] == mark[0], bytes[index...].starts(with: mark) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let end = bytes[index...].prefix(2_000).firstIndex { ends.contains($0) } ?? bytes.count
      let id = bytes[index..<max(index + mark.count, min(end, index + 2_000))]
      let url = urls[String(decoding: id, as: UTF8.self)].map { Array($0.utf8) }
      if let url, url.count <= room {
        room -= url.count
        result += url
      } else {
        result += id
      }
      index = id.endIndex
    }
    return result
  }

  /// The keys of headers that mean something here.
  private static let keys = [
    "content-type", "content-location", "content-id", "content-transfer-encoding",
    "snapshot-content-location",
  ]

  /// Splits a header from what is behind it, and unfolds the lines that mean something.
  private static func split(_ bytes: ArraySlice<UInt8>) -> ([String: String], ArraySlice<UInt8>) {
    var head: [String: String] = [:]
    var last: String?
    var rest = bytes
    // The line end behind a boundary.
    while let byte = rest.first, byte == 0x0D || byte == 0x0A { rest = rest.dropFirst() }
    let limit = rest.startIndex + headerLimit
    while !rest.isEmpty, rest.startIndex < limit {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      var line = rest[..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      while line.last == 0x0D { line = line.dropLast() }
      guard let first = line.first else { break }
      if first == 0x20 || first == 0x09 {
        let more = line.drop { $0 == 0x20 || $0 == 0x09 }
        if let last { head[last]? += String(decoding: more, as: UTF8.self) }
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { break }
      last = keys.first { key in
        key.utf8.count == colon - line.startIndex
          && zip(key.utf8, line).allSatisfy {
            $0 == $1 || $0 == $1 | 0x20 && UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $1
          }
      }
      guard let last else { continue }
      head[last] = trimmed(String(decoding: line[(colon + 1)...], as: UTF8.self), of: " \t")
    }
    return (head, rest)
  }

  private static func trimmed(_ text: String, of characters: String) -> String {
    var rest = text[...]
    while let first = rest.first, characters.contains(first) { rest.removeFirst() }
    while let last = rest.last, characters.contains(last) { rest.removeLast() }
    return String(rest)
  }

  private static func parameter(_ name: String, of value: String) -> String? {
    // Letters of ASCII keep their places when their case changes; others mean nothing here.
    let bytes = value.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    guard let place = bytes.firstRange(of: Array((name + "=").utf8)) else { return nil }
    let rest = String(decoding: value.utf8.dropFirst(place.upperBound), as: UTF8.self)
    return rest.hasPrefix("\"")
      ? String(rest.dropFirst().prefix { $0 != "\"" })
      : String(rest.prefix { $0 != ";" && $0 != " " })
  }

  /// Returns what is between boundaries, at most as many pieces as there may be parts.
  private static func pieces(
    of bytes: ArraySlice<UInt8>,
    boundary: [UInt8]
  ) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start: Int?
    var index = bytes.startIndex
    // A boundary begins a line, so that no text is looked through twice.
    while index < bytes.endIndex, pieces.count < partLimit {
      let isBoundary = bytes[index...].starts(with: boundary)
      if isBoundary {
        if let start {
          var end = index
          if end > start, bytes[end - 1] == 0x0A { end -= 1 }
          if end > start, bytes[end - 1] == 0x0D { end -= 1 }
          pieces.append(bytes[start..<end])
        }
        index += boundary.count
        start = index
        // The last one ends with two hyphens.
        if bytes[index...].starts(with: [0x2D, 0x2D]) { break }
      }
      index = (bytes[index...].firstIndex(of: 0x0A) ?? bytes.endIndex - 1) + 1
    }
    return pieces
  }

  private static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    func digit(_ place: Int) -> UInt8? {
      guard place < bytes.endIndex else { return nil }
      return Character(Unicode.Scalar(bytes[place])).hexDigitValue.map { UInt8($0) }
    }
    while index < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: "=") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if let high = digit(index + 1), let low = digit(index + 2) {
        result.append(high << 4 | low)
        index += 3
        continue
      }
      // A soft line break.
      index += 1
      if index < bytes.endIndex, bytes[index] == 0x0D { index += 1 }
      if index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
    }
    return result
  }
}
