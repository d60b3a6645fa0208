import ExtensionBundles
import Foundation
import FuzzTargets

/// Reads a bundle's `Info.plist`, and completes it as a build does.
enum PropertyListBody: FuzzBody {
  static let name = "property-list"

  /// Two processes must not write to the same one.
  private static let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("tickbird-fuzz-\(ProcessInfo.processInfo.processIdentifier).plist")
  private static let lock = NSLock()

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let outcome = try FuzzOutcome { try read(input).map(description) }
    try require(
      try FuzzOutcome { try read(input).map(description) } == outcome,
      "a property list read twice gives different values"
    )
  }

  /// The list as it is, and as it is in a bundle.
  private static func read(_ input: [UInt8]) throws -> [InformationPropertyList] {
    let list = try lock.withLock {
      try Data(input).write(to: file)
      return try InformationPropertyList(contentsOf: file)
    }
    let names = try ExtensionNames(product: "Name", module: "Name")
    _ = try? list.principalClassName(module: "Name")
    return [list]
      + [true, false].compactMap { try? list.completed(names: names, hasExecutable: $0) }
  }

  private static func description(_ list: InformationPropertyList) -> String {
    [list.extensionPoint, list.principalClass, list.bundleIdentifier]
      .map { $0.debugDescription }.joined(separator: " ") + " \(list.values.count)"
  }

  static var seeds: [[UInt8]] {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      """
    let point =
      "<key>NSExtensionPointIdentifier</key><string>com.apple.Safari.content-blocker</string>"
    let whole =
      head + "<dict><key>CFBundleIdentifier</key><string>a.b</string><key>NSExtension</key><dict>"
      + point
      + "<key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).H</string></dict>"
      + "</dict></plist>"
    let values = [
      "<array><integer>1</integer><integer>-0x7f</integer><real>1e400</real><true/><false/></array>",
      "<date>2026-11-22T00:00:00Z</date>", "<data>AAEC/w==</data>",
      "<string>&#x1F600;&amp;</string>",
      "<string><![CDATA[x]]></string>", "<dict/>", "<dict><key>a</key></dict>",
    ]
    let object: [String: Any] = [
      "CFBundleIdentifier": "a.b", "n": 1, "list": [1.5, true, "ü", Data([1])] as [Any],
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.web-extension"],
    ]
    let binary =
      (try? PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0))
      ?? Data()
    return [Array(whole.utf8), [UInt8](binary), Array("{ a = b; c = ( d, <0f> ); }".utf8), []]
      + values.map {
        Array((head + "<dict><key>CFBundleIdentifier</key>" + $0 + "</dict></plist>").utf8)
      }
  }
}
