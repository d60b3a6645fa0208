import Foundation
import NativeMessaging
import Testing

@testable import BrowserPackages

@Suite("Packages of the browser extension")
struct PackageTests {
  /// The parts of a CRX file, parsed independently of the writer's code.
  private struct Parts {
    var publicKey = Data()
    var signature = Data()
    var signedHeader = Data()
    var archive = Data()

    init(_ file: Data) throws {
      try #require(file.prefix(4) == Data("Cr24".utf8) && Self.number(file[4..<8]) == 3)
      let size = Self.number(file[8..<12])
      archive = Data(file[(12 + size)...])
      for (field, value) in try Self.fields(Data(file[12..<12 + size])) {
        if field == 10_000 { signedHeader = value }
        guard field == 2 else { continue }
        for (field, value) in try Self.fields(value) {
          if field == 1 { publicKey = value } else { signature = value }
        }
      }
    }

    private static func number(_ bytes: Data) -> Int {
      bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    static func fields(_ data: Data) throws -> [(Int, Data)] {
      var rest = Data(data)
      func number() throws -> Int {
        var value = 0
        for shift in stride(from: 0, to: 63, by: 7) {
          let next = rest.popFirst()
          let byte = try #require(next)
          value |= Int(byte & 0x7F) << shift
          if byte < 0x80 { break }
        }
        return value
      }
      var result: [(Int, Data)] = []
      while !rest.isEmpty {
        let tag = try number()
        try #require(tag & 7 == 2)
        let count = try number()
        try #require(rest.count >= count)
        result.append((tag >> 3, Data(rest.prefix(count))))
        rest = rest.dropFirst(count)
      }
      return result
    }

    /// The bytes that the signature covers.
    var message: Data {
      let size = UInt32(signedHeader.count)
      return Data("CRX3 SignedData\0".utf8) + Data((0..<4).map { UInt8(size >> (8 * $0) & 0xFF) })
        + signedHeader + archive
    }
  }

  @Test("a package for Chromium is one to OpenSSL: the signature, the key and the id are right")
  func chromium() throws {
    let folder = try TestFolder()
    let key = try PackingKey.kept(in: folder.file("key.pem")).key
    let package = try ChromiumPackage(ExtensionFolder(folder.extension(.chromium)), key: key)
    let parts = try Parts(package.data)
    #expect(parts.publicKey == key.publicKey)
    try parts.publicKey.write(to: folder.file("public.der"))
    try parts.signature.write(to: folder.file("signature"))
    try parts.message.write(to: folder.file("message"))
    try folder.run(
      "openssl",
      "pkey",
      "-pubin",
      "-inform",
      "DER",
      "-in",
      "public.der",
      "-out",
      "public.pem"
    )
    let answer = try folder.run(
      "openssl",
      "dgst",
      "-sha256",
      "-verify",
      "public.pem",
      "-signature",
      "signature",
      "message"
    )
    #expect(answer.contains("Verified OK"))
    let digest = try folder.run("sha256sum", "public.der").prefix(32)
    let letters = digest.utf8.map { UInt8(ascii: "a") + ($0 < 0x61 ? $0 - 0x30 : $0 - 0x61 + 10) }
    #expect(package.id == String(decoding: letters, as: UTF8.self))
    #expect(BrowserFamily.chromium.isExtensionID(package.id))
    let (field, id) = try #require(Parts.fields(parts.signedHeader).first)
    #expect(field == 1)
    #expect(id.map { String(format: "%02x", $0) }.joined() == digest)
  }

  @Test("the archive holds the folder's files, and the manifest the packer's key")
  func contents() throws {
    let folder = try TestFolder()
    let key = try PackingKey()
    let source = try folder.extension(.chromium)
    try Data("hidden".utf8).write(to: source.appending(path: ".DS_Store"))
    let package = try ChromiumPackage(ExtensionFolder(source), key: key)
    try Parts(package.data).archive.write(to: folder.file("chromium.zip"))
    try folder.unzip("chromium.zip", to: "chromium")
    let manifest = try JSONSerialization.jsonObject(
      with: Data(contentsOf: folder.file("chromium/manifest.json"))
    )
    let object = try #require(manifest as? [String: Any])
    #expect(object["key"] as? String == key.publicKey.base64EncodedString())
    #expect(object["manifest_version"] as? Int == 3)
    let firefox = try folder.extension(.firefox)
    try FirefoxPackage(ExtensionFolder(firefox)).data.write(to: folder.file("firefox.xpi"))
    try folder.unzip("firefox.xpi", to: "firefox")
    for (source, copy) in [(source, "chromium"), (firefox, "firefox")] {
      for path in ["icons/größe.png", "background.js"] {
        #expect(
          try Data(contentsOf: folder.file("\(copy)/\(path)"))
            == Data(contentsOf: source.appending(path: path))
        )
      }
      #expect(!FileManager.default.fileExists(atPath: folder.file("\(copy)/.DS_Store").path))
    }
    #expect(
      try Data(contentsOf: folder.file("firefox/manifest.json"))
        == Data(contentsOf: firefox.appending(path: "manifest.json"))
    )
  }

  @Test("the same folder and key give the same bytes, whatever the files' dates")
  func reproducible() throws {
    let folder = try TestFolder()
    let key = try PackingKey()
    let source = try folder.extension(.chromium)
    let first = try ChromiumPackage(ExtensionFolder(source), key: key)
    let copy = folder.file("copy")
    try FileManager.default.copyItem(at: source, to: copy)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1), .posixPermissions: 0o700],
      ofItemAtPath: copy.appending(path: "background.js").path
    )
    #expect(try ChromiumPackage(ExtensionFolder(copy), key: key).data == first.data)
    try Data("changed".utf8).write(to: copy.appending(path: "background.js"))
    #expect(try ChromiumPackage(ExtensionFolder(copy), key: key).data != first.data)
    #expect(try ChromiumPackage(ExtensionFolder(source), key: PackingKey()).data != first.data)
  }

  @Test("folders that are no extension, or hold links, are refused with a reason")
  func refusals() throws {
    let folder = try TestFolder()
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "packed"
      } catch let error as PackingError {
        return error.message
      } catch {
        return "\(error)"
      }
    }
    #expect(message { _ = try ExtensionFolder(folder.url) }.contains("no manifest.json"))
    let manifest = folder.file("manifest.json")
    for (text, words) in [
      ("[", "not a JSON object"), ("{}", "no version"), (#"{"version":"1.<"}"#, "no version"),
      (#"{"version":"1.0"}"#, "neither for Chromium nor for Firefox"),
    ] {
      try Data(text.utf8).write(to: manifest)
      #expect(message { _ = try ExtensionFolder(folder.url) }.contains(words))
    }
    let source = try folder.extension(.firefox)
    let key = try PackingKey()
    #expect(
      message { _ = try ChromiumPackage(ExtensionFolder(source), key: key) }.contains("not built")
    )
    try FileManager.default.createSymbolicLink(
      at: source.appending(path: "link.js"),
      withDestinationURL: URL(filePath: "/etc/passwd")
    )
    #expect(
      message { _ = try FirefoxPackage(ExtensionFolder(source)) }.contains("is a link")
    )
  }

  @Test("a key is made once, for its owner alone; those of OpenSSL are taken")
  func keys() throws {
    let folder = try TestFolder()
    let file = folder.file("key.pem")
    let (key, isNew) = try PackingKey.kept(in: file)
    #expect(isNew)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let (again, isNewAgain) = try PackingKey.kept(in: file)
    #expect(!isNewAgain && again.chromiumID == key.chromiumID)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    #expect(throws: PackingError.self) { try PackingKey(contentsOf: file) }
    try folder.run("openssl", "genrsa", "-out", "other.pem", "2048")
    try folder.run("openssl", "rsa", "-in", "other.pem", "-pubout", "-outform", "DER", "-out", "p")
    let other = try PackingKey(contentsOf: folder.file("other.pem"))
    #expect(try other.publicKey == Data(contentsOf: folder.file("p")))
    for (name, text) in [("empty.pem", ""), ("text.pem", "no key")] {
      try Data(text.utf8).write(to: folder.file(name))
      try folder.run("chmod", "600", name)
      #expect(throws: PackingError.self) { try PackingKey(contentsOf: folder.file(name)) }
      // Nor is it replaced.
      #expect(throws: PackingError.self) { try PackingKey.kept(in: folder.file(name)) }
      #expect(try String(contentsOf: folder.file(name), encoding: .utf8) == text)
    }
  }
}
