internal import ExtensionBundles
public import Foundation

/// Makes the bundle that a bare rule list is packaged as: a content blocker without an executable.
///
/// It is installed and updated as every other extension is. The same list and names give the same bytes.
public enum RuleListBundle {
  /// The list's file in the bundle.
  static let listName = "blockerList.json"
  /// The file of the map of a converted list.
  static let mapName = "blockerList.map.json"

  /// Makes the bundle.
  ///
  /// - Parameters:
  ///   - list: The list, as WebKit's JSON, which the caller has checked.
  ///   - map: The map of a converted list.
  ///   - name: The name that is shown.
  ///   - identifier: The identifier.
  ///   - version: The version, whole numbers with dots between them.
  ///   - folder: The folder for the bundle, which has to exist.
  /// - Returns: The bundle.
  /// - Throws: ``GalleryError`` with code `.bundle` or `.file`.
  public static func make(
    list: Data,
    map: Data? = nil,
    name: String,
    identifier: String,
    version: String,
    in folder: URL
  ) throws -> URL {
    guard BundleInformation.isShownText(name) else {
      throw GalleryError(.bundle, "The name of a list has 1 to 200 bytes in one line")
    }
    guard BundleInformation.isIdentifier(identifier) else {
      throw GalleryError(
        .bundle,
        "\"\(identifier)\" is no identifier: letters, digits, hyphens and dots, such as "
          + "com.example.list"
      )
    }
    guard BundleVersion(published: version) != nil else {
      throw GalleryError(
        .bundle,
        "\"\(version)\" is no version: whole numbers with dots between them, as 1.2.3"
      )
    }
    let bundle = folder.appending(path: "\(identifier).appex", directoryHint: .isDirectory)
    try FileSystem.makeFolder(bundle)
    let information = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      <key>CFBundleDisplayName</key><string>\(escaped(name))</string>
      <key>CFBundleIdentifier</key><string>\(identifier)</string>
      <key>CFBundleShortVersionString</key><string>\(version)</string>
      <key>CFBundleVersion</key><string>\(version)</string>
      <key>NSExtension</key>
      <dict>
      <key>NSExtensionPointIdentifier</key><string>\(ExtensionPoint.contentBlocker.rawValue)</string>
      </dict>
      </dict>
      </plist>

      """
    try WritableFile.write(
      Data(information.utf8),
      toNew: bundle.appending(path: BundleInformation.fileName),
      mode: 0o644
    )
    // It asks for nothing, and says so.
    try WritableFile.write(
      Data(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict/></plist>

        """.utf8
      ),
      toNew: bundle.appending(path: BundleInformation.entitlementsName),
      mode: 0o644
    )
    try WritableFile.write(list, toNew: bundle.appending(path: listName), mode: 0o644)
    if let map { try WritableFile.write(map, toNew: bundle.appending(path: mapName), mode: 0o644) }
    return bundle
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
