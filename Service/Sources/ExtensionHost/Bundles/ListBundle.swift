internal import DurableFiles
internal import ExtensionBundles
public import Foundation

/// Makes content blockers' bundles that contain only a rule list.
///
/// So a list of any origin can be installed, turned on and replaced like an extension.
public enum ListBundle {
  /// Returns the identifier of a list without one: `list.` and its name.
  ///
  /// Equal names give equal identifiers, so that a newer list replaces an older one. Characters
  /// that an identifier cannot contain become hyphens, and letters of other alphabets their code
  /// points.
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
  ///   - list: The file with the JSON array, which is not validated.
  ///   - name: The display name; by default the file's name without its extension.
  ///   - identifier: The bundle identifier; by default ``identifier(named:)`` of the name.
  ///   - folder: The folder for the bundle.
  ///   - date: The time; its seconds become the build number, so that a later bundle is newer.
  /// - Returns: The bundle `NAME.appex`.
  /// - Throws: ``HostError`` with code `.badBundle` if the list or the identifier cannot be used,
  ///   `.file` if the bundle cannot be written.
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
      throw HostError(.file, "the list \(list.path) cannot be read: \(error.reason)")
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
