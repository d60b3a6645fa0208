internal import DurableFiles
internal import ExtensionBundles
public import Foundation

/// A content blocker's bundle that is made of a rule list alone.
///
/// With it a list of any origin is installed, turned on and replaced as an extension is.
public enum ListBundle {
  /// The identifier of a list without one of its own: `list.`, and its name.
  ///
  /// The same name gives the same identifier, so that a later list takes an earlier one's place. What
  /// an identifier cannot hold becomes a hyphen, and letters of other alphabets their code points.
  public static func identifier(named name: String) -> String {
    let parts = name.lowercased().unicodeScalars.map { scalar in
      if !scalar.isASCII { return "-u\(String(scalar.value, radix: 16))-" }
      return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? "\(scalar)" : "-"
    }
    let words = parts.joined().split(separator: "-")
    return "list." + (words.isEmpty ? "unnamed" : String(words.joined(separator: "-").prefix(100)))
  }

  /// Makes a bundle.
  ///
  /// - Parameters:
  ///   - list: The file with the JSON array, which is not looked into.
  ///   - name: What people call it; the file's name without its ending unless given.
  ///   - identifier: Its bundle identifier; ``identifier(named:)`` of the name unless given.
  ///   - folder: The folder that the bundle is put into.
  ///   - date: When; its seconds are the build's number, so that later is newer.
  /// - Returns: The bundle `NAME.appex`.
  /// - Throws: ``HostError`` with code `.badBundle` for a list or an identifier that will not do,
  ///   `.file` where the bundle cannot be written.
  public static func make(
    _ list: URL,
    name: String? = nil,
    identifier: String? = nil,
    in folder: URL,
    date: Date = .now
  ) throws(HostError) -> URL {
    let name = name ?? list.deletingPathExtension().lastPathComponent
    let identifier = identifier ?? Self.identifier(named: name)
    guard ExtensionNames.isBundleIdentifier(identifier) else {
      throw HostError(.badBundle, ExtensionNames.refusal(ofBundleIdentifier: identifier))
    }
    let text: Data
    do throws(FileFailure) {
      text = Data(try DurableFile.contents(of: list.path, atMost: BundleLimits().bytes))
    } catch {
      throw HostError(.badBundle, "the list \(list.path) cannot be read: \(error.reason)")
    }
    if text.starts(with: [0x1F, 0x8B]) {
      throw HostError(.badBundle, "\(list.path) is compressed; unpack it first: gzip -d")
    }
    let bundle = folder.appending(path: "\(identifier).appex", directoryHint: .isDirectory)
    let information: [String: Any] = [
      "CFBundleIdentifier": identifier,
      "CFBundleDisplayName": name,
      "CFBundleShortVersionString": "1",
      "CFBundleVersion": String(Int(date.timeIntervalSince1970)),
      "NSExtension": ["NSExtensionPointIdentifier": ExtensionPoint.contentBlocker.rawValue],
    ]
    do {
      try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
      try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
        .write(to: bundle.appending(path: "Info.plist"))
      try text.write(to: bundle.appending(path: InstalledBundle.listName))
    } catch {
      throw HostError(.file, "\(bundle.path) cannot be written: \(FileFailure.reason(of: error))")
    }
    return bundle
  }
}
