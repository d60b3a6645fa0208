/// The files of a web extension.
public struct WebExtensionSource {
  /// Reads at most so many first bytes of a file.
  public typealias Reading = (_ path: String, _ count: Int) throws(WebExtensionError) -> [UInt8]

  /// The most files.
  public static let fileLimit = 10_000
  /// The most bytes of all files together.
  public static let sizeLimit = 256 << 20
  /// The name of the manifest.
  public static let manifestName = "manifest.json"

  /// The sizes of the files in bytes, by path.
  let sizes: [String: Int]
  private let reading: Reading

  /// Names the files.
  ///
  /// - Parameters:
  ///   - sizes: The sizes in bytes, by the path below the extension's folder.
  ///   - reading: Reads a file.
  /// - Throws: ``WebExtensionError`` with code `.limit` if there are too many or too large files.
  public init(
    sizes: [String: Int],
    reading: @escaping Reading
  ) throws(WebExtensionError) {
    guard sizes.count <= Self.fileLimit else {
      throw WebExtensionError(
        .limit,
        "the extension has \(sizes.count) files; at most \(Self.fileLimit) are taken"
      )
    }
    var total = 0
    for size in sizes.values {
      let (sum, overflow) = total.addingReportingOverflow(size)
      guard !overflow, sum <= Self.sizeLimit else {
        throw WebExtensionError(
          .limit,
          "the extension's files have more than \(Self.sizeLimit) bytes together"
        )
      }
      total = sum
    }
    self.sizes = sizes
    self.reading = reading
  }

  /// The paths, in order.
  var paths: [String] { sizes.keys.sorted() }

  func has(_ path: String) -> Bool { sizes[path] != nil }

  /// Reads a file of a bounded size; `nil` for a larger one, and for one that is not there.
  func contents(_ path: String, limit: Int) throws(WebExtensionError) -> [UInt8]? {
    guard let size = sizes[path], size <= limit else { return nil }
    let bytes = try reading(path, limit + 1)
    return bytes.count <= limit ? bytes : nil
  }

  /// Whether a file is a program, by its first bytes.
  func isProgram(_ path: String) throws(WebExtensionError) -> Bool {
    ProgramFormat(try reading(path, 4)) != nil
  }
}

/// A format of programs.
public enum ProgramFormat: Sendable {
  /// Linux's.
  case elf
  /// Apple's.
  case mach
  /// That of Windows.
  case portable

  /// Recognizes a program by its first four bytes; `nil` for any other file.
  public init?(_ head: [UInt8]) {
    switch head.prefix(4) {
    case [0x7F, 0x45, 0x4C, 0x46]: self = .elf
    case [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE],
      [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBE], [0xCA, 0xFE, 0xBA, 0xBF]:
      self = .mach
    case _ where head.starts(with: [0x4D, 0x5A]): self = .portable
    default: return nil
    }
  }
}

/// A path of an extension, as manifests, pages and scripts name it.
enum ExtensionPath {
  /// Resolves a path.
  ///
  /// - Parameters:
  ///   - reference: What is written: relative or with a leading slash.
  ///   - folder: The folder of the file that says it, without a slash at the end.
  /// - Returns: The path below the extension's folder; `nil` for one that leads out of it.
  static func resolved(_ reference: String, in folder: String = "") -> String? {
    let plain = reference.prefix { $0 != "?" && $0 != "#" }
    guard !plain.contains(":"), !plain.contains("\\"), !plain.contains("\0"),
      !plain.hasPrefix("//")
    else { return nil }
    var parts = plain.hasPrefix("/") ? [] : folder.split(separator: "/").map(String.init)
    for part in plain.split(separator: "/") {
      switch part {
      case ".": continue
      case "..":
        guard !parts.isEmpty else { return nil }
        parts.removeLast()
      default: parts.append(part.removingPercents)
      }
    }
    guard !parts.isEmpty, !parts.contains(where: { $0 == ".." || $0.contains("/") }) else {
      return nil
    }
    return parts.joined(separator: "/")
  }

  /// The folder of a path, without a slash at the end.
  static func folder(_ path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// The extension of a path, in lower case.
  static func kind(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[dot...].dropFirst().lowercased()
  }

  /// The path as part of a URL, with a leading slash.
  static func address(_ path: String) -> String {
    var text = ""
    for byte in "/\(path)".utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: text.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where "/-._~".utf8.contains(byte): text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }
}

extension Substring {
  /// The text with its percent-encoded bytes decoded; as it is where they are no text.
  fileprivate var removingPercents: String {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? String(self)
  }
}
