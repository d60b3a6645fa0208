import Crypto
import ExtensionGallery
import Foundation
import FuzzTargets

/// Opens, verifies and unpacks a package.
///
/// If the first byte is 0 the rest is a package. Otherwise it is the lines of a manifest, of version 2 if
/// the byte is 2, which gets signed, with matching file contents as long as they are short.
enum PackageBody: FuzzBody {
  static let name = "package"

  private static let folder = FileManager.default.temporaryDirectory
    .appending(path: "tickbird-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
  private static let lock = NSLock()

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let form = reader.byte()
    let rest = reader.rest()
    try checkFile(Data(form == 0 ? rest : package(rest, version: form == 2 ? 2 : 1)))
  }

  /// The contents of the manifest's files: zeros, so that the digest is known for each length.
  private static func package(_ lines: [UInt8], version: Int = 1) -> [UInt8] {
    var manifest: [UInt8] = []
    var contents = 0
    for line in lines.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let parts = line.split(separator: 0x20, maxSplits: 3, omittingEmptySubsequences: false)
      if parts.count == 4, parts[0].elementsEqual("file".utf8),
        let size = Int(Array(parts[2]).text), 0...1_000 ~= size
      {
        let digest = SignedTexts.hexadecimal(SHA256.hash(data: Data(count: size)))
        manifest += Array(parts[0]) + [0x20] + parts[1] + [0x20] + parts[2] + [0x20]
        manifest += Array(digest.utf8) + [0x20] + parts[3]
        contents += size
      } else {
        manifest += line
      }
      manifest.append(0x0A)
    }
    if lines.last != 0x0A { manifest.removeLast() }
    let signed = SignedTexts.signed(
      manifest,
      kind: "tickbird-package",
      context: "tickbird package manifest \(version)",
      version: version
    )
    let length = (0..<4).map { UInt8(truncatingIfNeeded: signed.count >> (8 * $0)) }
    return [0x89, 0x54, 0x42, 0x50, 0x0D, 0x0A, 0x1A, 0x0A] + length + signed
      + [UInt8](repeating: 0, count: contents)
  }

  private static func checkFile(_ bytes: Data) throws(FuzzFinding) {
    var left: [String] = []
    var inside: [String] = []
    var expected: [String] = []
    var shown = Presentation()
    let outcome = try FuzzOutcome {
      try lock.withLock {
        let manager = FileManager.default
        let target = folder.appending(path: "target")
        try? manager.removeItem(at: folder)
        try manager.createDirectory(at: target, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: folder) }
        let file = folder.appending(path: "package")
        try bytes.write(to: file)
        let package = try PackageReader(file)
        shown = package.manifest.presentation
        try package.verify()
        expected = package.manifest.files.map(\.path)
        do {
          let bundle = try package.unpack(into: target)
          inside = try manager.subpathsOfDirectory(atPath: bundle.path)
        } catch {
          left = try manager.subpathsOfDirectory(atPath: target.path)
          throw error
        }
        // Only the package and the bundle's folder are left.
        left = try manager.contentsOfDirectory(atPath: folder.path).filter {
          $0 != "package" && $0 != "target"
        }
        return package.manifest
      }
    }
    try require(
      ([shown.summary, shown.category, shown.developer, shown.homepage] + shown.description)
        .allSatisfy {
          !$0.unicodeScalars.contains { "\u{202E}\u{2066}\u{0}\u{1B}".unicodeScalars.contains($0) }
        },
      "a text that turns is shown"
    )
    try require(
      shown.homepage.isEmpty || shown.homepage.hasPrefix("https://"),
      "\(shown.homepage) is a link"
    )
    try require(left.isEmpty, "unpacking leaves \(left)")
    if outcome.value != nil {
      try require(
        Set(expected).isSubset(of: inside),
        "the bundle has \(inside), and not \(expected)"
      )
    }
  }

  private static let shownLines = """
    summary Blocks \u{200D}advertisements
    description One.
    description Two.
    category blocking
    developer Example & Co
    homepage https://example.com/

    """

  static var seeds: [[UInt8]] {
    let head = """
      identifier com.example.blocker
      version 1.2
      short-version 1.2 beta
      name My Blocker
      extension-point com.apple.Safari.content-blocker
      bundle My Blocker.appex

      """
    let files = "file - 12 x Info.plist\nfile x 30 x MyBlocker\nfile - 0 x Resources/a b.json\n"
    let whole = head + files
    return [
      whole, head, head + "file - 1 x ../Info.plist\n", head + "file - 1 x /Info.plist\n",
      head + "file - 1 x Info.plist\nfile - 1 x info.plist\n", head + "file - 99999 x Info.plist\n",
      head + "file - 1 x Info.plist\nfile - 1 x Info.plist/a\n",
      whole.replacing("1.2", with: "1..2"),
      whole.replacing("My Blocker.appex", with: "..appex"), "", "\n\n", "identifier ",
      head + "file - 1 x I\u{6E}\u{303}\nfile - 1 x Info.plist\n",
    ].map { [1] + Array($0.utf8) }
      + [
        head + shownLines + files, head + "summary a\u{202E}b\n" + files,
        head + "homepage javascript:a\n" + files,
        head + "picture 9 \(String(repeating: "a", count: 64)) png 9999 9999 A bomb\n" + files,
      ].map { [2] + Array($0.utf8) } + [[0] + package(Array(whole.utf8)), [0, 0x89, 0x54]]
  }
}
