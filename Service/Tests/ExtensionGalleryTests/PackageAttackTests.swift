import Foundation
import TestSupport
import Testing

@testable import ExtensionGallery

@Suite("Attacks on packages")
struct PackageAttackTests {
  let folder: TemporaryFolder
  let key = SigningKey()

  init() throws { folder = try TemporaryFolder() }

  @Test("A file that was changed is refused, and nothing of the bundle stays")
  func changedFile() async throws {
    let file = try SampleBundle(executable: "MyBlocker").package(in: folder, key: key)
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
    await expectRefusal(.changedContents) { try PackageReader(file).verify() }
    let place = folder("place")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    await expectRefusal(.changedContents) { try PackageReader(file).unpack(into: place) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
  }

  @Test("A manifest that was changed is refused")
  func changedManifest() async throws {
    let file = try SampleBundle().package(in: folder, key: key)
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data("version 1\n".utf8)))
    bytes[place.upperBound - 2] = UInt8(ascii: "2")
    try bytes.write(to: file)
    await expectRefusal(.badSignature) { try PackageReader(file) }
  }

  @Test("A signature for something else is not one for a package")
  func otherContext() async throws {
    for context in [SignatureContext.updateList, .keyRotation] {
      var crafted = CraftedPackage()
      crafted.context = context
      try crafted.write(to: folder("p"))
      await expectRefusal(.badSignature) { try PackageReader(folder("p")) }
    }
  }

  @Test("A later format says so")
  func laterVersion() async throws {
    let file = try SampleBundle().package(in: folder, key: key)
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data("tickbird-package 1".utf8)))
    bytes[place.upperBound - 1] = UInt8(ascii: "3")
    try bytes.write(to: file)
    await expectRefusal(.unsupportedVersion) { try PackageReader(file) }
    // One version cannot be made of the other.
    bytes[place.upperBound - 1] = UInt8(ascii: "2")
    try bytes.write(to: file)
    await expectRefusal(.badSignature) { try PackageReader(file) }
  }

  @Test(
    "A path that could leave the bundle is refused",
    arguments: [
      "../evil", "a/../../evil", "..", ".", "a/./b", "/etc/passwd", "a//b", "a/", "~/\u{0}x",
      "a\u{1B}[2Jb", "a\tb", "a\\..\\b", "a\u{202E}gpj.exe", "a\u{85}b", "a\u{2028}b",
      String(repeating: "x", count: 256), Array(repeating: "d", count: 33).joined(separator: "/"),
    ]
  )
  func badPath(path: String) async throws {
    var crafted = CraftedPackage()
    crafted.add(path, "x")
    crafted.sort()
    try crafted.write(to: folder("p"))
    let outcome = await expectRefusal(.badPath) { try unpack(folder("p"), into: folder) }
    #expect(outcome.contains("refused"))
    #expect(!FileManager.default.fileExists(atPath: folder("evil").path))
  }

  @Test(
    "Links and devices cannot be said in a manifest",
    arguments: ["l", "s", "d", "c", "X", "xx", ""]
  )
  func links(mode: String) async throws {
    var crafted = CraftedPackage()
    crafted.add("link", "/etc/passwd", mode: mode)
    try crafted.write(to: folder("p"))
    await expectRefusal(.malformed) { try PackageReader(folder("p")) }
  }

  @Test("A link where a file is to be written is not followed")
  func linkInTheWay() async throws {
    let file = folder("target")
    try FileManager.default.createSymbolicLink(
      at: folder("link"),
      withDestinationURL: file
    )
    await expectRefusal(.file) { try WritableFile(new: folder("link"), mode: 0o644) }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(
    "Paths that are one on some file system are refused",
    arguments: [
      ["a", "a"], ["Readme", "README"], ["gr\u{F6}sse", "gro\u{308}sse"], ["a", "a/b"],
      ["A/x", "a/y"], ["\u{FB01}le", "file"], ["info.plist"], ["Info.plist/x"],
    ]
  )
  func duplicates(paths: [String]) async throws {
    var crafted = CraftedPackage()
    for path in paths { crafted.add(path, path) }
    crafted.sort()
    try crafted.write(to: folder("p"))
    await expectRefusal(.duplicatePath) { try PackageReader(folder("p")) }
  }

  @Test("Files out of order are refused, so that a manifest has one spelling")
  func order() async throws {
    var crafted = CraftedPackage()
    crafted.add("A", "x")
    try crafted.write(to: folder("p"))
    await expectRefusal(.malformed) { try PackageReader(folder("p")) }
  }

  @Test("A file that the manifest does not name has no place")
  func unnamedFile() async throws {
    var crafted = CraftedPackage()
    crafted.tail = Data("one more file".utf8)
    try crafted.write(to: folder("p"))
    await expectRefusal(.trailingBytes) { try PackageReader(folder("p")) }
  }

  @Test("A size that is not the file's is refused")
  func wrongSize() async throws {
    for (size, code) in [
      ("0", GalleryError.Code.trailingBytes), ("6", .truncated), ("05", .malformed),
      ("-1", .malformed), ("99999999999999999999", .malformed), ("9223372036854775807", .tooLarge),
      ("600000000", .tooLarge), ("0x5", .malformed),
    ] {
      var crafted = CraftedPackage()
      crafted.add("blockerList.json", "12345", size: size)
      try crafted.write(to: folder("p"))
      await expectRefusal(code) { try PackageReader(folder("p")) }
    }
    // Sizes whose sum is right although each is wrong.
    var crafted = CraftedPackage()
    crafted.add("a", "12345", size: "4")
    crafted.add("b", "12345", size: "6")
    crafted.sort()
    try crafted.write(to: folder("p"))
    await expectRefusal(.changedContents) { try PackageReader(folder("p")).verify() }
  }

  @Test("Sizes whose sum overflows are refused")
  func overflow() async throws {
    var crafted = CraftedPackage()
    for name in ["a", "b", "c"] { crafted.add(name, "x", size: "9223372036854775807") }
    crafted.sort()
    try crafted.write(to: folder("p"))
    await expectRefusal(.tooLarge) { try PackageReader(folder("p")) }
  }

  @Test("Counts and lengths that promise much take no memory")
  func hugeCounts() async throws {
    // A length of 4 GiB before nothing.
    try (PackageWriter.magic + Data([255, 255, 255, 255])).write(to: folder("p"))
    await expectRefusal(.tooLarge) { try PackageReader(folder("p")) }
    // A length that is allowed, before nothing.
    try (PackageWriter.magic + PackageWriter.length(8 << 20)).write(to: folder("p"))
    await expectRefusal(.truncated) { try PackageReader(folder("p")) }
    // More files than the limit.
    var crafted = CraftedPackage()
    let digest = Hexadecimal.text(digestOf(Data()))
    crafted.files += (0..<20_000).map { ("file - 0 \(digest) x\(String(100_000 + $0))", Data()) }
    try crafted.write(to: folder("p"))
    await expectRefusal(.tooLarge) { try PackageReader(folder("p")) }
    // Millions of empty lines, signed.
    crafted = CraftedPackage()
    crafted.head += [String(repeating: "\n", count: 4 << 20)]
    try crafted.write(to: folder("p"))
    await expectRefusal(.malformed) { try PackageReader(folder("p")) }
  }

  @Test("A manifest that names the bundle differently than the bundle itself is refused")
  func twoNames() async throws {
    for (index, line) in [
      (0, "identifier com.example.other"), (1, "version 2"), (2, "short-version 7"),
      (3, "name Bank"),
      (4, "extension-point com.apple.Safari.web-extension"),
    ] {
      var crafted = CraftedPackage()
      crafted.head[index] = line
      try crafted.write(to: folder("p"))
      await expectRefusal(.malformed) { try unpack(folder("p"), into: folder) }
    }
  }

  @Test("A bundle whose Info.plist nests without end is refused")
  func deepPropertyList() async throws {
    for text in [
      String(repeating: "<array>", count: 140_000), String(repeating: "<dict>", count: 140_000),
      "<plist><dict><key>a</key>" + String(repeating: "<array>", count: 900),
      "bplist00\u{1}", "{ CFBundleIdentifier = a; }",
      "<!DOCTYPE plist [<!ENTITY a \"aaaa\">]><plist><dict><key>&a;</key></dict></plist>",
    ] {
      var crafted = CraftedPackage()
      crafted.files = []
      crafted.add("Info.plist", text)
      try crafted.write(to: folder("p"))
      #expect(throws: GalleryError.self) { try unpack(folder("p"), into: folder) }
    }
  }

  @Test(
    "What is not a package is refused",
    arguments: ["", "\u{89}", "PK\u{3}\u{4}", "hello world…"]
  )
  func notAPackage(text: String) async throws {
    try Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }).write(to: folder("p"))
    #expect(throws: GalleryError.self) { try PackageReader(folder("p")) }
    await expectRefusal(.file) { try PackageReader(folder.url) }
    await expectRefusal(.file) { try PackageReader(folder("none")) }
  }

  @Test("Every changed bit is seen", arguments: 0..<4)
  func flippedBits(part: Int) throws {
    let file = try SampleBundle().package(in: folder, key: key)
    let bytes = try Data(contentsOf: file)
    var random = RandomSource(seed: UInt64(part))
    for _ in 0..<300 {
      var changed = bytes
      let place = Int.random(in: 0..<bytes.count, using: &random)
      changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let target = folder("flipped")
      try changed.write(to: target)
      #expect(throws: GalleryError.self, "byte \(place)") {
        try PackageReader(target).verify()
      }
    }
  }

  @Test("Every package that is cut short, or goes on, is refused")
  func truncations() throws {
    let file = try SampleBundle().package(in: folder, key: key)
    let bytes = try Data(contentsOf: file)
    var random = RandomSource(seed: 7)
    let lengths =
      [0, 1, 7, 8, 11, 12, 13, bytes.count - 1]
      + (0..<300).map { _ in Int.random(in: 0..<bytes.count, using: &random) }
    for length in lengths {
      try bytes.prefix(length).write(to: folder("cut"))
      let error = #expect(throws: GalleryError.self, "length \(length)") {
        try PackageReader(folder("cut"))
      }
      #expect(error?.code == .truncated || length == 0 || error?.code == .tooLarge)
    }
    try (bytes + Data([0])).write(to: folder("cut"))
    let error = #expect(throws: GalleryError.self) { try PackageReader(folder("cut")) }
    #expect(error?.code == .trailingBytes)
  }

  @Test("Random statements with good signatures never trap")
  func randomStatements() throws {
    var random = RandomSource(seed: 11)
    let crafted = CraftedPackage()
    let lines = crafted.head + crafted.files.map(\.line)
    for _ in 0..<400 {
      var bytes = Array(lines.joined(separator: "\n").utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default: bytes.remove(at: place)
        }
      }
      var hostile = crafted
      hostile.head = [String(decoding: bytes, as: UTF8.self)]
      hostile.files = hostile.files.map { ("", $0.contents) }
      let target = folder("hostile")
      try hostile.write(to: target)
      // Any result is fine, as long as it returns.
      _ = try? PackageReader(target).verify()
    }
  }
}

@Suite("Rotation of keys")
struct KeyRotationTests {
  let folder: TemporaryFolder
  let keys = (0..<4).map { _ in SigningKey() }

  init() throws { folder = try TemporaryFolder() }

  @Test("A chain of several rotations leads to the newest key, in any order")
  func chain() throws {
    let rotations = try (0..<3).map { try KeyRotation(from: keys[$0], to: keys[$0 + 1]) }
    let pin = PinnedKey(try keys[0].publicKey)
    for order in [rotations, rotations.reversed()] {
      let next = try pin.following(order, to: try keys[3].publicKey, for: "x")
      #expect(try next.key == keys[3].publicKey)
      #expect(try next.retired == keys[0..<3].map { try $0.publicKey })
    }
    let middle = try PinnedKey(keys[1].publicKey)
      .following(rotations, to: try keys[3].publicKey, for: "x")
    #expect(try middle.retired == keys[1..<3].map { try $0.publicKey })
  }

  @Test("A gap in the chain leads nowhere, and both fingerprints are named")
  func gap() async throws {
    let rotations = [try KeyRotation(from: keys[1], to: keys[2])]
    let pin = PinnedKey(try keys[0].publicKey)
    let message = await expectRefusal(.otherKey) {
      try pin.following(rotations, to: try keys[2].publicKey, for: "x")
    }
    #expect(try message.contains(keys[0].publicKey.fingerprint.description))
    #expect(try message.contains(keys[2].publicKey.fingerprint.description))
  }

  @Test("A rotation does not lead backwards")
  func backwards() async throws {
    let rotation = try KeyRotation(from: keys[0], to: keys[1])
    let pin = PinnedKey(try keys[1].publicKey)
    await expectRefusal(.otherKey) {
      try pin.following([rotation], to: try keys[0].publicKey, for: "x")
    }
  }

  @Test("A key that was replaced is never taken again, whatever is signed")
  func retired() async throws {
    let pin = PinnedKey(try keys[1].publicKey, retired: [try keys[0].publicKey])
    let back = try KeyRotation(from: keys[1], to: keys[0])
    await expectRefusal(.otherKey) {
      try pin.following([back], to: try keys[0].publicKey, for: "x")
    }
    // Nor is it accepted as a step towards another.
    let away = try KeyRotation(from: keys[0], to: keys[2])
    await expectRefusal(.otherKey) {
      try pin.following([back, away], to: try keys[2].publicKey, for: "x")
    }
  }

  @Test("A circle of rotations ends")
  func circle() async throws {
    let rotations = [
      try KeyRotation(from: keys[0], to: keys[1]), try KeyRotation(from: keys[1], to: keys[2]),
      try KeyRotation(from: keys[2], to: keys[0]),
    ]
    await expectRefusal(.otherKey) {
      try PinnedKey(keys[0].publicKey).following(rotations, to: try keys[3].publicKey, for: "x")
    }
  }

  @Test(
    "A rotation that one key alone signed is refused",
    arguments: ["signature-from", "signature-to"]
  )
  func oneSignature(name: String) async throws {
    let honest = try KeyRotation(from: keys[0], to: keys[1])
    #expect(try KeyRotation(text: honest.text, what: "r") == honest)
    let lines = String(decoding: honest.text, as: UTF8.self).split(separator: "\n").map(String.init)
    let other = lines.first { $0.hasPrefix("signature-") && !$0.hasPrefix(name + " ") } ?? ""
    let forged = lines.map { line in
      // One key's signature takes the place of the other's.
      line.hasPrefix(name + " ")
        ? "\(name) \(other.split(separator: " ").last ?? "")" : line
    }
    let text = Data((forged.joined(separator: "\n") + "\n").utf8)
    await expectRefusal(.badRotation) { try KeyRotation(text: text, what: "r") }
    let attacker = try KeyRotation(from: keys[2], to: keys[3])
    let mixed = String(decoding: attacker.text, as: UTF8.self)
      .replacing(try keys[2].publicKey.hexadecimal, with: try keys[0].publicKey.hexadecimal)
    await expectRefusal(.badRotation) { try KeyRotation(text: Data(mixed.utf8), what: "r") }
  }

  @Test("A rotation in a package is checked as one in a file")
  func inPackages() async throws {
    let rotation = try KeyRotation(from: keys[0], to: keys[1])
    let file = try SampleBundle().package(in: folder, key: keys[1], rotations: [rotation])
    #expect(try PackageReader(file).manifest.rotations == [rotation])
    var crafted = CraftedPackage()
    let parts = rotation.line.split(separator: " ")
    crafted.head.append("rotation \(parts[1]) \(parts[2]) \(parts[3]) \(parts[3])")
    try crafted.write(to: folder("p"))
    await expectRefusal(.badRotation) { try PackageReader(folder("p")) }
    crafted = CraftedPackage()
    crafted.head += Array(repeating: rotation.line, count: 33)
    try crafted.write(to: folder("p"))
    await expectRefusal(.tooLarge) { try PackageReader(folder("p")) }
  }

  @Test("A key cannot take its own place")
  func same() async throws {
    await expectRefusal(.badRotation) { try KeyRotation(from: keys[0], to: keys[0]) }
  }
}
