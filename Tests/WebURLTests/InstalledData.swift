import Foundation

@testable import WebURL

/// Data and tools of the machine that some tests compare with; they are skipped without it.
enum InstalledData {
  static let normalizationTest = "/usr/share/unicode/NormalizationTest.txt.bz2"
  static let normalizationProperties = "/usr/share/unicode/DerivedNormalizationProps.txt"
  static let publicSuffixList = "/usr/share/publicsuffix/public_suffix_list.dat"
  static let publicSuffixTest = "/usr/share/doc/publicsuffix/examples/test_psl.txt"
  static let libsoup = "/usr/lib/x86_64-linux-gnu/libsoup-3.0.so.0"
  static let python = "/usr/bin/python3"

  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Whether the Unicode data that the tables were made from is installed, and not another version.
  static let hasUnicodeOfTables: Bool = {
    let version = "-\(IDNAData.unicodeVersion).txt"
    return (try? lines(normalizationProperties).first?.hasSuffix(version)) ?? false
  }()

  /// Whether the list that the table was made from is installed, and not another edition.
  static let hasPublicSuffixListOfTable: Bool = {
    guard has(publicSuffixList), let sum = try? output(of: ["sha256sum", publicSuffixList]) else {
      return false
    }
    return String(decoding: sum, as: UTF8.self).hasPrefix("\(PublicSuffixData.edition)")
  }()

  /// The lines of a text file, which may be packed by bzip2 or gzip.
  static func lines(_ path: String) throws -> [Substring] {
    let data =
      if path.hasSuffix(".bz2") {
        try output(of: ["bzip2", "-dc", path])
      } else if path.hasSuffix(".gz") {
        try output(of: ["gzip", "-dc", path])
      } else {
        try Data(contentsOf: URL(fileURLWithPath: path))
      }
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }

  /// What a command writes to its standard output; a failing command throws.
  static func output(of command: [String]) throws -> Data {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
    return data
  }
}
