import ExtensionBundles
import Foundation
import Testing

@testable import ExtensionGallery

@Suite("Packages")
struct PackageTests {
  let folder: TemporaryFolder
  let key = SigningKey()

  init() throws { folder = try TemporaryFolder() }

  @Test("A bundle comes out of its package as it went in", arguments: [nil, "MyBlocker"])
  func roundTrip(executable: String?) throws {
    let sample = SampleBundle(executable: executable)
    let bundle = try sample.write(into: folder("a"))
    let file = folder("p.tickbird")
    let manifest = try PackageWriter(bundle: bundle).write(to: file, signedBy: key)
    let reader = try PackageReader(file)
    #expect(reader.manifest == manifest)
    #expect(try reader.signer == key.publicKey)
    try reader.verify()
    let copy = try unpack(file, into: folder)
    #expect(copy.lastPathComponent == "My Blocker.appex")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: bundle.path).sorted()
    #expect(try FileManager.default.subpathsOfDirectory(atPath: copy.path).sorted() == paths)
    for path in paths {
      let one = bundle.appending(path: path).path
      let other = copy.appending(path: path).path
      #expect(
        FileManager.default.contents(atPath: one) == FileManager.default.contents(atPath: other)
      )
      let isExecutable = FileManager.default.isExecutableFile(atPath: other)
      let attributes = try FileManager.default.attributesOfItem(atPath: other)
      if attributes[.type] as? FileAttributeType == .typeRegular, path != executable {
        #expect(attributes[.posixPermissions] as? Int == 0o644)
      } else {
        #expect(isExecutable)
      }
    }
  }

  @Test("The same bundle and key give the same bytes")
  func deterministic() throws {
    let sample = SampleBundle(executable: "MyBlocker")
    let first = try Data(contentsOf: try sample.package(in: folder, key: key))
    let second = try Data(contentsOf: try sample.package(in: folder, key: key))
    #expect(first == second)
  }

  @Test("What is read is what was signed, byte by byte")
  func manifestIsCanonical() throws {
    let file = try SampleBundle().package(in: folder, key: key)
    let bytes = try Data(contentsOf: file)
    let again = try PackageReader(file).manifest.signed(with: key)
    #expect(bytes.dropFirst(12).prefix(again.count) == again)
  }

  @Test("A key's file is for its owner alone, and is never replaced")
  func keyFiles() async throws {
    let file = folder("key")
    try key.write(to: file)
    #expect(try SigningKey(contentsOf: file).publicKey == key.publicKey)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    await expectRefusal(.file) { try SigningKey().write(to: file) }
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    let message = await expectRefusal(.key) { try SigningKey(contentsOf: file) }
    #expect(message.contains("chmod 600"))
    try Data("nonsense".utf8).write(to: folder("other"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: folder("other").path
    )
    await expectRefusal(.key) { try SigningKey(contentsOf: folder("other")) }
    await expectRefusal(.file) { try SigningKey(contentsOf: folder("none")) }
  }

  @Test("A fingerprint is read as it is shown")
  func fingerprints() throws {
    let fingerprint = try key.publicKey.fingerprint
    #expect(fingerprint.description.count == 79)
    #expect(KeyFingerprint(fingerprint.description) == fingerprint)
    #expect(KeyFingerprint(fingerprint.description.uppercased()) == fingerprint)
    #expect(KeyFingerprint(String(fingerprint.description.dropLast())) == nil)
    #expect(KeyFingerprint("") == nil)
  }

  @Test("A link in a bundle is not packaged")
  func linkInBundle() async throws {
    let bundle = try SampleBundle().write(into: folder.url)
    try FileManager.default.createSymbolicLink(
      at: bundle.appending(path: "link"),
      withDestinationURL: URL(filePath: "/etc/passwd")
    )
    let message = await expectRefusal(.badPath) {
      try PackageWriter(bundle: bundle).write(to: folder("p"), signedBy: key)
    }
    #expect(message.contains("link"))
    #expect(!FileManager.default.fileExists(atPath: folder("p").path))
  }

  @Test(
    "A bundle that says nothing usable of itself is not packaged",
    arguments: [
      ("CFBundleVersion", "1.0b2"), ("CFBundleVersion", ""), ("CFBundleIdentifier", "a/b"),
      ("CFBundleExecutable", "Missing"), ("CFBundleExecutable", "../x"),
      ("CFBundleName", "a\u{1B}[31mb"),
    ]
  )
  func badInformation(entry: (key: String, value: String)) async throws {
    let bundle = try SampleBundle(extra: [entry.key: entry.value]).write(into: folder.url)
    await expectRefusal(.bundle) {
      try PackageWriter(bundle: bundle).write(to: folder("p"), signedBy: key)
    }
  }
}

@Suite("Published versions")
struct PublishedVersionTests {
  @Test(
    "Whole numbers with dots between them may be published",
    arguments: [
      "0", "1", "01.2", "1.2.3.4", "2015.09.01", String(repeating: "9", count: 64),
      Array(repeating: "1", count: 16).joined(separator: "."),
    ]
  )
  func published(text: String) {
    #expect(BundleVersion(published: text)?.description == text)
  }

  @Test(
    "Nothing else is",
    arguments: [
      "", ".", "1.", ".1", "1..2", "-1", "1.0b2", " 1", "1 ", "١", "1\u{0301}",
      String(repeating: "1", count: 65), Array(repeating: "1", count: 17).joined(separator: "."),
    ]
  )
  func refused(text: String) {
    #expect(BundleVersion(published: text) == nil)
  }
}
