public import Foundation

/// The files by which an administrator installs a packed extension for good.
///
/// They belong to places that only root can write to: what a policy names is installed for every user
/// of the machine, and may stop requests.
public enum InstallationFiles {
  /// Where packages are put unless another place is named.
  public static let usualPlace = URL(
    filePath: "/usr/local/share/tickbird",
    directoryHint: .isDirectory
  )
  /// The package's file for Chromium.
  public static let chromiumPackage = "tickbird.crx"
  /// The file that tells Chromium where the package is.
  public static let updates = "update.xml"
  /// The policy's file for Chromium and what is made of it.
  public static let chromiumPolicy = "tickbird.json"
  /// The policy's file for Firefox.
  public static let firefoxPolicy = "policies.json"

  /// The package's file for Firefox, which must have the id.
  public static func firefoxPackage(id: String) -> String { "\(id).xpi" }

  /// The update manifest of a package.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - place: The folder that the package is put into.
  /// - Returns: The file's bytes.
  public static func updates(_ package: ChromiumPackage, in place: URL) -> Data {
    let file = place.appending(path: chromiumPackage).absoluteString
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gupdate xmlns="http://www.google.com/update2/response" protocol="2.0">
        <app appid="\(package.id)">
          <updatecheck codebase="\(xml(file))" version="\(package.version)"/>
        </app>
      </gupdate>

      """
    return Data(text.utf8)
  }

  /// The policy that installs a package into Chromium and what is made of it.
  ///
  /// - Parameters:
  ///   - id: The package's id.
  ///   - place: The folder that the update manifest is put into.
  /// - Returns: The file's bytes.
  /// - Throws: Nothing that can happen with texts.
  public static func chromiumPolicy(id: String, in place: URL) throws -> Data {
    let address = place.appending(path: updates).absoluteString
    return try json([
      "ExtensionSettings": [
        id: ["installation_mode": "force_installed", "update_url": address]
      ]
    ])
  }

  /// The policy that installs a package into Firefox.
  ///
  /// - Parameters:
  ///   - id: The package's id.
  ///   - place: The folder that the package is put into.
  /// - Returns: The file's bytes.
  /// - Throws: Nothing that can happen with texts.
  public static func firefoxPolicy(id: String, in place: URL) throws -> Data {
    let address = place.appending(path: firefoxPackage(id: id)).absoluteString
    return try json([
      "policies": [
        "ExtensionSettings": [
          id: ["installation_mode": "force_installed", "install_url": address]
        ],
        "Preferences": [
          "xpinstall.signatures.required": ["Value": false, "Status": "locked"]
        ],
      ]
    ])
  }

  private static func json(_ object: [String: Any]) throws -> Data {
    try JSONSerialization.data(
      withJSONObject: object,
      options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    ) + Data("\n".utf8)
  }

  /// A text as the value of an attribute; addresses have their quotation marks as escapes.
  private static func xml(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
