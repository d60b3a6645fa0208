/// Paths behind `!#include`, which are relative references as in URLs.
enum IncludePath {
  private static let longest = 1_024

  /// Returns the parts of a path below the list's folder.
  ///
  /// Names may be percent-encoded, as in `My%20list.txt`. Each is decoded once, and by itself, so that no
  /// encoded separator or dot leads anywhere.
  ///
  /// - Parameters:
  ///   - path: The path as written, relative to the file that has it.
  ///   - file: The path of that file; `nil` for the list itself.
  /// - Returns: The parts.
  /// - Throws: ``FilterIncludeRefusal`` for a path that could lead elsewhere.
  static func parts(
    of path: String,
    from file: String?
  ) throws(FilterIncludeRefusal) -> [String] {
    let isAddress = path.contains("://") || path.hasPrefix("//")
    guard !isAddress else {
      throw FilterIncludeRefusal(
        "\(path) is an address, and only files of the list's folder are read"
      )
    }
    guard !path.hasPrefix("/"), !path.hasPrefix("~"), path.utf8.count <= longest else {
      throw leadsElsewhere
    }
    let folder = file.map { $0.split(separator: "/").dropLast().map(String.init) } ?? []
    var parts: [String] = []
    for part in path.split(separator: "/") where part != "." {
      guard let name = decoded(part) else { throw leadsElsewhere }
      parts.append(name)
    }
    guard !parts.isEmpty else { throw leadsElsewhere }
    return folder + parts
  }

  private static var leadsElsewhere: FilterIncludeRefusal {
    FilterIncludeRefusal("only files of the list's own folder are included")
  }

  /// Returns the name of a file or folder; `nil` for what is none, decoded or as it stands.
  private static func decoded(_ part: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count > 1, let high = digit(rest[rest.startIndex]),
        let low = digit(rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    guard
      !bytes.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }),
      let name = String(validating: bytes, as: UTF8.self), name != ".", name != ".."
    else { return nil }
    return name
  }

  /// The value of a hexadecimal digit.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
