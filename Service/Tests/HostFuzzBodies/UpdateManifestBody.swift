import ExtensionGallery
import Foundation
import FuzzTargets

/// Parses an update manifest like Safari's: a property list from a server.
enum UpdateManifestBody: FuzzBody {
  static let name = "update-manifest"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let outcome = try FuzzOutcome { try read(input) }
    try require(try FuzzOutcome { try read(input) } == outcome, "a manifest is read in two ways")
  }

  private static func read(_ input: [UInt8]) throws -> [String] {
    try UpdateManifest(Data(input), from: "manifest").entries.map {
      "\($0.identifier) \($0.developer, default: "-") \($0.version, default: "-") "
        + "\($0.url, default: "-") \($0.isFromGallery)"
    }
  }

  static var seeds: [[UInt8]] {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      """
    func manifest(_ entry: String) -> String {
      head + "<dict><key>Extension Updates</key><array><dict>\(entry)</dict></array></dict></plist>"
    }
    let identifier = "<key>CFBundleIdentifier</key><string>com.example.a</string>"
    return [
      manifest(identifier + "<key>CFBundleVersion</key><string>1.2</string>"),
      manifest(identifier + "<key>URL</key><string>https://a.test/x?y</string>"),
      manifest(identifier + "<key>Update From Gallery</key><true/>"),
      manifest(identifier + "<key>Developer Identifier</key><string>X</string>"),
      manifest(identifier + "<key>a</key><integer>1</integer><key>b</key><real>1e9</real>"),
      manifest(identifier + "<key>a</key><date>2026-11-22T00:00:00Z</date>"),
      manifest(identifier + "<key>a</key><data>AAEC</data>"), manifest(""), head, "", "<plist>",
      head + "<array>" + String(repeating: "<array>", count: 60),
      #"<!DOCTYPE p [<!ENTITY a "b"><!ENTITY c SYSTEM "file:///etc/passwd">]><plist>&a;&c;</plist>"#,
    ].map { Array($0.utf8) }
  }
}
