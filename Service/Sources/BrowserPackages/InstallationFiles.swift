public import Foundation

/// The files with which an administrator installs a packed extension permanently.
///
/// They go into folders that only root can write to: an extension named in a policy is installed
/// for every user of the machine, and may block requests.
public enum InstallationFiles {
  /// The default folder for packages.
  public static let usualPlace = URL(
    filePath: "/usr/local/share/tickbird",
    directoryHint: .isDirectory
  )
  /// The package's file for Chromium.
  public static let chromiumPackage = "tickbird.crx"
  /// The update manifest, which tells Chromium where the package is.
  public static let updates = "update.xml"
  /// The policy file for Chromium and browsers based on it.
  public static let chromiumPolicy = "tickbird.json"
  /// The policy file for Firefox.
  public static let firefoxPolicy = "policies.json"

  /// Returns the name of the package's file for Firefox, which must be the id.
  public static func firefoxPackage(id: String) -> String { "\(id).xpi" }

  /// Returns the update manifest of a package.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - place: The folder of the installed package.
  ///   - name: The package's file.
  /// - Returns: The file's bytes.
  public static func updates(
    _ package: ChromiumPackage,
    in place: URL,
    name: String = chromiumPackage
  ) -> Data {
    let file = place.appending(path: name).absoluteString
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

  /// Returns the policy that installs a package in Chromium and browsers based on it.
  ///
  /// - Parameters:
  ///   - id: The package's id.
  ///   - place: The folder of the installed update manifest.
  ///   - name: The update manifest's file.
  /// - Returns: The file's bytes.
  /// - Throws: Encoding errors, which texts cannot cause.
  public static func chromiumPolicy(
    id: String,
    in place: URL,
    name: String = updates
  ) throws -> Data {
    let address = place.appending(path: name).absoluteString
    return try json([
      "ExtensionSettings": [
        id: ["installation_mode": "force_installed", "update_url": address]
      ]
    ])
  }

  /// Returns the policy that installs a package in Firefox.
  ///
  /// - Parameters:
  ///   - id: The package's id.
  ///   - place: The folder of the installed package.
  /// - Returns: The file's bytes.
  /// - Throws: Encoding errors, which texts cannot cause.
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

  /// Escapes a text for an attribute; addresses already have their quotation marks percent-encoded.
  private static func xml(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
